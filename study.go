package assay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Study is a question, fixed before anything runs: what is compared
// (Variants), on what (Workloads), how it is measured and how it is decided.
// Package spec makes one from a study.toml or from a compare line; the zero
// value is not valid.
type Study struct {
	Name     string `json:"name"`
	Question string `json:"question,omitempty"`

	// Dir is the folder that relative paths in the study start from. It is not
	// part of the study's identity, nor stored: a record may move.
	Dir string `json:"-"`

	// Base names the variant that the others are compared with.
	Base string `json:"base"`

	Source   Source    `json:"source"`
	Variants []Variant `json:"variants"`
	// Factors are the dimensions of a matrix of variants; package design crosses
	// them into Variants.
	Factors []Factor `json:"factors,omitempty"`
	// Only is OnlyMainEffects where a fraction of the crossing is enough, else "".
	Only      string     `json:"only,omitempty"`
	By        *By        `json:"by,omitempty"`
	Workloads []Workload `json:"workloads"`
	Measure   Measure    `json:"measure"`
	Decide    Decide     `json:"decide"`

	// Inherited lists the Go settings of the caller's environment that are in
	// effect for every variant which does not set them itself, as NAME=value, such
	// as "GOFLAGS=-tags=purego". They stand in variants, workloads and Measure as if
	// the study had set them.
	Inherited []string `json:"inherited,omitempty"`

	// Steps are set where the variants are the milestones of an optimisation: the
	// base and then the steps, in their order.
	Steps *Steps `json:"steps,omitempty"`
	// Gates are what every step has to keep.
	Gates Gates `json:"gates,omitzero"`
	// Report is what the author says around the results.
	Report Report `json:"report,omitzero"`
	// Explain says what explanations look at beside what they find themselves.
	Explain Explain `json:"explain,omitzero"`
}

// Explain says what explanations look at beside what they find themselves.
type Explain struct {
	// Functions are regular expressions of functions to compare.
	Functions []string `json:"functions,omitempty"`
	// Calls are patterns (* is any text) of callees to report: nil is all.
	Calls []string `json:"calls,omitempty"`
}

// A Source says where the code of every variant comes from unless the variant
// says otherwise.
type Source struct {
	// Dir is the module's folder, relative to Study.Dir. Empty means Study.Dir.
	Dir string `json:"dir,omitempty"`
	// Go is the toolchain of variants that name none, such as "go1.26.8" or
	// "path:/usr/local/go". Empty means the toolchain in use.
	Go string `json:"go,omitempty"`
	// Overlay is a folder, relative to Study.Dir, whose files are laid over the
	// source of every variant, such as a frozen suite of benchmarks. Empty is none.
	Overlay string `json:"overlay,omitempty"`
	// Hide lists patterns (path.Match, relative to the module's folder) of files
	// of the source that are taken away when Overlay is laid over it.
	Hide []string `json:"hide,omitempty"`
	// BenchmarksFrom is a tree whose benchmarks are laid over the source of every
	// variant, with the test files and the testdata that they need: "." is the tree as
	// it is, else a git revision or "path@version". Empty is none.
	BenchmarksFrom string `json:"benchmarks_from,omitempty"`
	// Suite is the folder, relative to Study.Dir, of a module of its own that holds
	// the benchmarks and requires the module under test, which is the one of Dir or
	// of Variant.Module. Every variant builds the suite against its own version. Or it
	// is a tree of the module under test (SuiteTree), "path@version" or "rev:REVISION",
	// whose Folders are laid over the source of every variant.
	Suite string `json:"suite,omitempty"`
	// Folders are those of the Suite's tree, relative to the module's folder; nil are
	// those that hold benchmarks.
	Folders []string `json:"folders,omitempty"`
	// Package is the main package that {bin} of a command workload is, as an
	// import path or ./relative, unless the workload names its own.
	Package string `json:"package,omitempty"`
}

// SuiteTree is the module version or the revision that Suite names, as the source of
// a variant; ok is false for a folder.
func (s Source) SuiteTree() (v Variant, ok bool) {
	if rev, ok := strings.CutPrefix(s.Suite, suiteRev); ok {
		return Variant{Name: s.Suite, Rev: rev}, true
	}
	if strings.Contains(s.Suite, "@") && !strings.HasPrefix(s.Suite, ".") && !strings.HasPrefix(s.Suite, "/") {
		return Variant{Name: s.Suite, Module: s.Suite}, true
	}
	return Variant{}, false
}

// suiteRev begins a Suite that is a revision: a folder may have any name.
const suiteRev = "rev:"

// By says that the variants are sub-benchmarks of one binary, as in
// BenchmarkPath/func_append and BenchmarkPath/func_literal.
type By struct {
	// Key is "/name" for sub-benchmarks called name=value, or a regular
	// expression with one group, such as "/func_(.+)".
	Key string `json:"key"`
	// Names renames the values found, in order of appearance. Empty keeps them.
	Names []string `json:"names,omitempty"`
}

// Measure says how trials are run.
type Measure struct {
	// Trial is the measured time that one trial aims at. Default 50ms.
	Trial time.Duration `json:"trial_ns"`
	// Layouts is 0 for a fresh link of every variant in every block, else the
	// number of links that the blocks take turns over.
	Layouts int `json:"layouts"`
	// Inner is the number of rounds inside a block; 0 lets the pilot choose.
	Inner int `json:"inner,omitempty"`
	// NoControl leaves out the A/A control.
	NoControl bool `json:"no_control,omitempty"`
	// GOMAXPROCS is set for every trial unless the variant sets its own.
	// 0 means the number of CPUs that this process may use.
	GOMAXPROCS int `json:"gomaxprocs,omitempty"`
	// GOARCH is what every variant is built for unless it sets its own; empty
	// means this machine's. Like GOMAXPROCS it is a part of the platform and not
	// of the question.
	GOARCH string `json:"goarch,omitempty"`
	// Timeout ends a trial. Default 2m.
	Timeout time.Duration `json:"timeout_ns"`
	// Seed is where every random draw of the study comes from; 0 draws one.
	Seed uint64 `json:"seed,omitempty"`
	// Collect names what is collected beside the metrics, the Collect constants. The
	// collector of Go benchmarks and commands is traced in trials of their own.
	Collect []string `json:"collect,omitempty"`
	// Force measures variants even when they are the same code.
	Force bool `json:"force,omitempty"`
	// Pair is the gear that is forced, one of the Gear constants; "" lets calibration
	// choose one for each benchmark.
	Pair Gear `json:"pair,omitempty"`
	// Pass names variables of the environment that builds and trials get though they
	// hold credentials.
	Pass []string `json:"pass,omitempty"`
	// RemoteLoad lets the built-in load go to other machines. A study cannot say so, only
	// who runs it.
	RemoteLoad bool `json:"remote_load,omitempty"`
}

// A Gear is how the variants of a block run beside each other.
type Gear string

// The gears.
const (
	// GearSlices has all of them alive, each running one slice of a millisecond or so
	// while the others wait.
	GearSlices Gear = "slices"
	// GearTurns has all of them alive, each stopped and continued every few milliseconds;
	// of servers each is under load for that time, and is not stopped.
	GearTurns Gear = "turns"
	// GearProcesses runs them one after the other, each in a process of its own.
	GearProcesses Gear = "processes"
	// PairAuto is how a study writes that calibration chooses.
	PairAuto = "auto"
)

// What can be collected. Services always tell their memory, so CollectRSS says
// what happens anyway.
const (
	CollectGC  = "gc"
	CollectRSS = "rss"
	// What an explanation rests on: it is collected after the verdicts, for the
	// benchmarks that changed.
	CollectCode = "code" // the binaries
	CollectCPU  = "cpu"  // CPU profiles
	CollectMem  = "mem"  // where memory is allocated
)

// Collects reports whether something is collected.
func (m Measure) Collects(what string) bool { return slices.Contains(m.Collect, what) }

// Decide is the decision rule, fixed before running.
type Decide struct {
	// Metrics are the names that must be decided before the study stops.
	// Default: sec/op.
	Metrics []string `json:"metrics"`
	// MinEffect is the smallest relative change that matters; 0.01 is 1 %.
	MinEffect float64 `json:"min_effect"`
	// MinEffects overrides MinEffect by metric name.
	MinEffects map[string]float64 `json:"min_effects,omitempty"`
	// Confidence of each interval; 0.99 by default.
	Confidence float64 `json:"confidence"`
	// MinBlocks and MaxBlocks bound the blocks. MaxBlocks 0 has no bound.
	MinBlocks int `json:"min_blocks,omitempty"`
	MaxBlocks int `json:"max_blocks,omitempty"`
	// Budget is the measuring time after which the study stops, decided or not.
	Budget time.Duration `json:"budget_ns"`
	// Gate, when above 0, asks another question: is any benchmark worse than
	// the base by more than this relative change?
	Gate float64 `json:"gate,omitempty"`
	// Compare is ComparePrevious where each step is compared with the one before,
	// beside the base; "" for studies without steps.
	Compare string `json:"compare,omitempty"`
	// Race lets variants leave that are proved worse than the best by more than
	// the smallest effect: which one is best is the question, not by how much each
	// differs from the base.
	Race bool `json:"race,omitempty"`
	// Tradeoff names two metrics of which more of the one may buy less of the
	// other; the result marks the variants that are best for some price. Empty is
	// none.
	Tradeoff []string `json:"tradeoff,omitempty"`
}

// ComparePrevious is what Decide.Compare says in studies with steps;
// CompareBase compares with the base only.
const (
	ComparePrevious = "previous"
	CompareBase     = "base"
)

// Defaults of a study, from docs/methodology.md.
const (
	DefaultTrial      = 50 * time.Millisecond
	DefaultTimeout    = 2 * time.Minute
	DefaultBudget     = 10 * time.Minute
	DefaultMinEffect  = 0.01
	DefaultConfidence = 0.99
)

// SetDefaults fills in what the study leaves open.
func (s *Study) SetDefaults() {
	setDefault(&s.Measure.Trial, DefaultTrial)
	if s.Serves() {
		setDefault(&s.Measure.Timeout, DefaultServiceTimeout)
		setDefault(&s.Decide.Confidence, DefaultServiceConfidence)
		if len(s.Decide.Metrics) == 0 {
			s.Decide.Metrics = []string{"latency.p50", "latency.p99", MetricRequests}
		}
	}
	setDefault(&s.Measure.Timeout, DefaultTimeout)
	setDefault(&s.Decide.Budget, DefaultBudget)
	setDefault(&s.Decide.MinEffect, DefaultMinEffect)
	setDefault(&s.Decide.Confidence, DefaultConfidence)
	if len(s.Decide.Metrics) == 0 {
		s.Decide.Metrics = []string{MetricTime}
	}
	if s.Steps != nil {
		setDefault(&s.Decide.Compare, ComparePrevious)
	}
	if s.Base == "" && s.By == nil && len(s.Variants) > 0 {
		s.Base = s.Variants[0].Name
	}
}

// Serves reports whether the study is one of services.
func (s *Study) Serves() bool {
	return len(s.Workloads) > 0 && !slices.ContainsFunc(s.Workloads, func(w Workload) bool { return w.Kind != KindService })
}

// ComparesSteps reports whether the changes from step to step must be decided.
func (s *Study) ComparesSteps() bool {
	return s.Steps != nil && len(s.Steps.List) > 0 && s.Decide.Compare != CompareBase && s.Decide.Gate == 0
}

func setDefault[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

// Alpha is the error rate of each interval, 1 - Confidence, without the
// rounding error that would make 1 - 0.99 a little more than 0.01.
func (d Decide) Alpha() float64 { return math.Round((1-d.Confidence)*1e9) / 1e9 }

// Margin is the smallest effect that matters for a metric, as a relative
// change.
func (d Decide) Margin(metric string) float64 {
	if m, ok := d.MinEffects[metric]; ok {
		return m
	}
	return d.MinEffect
}

// Validate reports the first thing that keeps the study from being run. It
// checks what does not need a toolchain or a file; spec and knobs check the
// rest, with positions.
func (s *Study) Validate() error {
	if len(s.Variants) == 0 && s.By == nil && len(s.Factors) == 0 && !s.Unlisted() {
		return errors.New("study has no variants")
	}
	if len(s.Workloads) == 0 {
		return errors.New("study has no workload")
	}
	if err := s.validateWorkloads(); err != nil {
		return err
	}
	if s.Uncrossed() || s.Unlisted() {
		return s.Decide.validate()
	}
	seen := map[string]bool{ControlName: true}
	for _, v := range s.Variants {
		if v.Name == "" {
			return errors.New("a variant has no name")
		}
		if seen[v.Name] {
			return fmt.Errorf("variant name %q is used twice or reserved", v.Name)
		}
		seen[v.Name] = true
	}
	if s.By == nil && !slices.ContainsFunc(s.Variants, func(v Variant) bool { return v.Name == s.Base }) {
		return fmt.Errorf("base %q is not a variant", s.Base)
	}
	return s.Decide.validate()
}

// Uncrossed reports whether the study has factors that package design has not
// made variants of yet.
func (s *Study) Uncrossed() bool {
	return len(s.Factors) > 0 && !slices.ContainsFunc(s.Variants, func(v Variant) bool { return v.Levels != nil })
}

func (s *Study) validateWorkloads() error {
	seen := map[Benchmark]bool{}
	for _, w := range s.Workloads {
		if w.Kind != KindCommand && w.Kind != KindService {
			continue
		}
		if s.By != nil {
			return fmt.Errorf("[by] picks sub-benchmarks of Go tests, and a %s has none", w.Kind)
		}
		if len(w.Names) == 0 {
			return fmt.Errorf("a %s has no names", w.Kind)
		}
		for _, name := range w.Names {
			b := Benchmark{Package: w.Package, Name: name}
			if seen[b] {
				return fmt.Errorf("%s %q is named twice", w.Kind, b)
			}
			seen[b] = true
		}
		if w.Kind == KindService {
			if err := w.Service.validate(); err != nil {
				return fmt.Errorf("service %q: %w", w.Names[0], err)
			}
			continue
		}
		if len(w.Run) == 0 && slices.ContainsFunc(s.Variants, func(v Variant) bool { return len(v.Run) == 0 }) {
			return fmt.Errorf("command %q has no run", w.Names[0])
		}
	}
	return nil
}

func (d Decide) validate() error {
	switch {
	case d.Confidence <= 0.5 || d.Confidence >= 1:
		return fmt.Errorf("confidence %g is outside 50%% to 100%%", d.Confidence)
	case d.MinEffect <= 0 || d.MinEffect >= 1:
		return fmt.Errorf("min_effect %g is outside 0%% to 100%%", d.MinEffect)
	case d.MaxBlocks != 0 && d.MaxBlocks < d.MinBlocks:
		return fmt.Errorf("blocks %d-%d: the second is below the first", d.MinBlocks, d.MaxBlocks)
	case d.Gate < 0:
		return fmt.Errorf("gate %g is negative", d.Gate)
	case len(d.Tradeoff) != 0 && len(d.Tradeoff) != 2:
		return fmt.Errorf("tradeoff names %d metrics, not two", len(d.Tradeoff))
	}
	return nil
}

package assay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Study is a question, fixed before anything runs: what is compared (Variants), on what
// (Workloads), how it is measured and how it is decided. Package spec makes one from a
// study.toml or from a compare line. The zero value is not valid.
type Study struct {
	Name     string `json:"name"`
	Question string `json:"question,omitempty"`
	// Asks is the kind of question; "" leaves it to be inferred.
	Asks Ask `json:"asks,omitempty"`

	// Dir is the folder that relative paths in the study start from. It is neither part
	// of the study's identity nor stored: a record may move.
	Dir string `json:"-"`

	// Hosts are the computers to measure on; none is the one that assay runs on. They
	// are neither part of the study's identity nor stored with its plan.
	Hosts []Host `json:"-"`
	// Files are what trials of commands and services on another computer read below Dir:
	// files, folders and patterns of package path, with slashes; none is what git knows.
	// Like Hosts they are not part of the study's identity.
	Files []string `json:"files,omitempty"`

	// Base names the variant that the others are compared with.
	Base string `json:"base"`

	Source   Source    `json:"source"`
	Variants []Variant `json:"variants"`
	// Factors are the dimensions of a matrix, which package design crosses into Variants.
	Factors   []Factor   `json:"factors,omitempty"`
	By        *By        `json:"by,omitempty"`
	Workloads []Workload `json:"workloads"`
	Measure   Measure    `json:"measure"`
	Decide    Decide     `json:"decide"`

	// Inherited lists the Go settings of the caller's environment, as NAME=value, such as
	// "GOFLAGS=-tags=purego". They apply to every variant that does not set them itself,
	// and stand in variants, workloads and Measure as if the study had set them.
	Inherited []string `json:"inherited,omitempty"`

	// Steps is set if the variants are the base and the milestones of an optimisation.
	Steps *Steps `json:"steps,omitempty"`
	// Gates are requirements on every step.
	Gates Gates `json:"gates,omitzero"`
	// Report has the author's texts around the results.
	Report Report `json:"report,omitzero"`
	// Explain says what explanations report besides their own findings.
	Explain Explain `json:"explain,omitzero"`
}

// Explain says what explanations report besides their own findings.
type Explain struct {
	Functions []string `json:"functions,omitempty"`
	// Calls are patterns of callees to report (* is any text); nil means all.
	Calls []string `json:"calls,omitempty"`
}

// A Source says where the code of variants without a source of their own comes from.
type Source struct {
	// Dir is the module's folder, relative to Study.Dir. Empty means Study.Dir.
	Dir string `json:"dir,omitempty"`
	// Go is the toolchain of variants without one; empty means the one in use.
	Go string `json:"go,omitempty"`
	// Overlay is a folder, relative to Study.Dir, laid over the source of every variant.
	Overlay string `json:"overlay,omitempty"`
	// Hide lists patterns (path.Match) of source files that Overlay removes.
	Hide []string `json:"hide,omitempty"`
	// BenchmarksFrom is a tree whose benchmarks are laid over the source of every
	// variant, with the test files and the testdata that they need. "." is the working
	// tree, otherwise it is a git revision or "path@version". Empty is none.
	BenchmarksFrom string `json:"benchmarks_from,omitempty"`
	// Suite is where the benchmarks come from. It is the folder, relative to Study.Dir,
	// of a separate module that requires the module under test: the one of Dir or of
	// Variant.Module. Every variant builds the suite against its own version. Or it is a
	// tree of the module under test (SuiteTree), "path@version" or "rev:REVISION". Its
	// Folders are laid over the source of every variant.
	Suite string `json:"suite,omitempty"`
	// Folders are those of the Suite's tree; nil means those that hold benchmarks.
	Folders []string `json:"folders,omitempty"`
	// Package is the main package for {bin} of a command, an import path or ./relative.
	Package string `json:"package,omitempty"`
}

// SuiteTree returns the source that Suite names; ok is false for a folder.
func (s Source) SuiteTree() (v Variant, ok bool) {
	if rev, ok := strings.CutPrefix(s.Suite, suiteRev); ok {
		return Variant{Name: s.Suite, Rev: rev}, true
	}
	if strings.Contains(s.Suite, "@") && !strings.HasPrefix(s.Suite, ".") && !strings.HasPrefix(s.Suite, "/") {
		return Variant{Name: s.Suite, Module: s.Suite}, true
	}
	return Variant{}, false
}

// suiteRev begins a Suite that is a revision, to distinguish it from a folder.
const suiteRev = "rev:"

// By says that the variants are sub-benchmarks of one binary, as in
// BenchmarkPath/func_append and BenchmarkPath/func_literal.
type By struct {
	// Key is "/name" for name=value, or a regular expression with one group.
	Key string `json:"key"`
	// Names renames the values found, in order of appearance. Empty keeps their names.
	Names []string `json:"names,omitempty"`
}

// Measure says how trials are run.
type Measure struct {
	// Trial is the measured time that one trial aims for. Default 100ms.
	Trial time.Duration `json:"trial_ns"`
	// Layouts is 0 for a link of each variant in each block, and 1 for a single one in the
	// linker's own order.
	Layouts int `json:"layouts"`
	// Inner is the number of rounds inside a block that studies of older versions ask for.
	Inner int `json:"inner,omitempty"`
	// NoControl leaves out the A/A control: it is set of the probes of a bisection, which ask
	// for no noise, and studies of older versions could ask for it.
	NoControl bool `json:"no_control,omitempty"`
	// GOMAXPROCS is for variants without their own; 0 means the CPUs that are available.
	GOMAXPROCS int `json:"gomaxprocs,omitempty"`
	// GOARCH is the target of every variant's build unless it sets its own; empty means
	// this machine's. Like GOMAXPROCS it is part of the platform, not of the question.
	GOARCH string `json:"goarch,omitempty"`
	// Timeout ends a trial. Default 2m.
	Timeout time.Duration `json:"timeout_ns"`
	// Seed is the seed of every random draw of the study; 0 draws one.
	Seed uint64 `json:"seed,omitempty"`
	// Collect names what is collected besides the metrics, as Collect constants. The
	// collector of Go benchmarks and commands is traced in separate trials.
	Collect []string `json:"collect,omitempty"`
	// Force measures variants even when they are the same code.
	Force bool `json:"force,omitempty"`
	// Pair is the gear that studies of older versions ask for.
	Pair Gear `json:"pair,omitempty"`
	// Pass names credentials in the environment that builds and trials get.
	Pass []string `json:"pass,omitempty"`
	// RemoteLoad allows built-in load on other machines. Only the user can set it.
	RemoteLoad bool `json:"remote_load,omitempty"`
}

// What can be collected. Services always tell their memory, even without CollectRSS.
const (
	CollectGC  = "gc"
	CollectRSS = "rss"
	// For explanations, collected after the verdicts for benchmarks that changed.
	CollectCode = "code" // the binaries
	CollectCPU  = "cpu"  // CPU profiles
	CollectMem  = "mem"  // where memory is allocated
)

// Collects reports whether what, a Collect constant, is collected.
func (m Measure) Collects(what string) bool { return slices.Contains(m.Collect, what) }

// Decide is the decision rule, fixed before running.
type Decide struct {
	// Metrics must be decided before the study stops. Default: those that the workloads find
	// in output, or sec/op.
	Metrics []string `json:"metrics"`
	// MinEffect is the smallest relative change that matters; 0.01 is 1 %.
	MinEffect float64 `json:"min_effect"`
	// MinEffects overrides MinEffect by metric name.
	MinEffects map[string]float64 `json:"min_effects,omitempty"`
	// Confidence of each interval; 0.99 by default.
	Confidence float64 `json:"confidence"`
	// MinBlocks and MaxBlocks bound the number of blocks. MaxBlocks 0 is no bound.
	MinBlocks int `json:"min_blocks,omitempty"`
	MaxBlocks int `json:"max_blocks,omitempty"`
	// Budget is the time to calibrate and measure after which the study stops, decided or
	// not. Building does not count.
	Budget time.Duration `json:"budget_ns"`
	// Gate, if above 0, asks only whether a benchmark is worse by more than this change.
	Gate float64 `json:"gate,omitempty"`
	// Compare is ComparePrevious or CompareBase in studies with steps, else "".
	Compare string `json:"compare,omitempty"`
	// Race drops variants that are proved worse than the best by more than the minimum
	// effect. It asks which variant is best, not how much each differs from the base.
	Race bool `json:"race,omitempty"`
	// Tradeoff names two metrics; the result marks the variants not dominated in them.
	Tradeoff []string `json:"tradeoff,omitempty"`
}

// Values of Decide.Compare: with the previous step and the base, or with the base only.
const (
	ComparePrevious = "previous"
	CompareBase     = "base"
)

// Defaults of a study, from docs/methodology.md.
const (
	DefaultTrial      = 100 * time.Millisecond
	DefaultTimeout    = 2 * time.Minute
	DefaultBudget     = 10 * time.Minute
	DefaultMinEffect  = 0.01
	DefaultConfidence = 0.99
)

// SetDefaults fills in the fields that the study leaves empty.
func (s *Study) SetDefaults() {
	setDefault(&s.Measure.Trial, DefaultTrial)
	if len(s.Decide.Metrics) == 0 {
		s.Decide.Metrics = s.ownMetrics()
	}
	if s.Serves() {
		setDefault(&s.Measure.Timeout, DefaultServiceTimeout)
		setDefault(&s.Decide.Confidence, DefaultServiceConfidence)
		if len(s.Decide.Metrics) == 0 {
			s.Decide.Metrics = ServiceMetrics(s.FixesRate())
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
	if len(s.Decide.Tradeoff) == 0 {
		s.Decide.Tradeoff = s.Asks.Metrics()
	}
	if s.Base == "" && s.By == nil && len(s.Variants) > 0 {
		s.Base = s.Variants[0].Name
	}
}

// ServiceMetrics are the metrics that decide about services. fixed means that their loads
// have fixed rates.
func ServiceMetrics(fixed bool) []string {
	if fixed {
		return []string{"latency.p50", "latency.p99"}
	}
	return []string{"latency.p50", "latency.p99", MetricRequests}
}

// ownMetrics returns the metrics that all workloads name by patterns, if all name some: they
// are what the study is about.
func (s *Study) ownMetrics() (names []string) {
	for _, w := range s.Workloads {
		found := w.patterns()
		if len(found) == 0 {
			return nil
		}
		for _, p := range found {
			if !slices.Contains(names, p.Metric) {
				names = append(names, p.Metric)
			}
		}
	}
	return names
}

// Serves reports whether the study has services.
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

// Alpha is the error rate of each interval, 1 - Confidence. It is rounded, since in
// floats 1 - 0.99 is a little more than 0.01.
func (d Decide) Alpha() float64 { return math.Round((1-d.Confidence)*1e9) / 1e9 }

// Margin is the minimum effect of a metric, as a relative change.
func (d Decide) Margin(metric string) float64 {
	if m, ok := d.MinEffects[metric]; ok {
		return m
	}
	return d.MinEffect
}

// Validate reports the first error that keeps the study from running, without toolchain
// or files. Packages spec and knobs check the rest, with positions.
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
	if problem := s.Asks.Problem(s); problem != "" {
		return fmt.Errorf("asks = %q %s", s.Asks, problem)
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

// Uncrossed reports whether package design has yet to cross the study's factors.
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

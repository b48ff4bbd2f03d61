package assay

import (
	"slices"
	"time"
)

// PlanSchema is the version of plan.json written by this code.
const PlanSchema = PlanSchemaLooks

// Versions of plan.json. Records have digests and a chain from the first on, and a look at
// each planned end of the run from the second on.
const (
	PlanSchemaSealed = 2
	PlanSchemaLooks  = 3
)

// A Plan is what will run: the study, with everything that had to be found out
// beforehand, and the seed of all random draws. The data decide which cells still run at
// block n. The order inside a block follows from the seed alone.
type Plan struct {
	Schema int    `json:"schema"`
	Run    string `json:"run"`
	// Number counts the runs of a store from 1. Runs of older versions have none.
	Number int   `json:"number,omitempty"`
	Study  Study `json:"study"`
	// StudyHash identifies the study: hex SHA-256 of its canonical JSON.
	StudyHash string `json:"study_hash"`
	// Command is a command line that repeats the run.
	Command string    `json:"command"`
	Created time.Time `json:"created"`
	Seed    uint64    `json:"seed"`
	// UID is the run's own 128 random bits, in hex. Runs of older versions have none.
	UID string `json:"uid,omitempty"`
	// Machine is the label of the host that was measured; "" if the study names none.
	Machine string `json:"machine,omitempty"`
	// Group joins the runs of one command on several hosts; "" for a run of its own.
	Group string `json:"group,omitempty"`
	// Machines is the number of hosts in the group: what a run claims on the whole suite
	// holds among the variants on all of them. 0 means one.
	Machines int `json:"machines,omitempty"`
	// Files has the hex SHA-256 of the files written with the plan, by name.
	Files map[string]string `json:"files,omitempty"`

	// Variants run in every block: the study's without those in Same, and the control.
	Variants []Variant `json:"variants"`
	// Same lists variants that are not measured: they are the same code as another.
	Same []SameCode `json:"same,omitempty"`
	// Artifacts describe the builds, by variant.
	Artifacts []ArtifactInfo `json:"artifacts"`

	// Together is the maximum number of variants in a block, counting the base and not
	// the control. With more variants, each block has the base and a random choice of the
	// others. 0 means no limit.
	Together int `json:"together,omitempty"`

	// ControlEvery is how many blocks have the control once, in one that is drawn; up to 1
	// every block has it, as in older versions.
	ControlEvery int `json:"control_every,omitempty"`

	// Gaps are the steps that failed to build.
	Gaps []Gap `json:"gaps,omitempty"`
	// Gates are the results of the gates before the first block.
	Gates []GateResult `json:"gates,omitempty"`
	// Earlier is the run that this one extends with more steps; its blocks come first.
	Earlier string `json:"earlier,omitempty"`
	// Looks is the number of looks that the earlier run had; see Trial.Looks.
	Looks int `json:"looks,omitempty"`

	Benchmarks []PlannedBenchmark `json:"benchmarks"`
	// Wanted is the number of benchmarks that were asked for, where some are not in
	// Benchmarks: there was no time for them, or they failed. 0 means that all are.
	Wanted  int      `json:"wanted,omitempty"`
	Metrics []Metric `json:"metrics"`
	// Link is the time to link all variants of a block, the mean over blocks; 0 without
	// fresh layouts.
	Link time.Duration `json:"link_ns,omitempty"`
	// Relink is how many blocks go by from one fresh link of each variant to the next; the
	// blocks between use earlier links again. Up to 1, every block has fresh links.
	Relink int `json:"relink,omitempty"`
	// Align is the alignment of functions in fresh layouts, in bytes; 0 is the linker's.
	Align int `json:"align,omitempty"`
	// Left is the budget left after finding and calibrating; 0 is all of it.
	Left     time.Duration `json:"left_ns,omitempty"`
	Warnings []Warning     `json:"warnings,omitempty"`
}

// A PlannedBenchmark is a benchmark with the iteration count from calibration.
type PlannedBenchmark struct {
	Benchmark
	// Workload is the index in Study.Workloads.
	Workload int `json:"workload,omitempty"`
	// N is the number of iterations of every trial, the same for all variants; with
	// BenchTime it is a typical one.
	N int `json:"n"`
	// BenchTime, if not 0, is -benchtime of go test: package testing finds the number of
	// iterations of each trial for that time. It is set where a fixed number would make
	// another program of the benchmark (b.RunParallel).
	BenchTime time.Duration `json:"benchtime_ns,omitempty"`
	// Trial is the expected wall time of one trial, process start included.
	Trial time.Duration `json:"trial_ns"`
	// Names maps, with By, a variant to the benchmark's name in the binary; nil if equal.
	Names map[string]string `json:"names,omitempty"`
	// Missing lists variants without the benchmark, in studies with steps.
	Missing []string `json:"missing,omitempty"`
	// Output is the hex SHA-256 of a command's correct output; "" is not checked.
	Output string `json:"output,omitempty"`
	// Gear is one that keeps all variants alive; "" is GearProcesses.
	Gear Gear `json:"gear,omitempty"`
	// Slices is the number of slices of N iterations that each variant has in a block,
	// without the warm-up, in the gear "slices". For a Go benchmark in turns, which older
	// versions had, it is the number of runs of N iterations.
	Slices int `json:"slices,omitempty"`
	// Long means that the slices held the collections of a benchmark that allocates, as in
	// older versions: a trial's value is then their mean, and otherwise a quantile or a median.
	Long bool `json:"long,omitempty"`
	// Turn is the length of a turn in the gear "turns", which older versions had.
	Turn time.Duration `json:"turn_ns,omitempty"`
	// Warm is the number of warm-up runs of N iterations of a Go benchmark.
	Warm int `json:"warm,omitempty"`
	// OneCPU means that the variants of a block share one CPU, drawn anew for each block:
	// none of them keeps more than one busy. Otherwise they share all CPUs.
	OneCPU bool `json:"one_cpu,omitempty"`
	// Placement is the effect of placement alone on the benchmark: the standard
	// deviation, in ln units, over links of the base with the linker's own alignment. 0
	// is none or unknown.
	Placement float64 `json:"placement,omitempty"`
}

// Allows reports whether a trial may have n iterations.
func (b PlannedBenchmark) Allows(n int) bool { return n == b.N || b.BenchTime > 0 && n > 0 }

// NameFor returns a benchmark's name in a variant's binary, the base's for the control.
func (b PlannedBenchmark) NameFor(v Variant, base string) string {
	if b.Names == nil {
		return b.Name
	}
	if n, ok := b.Names[v.Name]; ok {
		return n
	}
	return b.Names[base]
}

// A Turn is one benchmark's part in a block: every variant Inner times.
type Turn struct {
	Benchmark Benchmark
	Inner     int
}

// A NextBlock says what the coming block runs, or why there is none.
type NextBlock struct {
	Turns []Turn
	// Variants are those still undecided; the base and the control run beside them. Nil
	// means all. If there are more than Plan.Together, design draws some.
	Variants []string
	// Stop is the reason to stop; "" to continue.
	Stop StopReason
}

// SameCode says that Variant is the same code as As and runs with the same settings.
type SameCode struct {
	Variant   string `json:"variant"`
	As        string `json:"as"`
	Functions int    `json:"functions"`
	// Control is true if the variant runs in place of the control.
	Control bool `json:"control,omitempty"`
}

// ArtifactInfo describes one variant's build to the reader.
type ArtifactInfo struct {
	Variant string `json:"variant"`
	// ID is the content key of the build. It depends on folders.
	ID string `json:"id"`
	// Code is the hash of the fingerprints of the binaries (see package binary): the
	// same wherever they are built. "" is unknown.
	Code string `json:"code,omitempty"`
	// Reads is the hash of the files that Go benchmarks may read when they run. "" is
	// unknown.
	Reads string `json:"reads,omitempty"`
	// SHA256 are the hex digests of the binaries, one per package.
	SHA256 []string `json:"sha256,omitempty"`
	// GoVersion is as printed by the toolchain, such as "go1.26.8 X:nogreenteagc".
	GoVersion string `json:"go_version"`
	// Commit is the full hash if the variant is a revision.
	Commit string `json:"commit,omitempty"`
	// Suite is the tree of the benchmarks with its hash, if Source.SuiteTree names one:
	// "path@version h1:HASH", or "rev:REVISION COMMIT tree:OBJECT".
	Suite string `json:"suite,omitempty"`
	// DefaultGODEBUG is what the go line of go.mod sets.
	DefaultGODEBUG string `json:"default_godebug,omitempty"`
	// Profile is the profile that guided the build; nil for none.
	Profile *ProfileInfo `json:"profile,omitempty"`
}

// SameBuild reports whether two builds of a variant may be measured in one run of this
// plan: they are the same code of the same source, or have the same inputs and the same
// bytes. Without fresh layouts the bytes must be the same, since trials name the file that
// ran. Where it is known what their benchmarks read, that is the same too.
func (p *Plan) SameBuild(a, b ArtifactInfo) bool {
	switch {
	case a.Variant != b.Variant || a.Reads != "" && b.Reads != "" && a.Reads != b.Reads:
		return false
	case a.Code != "" && b.Code != "" && p.Study.Measure.Layouts != 1:
		return a.Code == b.Code && a.GoVersion == b.GoVersion && a.Commit == b.Commit && a.Suite == b.Suite && a.DefaultGODEBUG == b.DefaultGODEBUG
	}
	return a.ID == b.ID && slices.Equal(a.SHA256, b.SHA256)
}

// A ProfileInfo describes the CPU profile that guided a build.
type ProfileInfo struct {
	// Path is the profile's path in the variant, or "auto".
	Path    string `json:"path"`
	Samples int64  `json:"samples"`
	// Match is the share of samples, from 0 to 1, whose function is in the binary.
	Match float64 `json:"match"`
}

// EnoughSamples is the number of samples that a CPU profile should have. A function with 1 %
// of the time then is in it with a probability of 95 %, since 0.99^300 is 5 % (the rule of
// three: Hanley and Lippman-Hand, JAMA 249, 1983), and the share of one with 10 % is known to
// 3.4 points (binomial).
const EnoughSamples = 300

// Base returns the planned base variant.
func (p *Plan) Base() Variant { v, _ := p.Variant(p.Study.Base); return v }

// Variant finds a planned variant by name.
func (p *Plan) Variant(name string) (Variant, bool) {
	return first(p.Variants, func(v Variant) bool { return v.Name == name })
}

// Planned finds the plan of a benchmark.
func (p *Plan) Planned(b Benchmark) (PlannedBenchmark, bool) {
	return first(p.Benchmarks, func(planned PlannedBenchmark) bool { return planned.Benchmark == b })
}

// ControlVariant returns the name of the variant whose difference from the base is noise:
// the control, or a variant with the same code. It is "" if there is none.
func (p *Plan) ControlVariant() string {
	v, _ := first(p.Variants, func(v Variant) bool { return v.Control })
	return v.Name
}

// Metric finds a metric. One outside the plan gets its known direction and the margin.
func (p *Plan) Metric(name string) Metric {
	if m, ok := first(p.Metrics, func(m Metric) bool { return m.Name == name }); ok {
		return m
	}
	return Metric{Name: name, Better: KnownBetter(name), MinEffect: p.Study.Decide.Margin(name)}
}

func first[T any](list []T, is func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i], true
	}
	return found, false
}

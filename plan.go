package assay

import (
	"slices"
	"time"
)

// PlanSchema is the version of plan.json that this code writes.
const PlanSchema = 2

// A Plan is what will run: the study with everything found out that had to be
// found out first, and the seed that all draws come from. Which cells still
// run at block n is decided from the data; the order inside a block follows
// from the seed alone.
type Plan struct {
	Schema int    `json:"schema"`
	Run    string `json:"run"`
	// Number counts the runs of a store from 1, in the order in which they were made,
	// whatever the clock said. Runs of older versions have none.
	Number int   `json:"number,omitempty"`
	Study  Study `json:"study"`
	// StudyHash identifies the study: hex SHA-256 of its canonical JSON.
	StudyHash string `json:"study_hash"`
	// Command repeats the run when typed.
	Command string    `json:"command"`
	Created time.Time `json:"created"`
	Seed    uint64    `json:"seed"`
	// Files has the hex SHA-256 of the files that are written with the plan, by name.
	Files map[string]string `json:"files,omitempty"`
	// Sealed is set of a record that was measured before records had digests and a
	// chain: when they were added. What happened to it before then nothing shows.
	Sealed time.Time `json:"sealed,omitzero"`

	// Variants run in every block: the study's, less those in Same, and the
	// control.
	Variants []Variant `json:"variants"`
	// Same lists variants that are not measured because they are the same code
	// as another with the same run settings.
	Same []SameCode `json:"same,omitempty"`
	// Artifacts tell what was built, by variant.
	Artifacts []ArtifactInfo `json:"artifacts"`

	// Together is the number of variants that a block holds at most, the base
	// counted and the control not: with more, each block has the base and a random
	// choice of the others. 0 means all.
	Together int `json:"together,omitempty"`

	// Gaps are the steps that could not be built.
	Gaps []Gap `json:"gaps,omitempty"`
	// Gates are what the gates said before the first block.
	Gates []GateResult `json:"gates,omitempty"`
	// Earlier is the run that this one goes on from, with more steps: its blocks
	// stand at the beginning of this record. "" is none.
	Earlier string `json:"earlier,omitempty"`

	Benchmarks []PlannedBenchmark `json:"benchmarks"`
	Metrics    []Metric           `json:"metrics"`
	// Link is the time that one block of all variants spends linking, 0 without
	// fresh layouts.
	Link time.Duration `json:"link_ns,omitempty"`
	// Align is the alignment of functions in fresh layouts, in bytes; 0 is the linkers'
	// own.
	Align int `json:"align,omitempty"`
	// Left is what was left of the budget when the plan was made: building, finding
	// and calibrating the benchmarks had taken the rest. 0 is all of it.
	Left     time.Duration `json:"left_ns,omitempty"`
	Warnings []Warning     `json:"warnings,omitempty"`
}

// A PlannedBenchmark is a benchmark with the iteration count that calibration
// gave it.
type PlannedBenchmark struct {
	Benchmark
	// Workload is the index in Study.Workloads.
	Workload int `json:"workload,omitempty"`
	// N is the number of iterations of every trial, the same for all variants.
	N int `json:"n"`
	// Trial is the expected wall time of one trial, process start included.
	Trial time.Duration `json:"trial_ns"`
	// Names maps, with By, a variant to the name that the benchmark has in the
	// binary. Nil means Benchmark.Name for all.
	Names map[string]string `json:"names,omitempty"`
	// Missing lists the variants that lack the benchmark: it does not run in them.
	// Only studies with steps have benchmarks that some variants lack.
	Missing []string `json:"missing,omitempty"`
	// Output is the hex SHA-256 that a command's standard output must have; ""
	// where it is not looked at.
	Output string `json:"output,omitempty"`
	// Gear is GearSlices or GearTurns; "" is GearProcesses.
	Gear Gear `json:"gear,omitempty"`
	// Slices is the number of slices of N iterations that each variant has in a block,
	// those of the warm-up not counted, in the gear "slices"; of a Go benchmark in turns
	// the number of runs of N iterations.
	Slices int `json:"slices,omitempty"`
	// Turn is the length of a turn of a command, or of the built-in load of a service, in
	// the gear "turns". 0 is that of Go benchmarks, or of load generators that start anew,
	// which have turns of one length.
	Turn time.Duration `json:"turn_ns,omitempty"`
	// Warm is the number of runs of N iterations that a Go benchmark has in turns, or as
	// a process, before those that count.
	Warm int `json:"warm,omitempty"`
	// OneCPU says that the variants of a block share one CPU, drawn anew for each block,
	// since none of them keeps more than one busy; else they share all.
	OneCPU bool `json:"one_cpu,omitempty"`
	// Placement is the standard deviation, in ln units, over links of the base with the
	// linker's own alignment: what placement alone does to the benchmark. 0 is not known,
	// or none.
	Placement float64 `json:"placement,omitempty"`
}

// Rounds is the number of trials that each variant has in a block, of inner that were
// asked for: in a gear that keeps all variants alive a block is one.
func (b PlannedBenchmark) Rounds(inner int) int {
	if b.Gear != "" {
		return 1
	}
	return inner
}

// NameFor is the name that the benchmark has in the variant's binary. The
// control goes by the base's.
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
	// Variants are those still in question; the base and the control run beside
	// them. Nil means all. Where they are more than Plan.Together, design draws.
	Variants []string
	// Pilot marks a block that sizes the others and carries no verdict.
	Pilot bool
	// Stop is the reason to stop; "" to go on.
	Stop StopReason
}

// SameCode says that Variant builds to the same code as As and runs with the
// same settings.
type SameCode struct {
	Variant string `json:"variant"`
	As      string `json:"as"`
	// Functions is the number of functions compared.
	Functions int `json:"functions"`
	// Control is true where the variant runs in the control's place.
	Control bool `json:"control,omitempty"`
}

// ArtifactInfo describes one variant's build for people.
type ArtifactInfo struct {
	Variant string `json:"variant"`
	// ID is the content key of what was built; a run resumes only on the same.
	ID string `json:"id"`
	// SHA256 are the digests of the binaries' files, in hex: one a package.
	SHA256 []string `json:"sha256,omitempty"`
	// GoVersion as the toolchain prints it, such as "go1.26.8 X:nogreenteagc".
	GoVersion string `json:"go_version"`
	// Commit is the full hash where the variant is a revision.
	Commit string `json:"commit,omitempty"`
	// Suite is the tree that the benchmarks come from with its hash, where
	// Source.SuiteTree names one: "path@version h1:HASH", or "rev:REVISION COMMIT
	// tree:OBJECT".
	Suite string `json:"suite,omitempty"`
	// DefaultGODEBUG is what the go line of go.mod sets.
	DefaultGODEBUG string `json:"default_godebug,omitempty"`
	// Profile is what the build was guided by; nil is nothing.
	Profile *ProfileInfo `json:"profile,omitempty"`
}

// Same reports whether two builds of a variant are one: made of the same, and the same
// to the last byte.
func (a ArtifactInfo) Same(b ArtifactInfo) bool {
	return a.Variant == b.Variant && a.ID == b.ID && slices.Equal(a.SHA256, b.SHA256)
}

// A ProfileInfo describes the CPU profile that guided a build.
type ProfileInfo struct {
	// Path of the profile as the variant names it, or "auto".
	Path string `json:"path"`
	// Samples is the number of samples in it.
	Samples int64 `json:"samples"`
	// Match is the share of samples, from 0 to 1, whose function is in the binary.
	Match float64 `json:"match"`
}

// Base is the planned base variant.
func (p *Plan) Base() Variant { v, _ := p.Variant(p.Study.Base); return v }

// Variant finds a planned variant by name.
func (p *Plan) Variant(name string) (Variant, bool) {
	for _, v := range p.Variants {
		if v.Name == name {
			return v, true
		}
	}
	return Variant{}, false
}

// Planned finds what is planned of a benchmark.
func (p *Plan) Planned(b Benchmark) (PlannedBenchmark, bool) {
	for _, planned := range p.Benchmarks {
		if planned.Benchmark == b {
			return planned, true
		}
	}
	return PlannedBenchmark{}, false
}

// ControlVariant is the name of the variant whose difference from the base is
// noise: the control, or a variant of the same code; "" where there is none.
func (p *Plan) ControlVariant() string {
	for _, v := range p.Variants {
		if v.Control {
			return v.Name
		}
	}
	return ""
}

// Metric finds a metric by name; one that the plan does not list gets its
// known direction and the study's margin.
func (p *Plan) Metric(name string) Metric {
	for _, m := range p.Metrics {
		if m.Name == name {
			return m
		}
	}
	return Metric{Name: name, Better: KnownBetter(name), MinEffect: p.Study.Decide.Margin(name)}
}

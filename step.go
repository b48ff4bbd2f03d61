package assay

import (
	"slices"
	"time"
)

// Steps are the milestones of an optimisation: a chain of variants, each compared with
// the one before it and the base. Package milestone makes the List of a Range.
type Steps struct {
	// Range is "FROM..TO": the commits after FROM up to TO by first parents, or with
	// Module its released versions. FROM is the base.
	Range string `json:"range,omitempty"`
	// Module is the path of the module whose versions Range names.
	Module string `json:"module,omitempty"`
	// Every keeps each Every-th step of the range, and the last; 0 and 1 keep all.
	Every int `json:"every,omitempty"`
	// Touching keeps the commits that changed something under this path.
	Touching string `json:"touching,omitempty"`
	// Dir is the folder of Markdown files that the list was read from.
	Dir string `json:"dir,omitempty"`

	Phases []Phase `json:"phases,omitempty"`
	// List has the steps in order, without the base.
	List []Step `json:"list,omitempty"`
}

// A Phase is a named stretch of steps.
type Phase struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// A Step is a variant in a chain, with its author's remarks.
type Step struct {
	// Variant is the name of the step's variant, shown as the step's name.
	Variant string `json:"variant"`
	// Phase is the ID of the step's phase, "" for none.
	Phase string `json:"phase,omitempty"`
	// Story is Markdown.
	Story string `json:"story,omitempty"`
	// Watch lists the benchmarks that the step is about.
	Watch []string `json:"watch,omitempty"`
	// View is what the page shows at this step, as in its address after "#".
	View string `json:"view,omitempty"`
	// Aside is a remark, such as "intended spike".
	Aside string `json:"aside,omitempty"`
}

// Unlisted reports whether the commits or versions of a range have yet to be found.
func (s *Study) Unlisted() bool {
	return s.Steps != nil && s.Steps.Range != "" && len(s.Steps.List) == 0
}

// A Commit is one revision of a range.
type Commit struct {
	Hash string `json:"hash"`
	// Subject is the first line of its message: untrusted text.
	Subject string `json:"subject,omitempty"`
	// Parents is the number of its parents; a merge has two or more.
	Parents int `json:"parents,omitempty"`
}

// Gates are requirements on every step. The zero value has none.
type Gates struct {
	// API is "same" or "compatible": the exported API, by golang.org/x/exp/apidiff.
	API string `json:"api,omitempty"`
	// Tests is "pass": the step's tests pass, and those of Against's variant do on it.
	Tests string `json:"tests,omitempty"`
	// Unsafe is "none": no unsafe, go:linkname or assembly in the module's packages.
	Unsafe string `json:"unsafe,omitempty"`
	// Vet and Race are "pass": go vet, and the step's tests with -race.
	Vet  string `json:"vet,omitempty"`
	Race string `json:"race,omitempty"`
	// Allocs is "no more": no benchmark allocates more often than in Against's variant.
	Allocs string `json:"allocs,omitempty"`
	// Against is "base" or "previous": what API, Tests and Allocs compare with.
	Against string `json:"against,omitempty"`
}

// The values of gates.
const (
	GateSame       = "same"
	GateCompatible = "compatible"
	GatePass       = "pass"
	GateNone       = "none"
	GateNoMore     = "no more"

	AgainstBase     = "base"
	AgainstPrevious = "previous"
)

// The gates by name.
const (
	GateAPI      = "api"
	GateTests    = "tests"     // the step's own
	GateOldTests = "old tests" // those of the variant that it is compared with, laid over it
	GateUnsafe   = "unsafe"
	GateVet      = "vet"
	GateRace     = "race"
	GateAllocs   = "allocs"
)

// A GateStatus is the outcome of a gate.
type GateStatus string

// The statuses of a gate.
const (
	GateHeld   GateStatus = "held"
	GateFailed GateStatus = "failed"
	// GateUnknown means that the gate could not be checked; Text says why.
	GateUnknown GateStatus = "unknown"
)

// A GateResult is the result of one gate for one step.
type GateResult struct {
	Variant string     `json:"variant"`
	Gate    string     `json:"gate"`
	Status  GateStatus `json:"status"`
	// Against names the variant that the step was compared with; "" if with none.
	Against string `json:"against,omitempty"`
	// Text is the result in one line. Evidence names failing tests or changes of the API.
	Text     string   `json:"text,omitempty"`
	Evidence []string `json:"evidence,omitempty"`
	// Log is the file with the whole output, in the run folder; "" for none.
	Log  string        `json:"log,omitempty"`
	Took time.Duration `json:"took_ns,omitempty"`
}

// A Gap is a step that could not be measured.
type Gap struct {
	Variant string `json:"variant"`
	// Reason is one line. Facts are the first lines of the compiler's output.
	Reason string   `json:"reason"`
	Facts  []string `json:"facts,omitempty"`
}

// A Report holds the author's texts around the results. They do not change the trials.
type Report struct {
	Title string `json:"title,omitempty"`
	// Intro is Markdown, Caveats are one remark each.
	Intro   string   `json:"intro,omitempty"`
	Caveats []string `json:"caveats,omitempty"`
}

// An Arc is the result of a chain of steps.
type Arc struct {
	Phases []Phase      `json:"phases,omitempty"`
	Steps  []StepResult `json:"steps"`
	// Gates are those of the study.
	Gates Gates `json:"gates,omitzero"`
	// Compound compares the steps with the end-to-end change, by deciding metric.
	Compound []Compound `json:"compound,omitempty"`
}

// A StepResult is a step with its results outside the tables.
type StepResult struct {
	Step
	// Number counts from 1.
	Number int `json:"number"`
	// Previous names the variant before it, the last one before a gap, or the base.
	Previous string `json:"previous"`
	Commit   string `json:"commit,omitempty"`
	Gap      *Gap   `json:"gap,omitempty"`
	// SameAs is set if the step is the same code as another variant.
	SameAs *SameCode    `json:"same_as,omitempty"`
	Gates  []GateResult `json:"gates,omitempty"`
	// Missing lists the benchmarks of the base that the step lacks.
	Missing []Benchmark `json:"missing,omitempty"`
	// Movers are the largest proved changes of the first metric, watched ones first.
	Movers []Comparison `json:"movers,omitempty"`
	// Text sums up the step in one line. It stands in for a missing story.
	Text string `json:"text"`
}

// Failed reports whether a gate failed.
func (s StepResult) Failed() bool {
	return slices.ContainsFunc(s.Gates, func(g GateResult) bool { return g.Status == GateFailed })
}

// A StepChange compares a step with the previous one on one metric.
type StepChange struct {
	Variant  string `json:"variant"`
	Previous string `json:"previous"`
	// Whole is on the common benchmarks' geomean, or the only benchmark; nil for a gap.
	Whole *Comparison `json:"whole,omitempty"`
	// Cells has a comparison for each benchmark that both have, without Difference.
	Cells []Comparison `json:"cells,omitempty"`
	// Text says what the change means: "no change proved: −0.9 % to +0.7 %".
	Text string `json:"text,omitempty"`
}

// A Compound compares the product of all steps with the end-to-end change. The two agree
// if nothing was lost on the way.
type Compound struct {
	Metric string `json:"metric"`
	// Product is the product of the steps' changes. Its interval follows from theirs.
	Product  Change   `json:"product"`
	Interval Interval `json:"interval"`
	// Direct is the last step against the base.
	Direct Comparison `json:"direct"`
	Agree  bool       `json:"agree"`
}

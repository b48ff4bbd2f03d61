package assay

import "time"

// Steps are the milestones of an optimisation: a chain of variants, each of
// which is compared with the one before it and with the base. Where Range is
// set and List is empty, the list is still to be found (package milestone).
type Steps struct {
	// Range is "FROM..TO": the commits after FROM up to TO by first parents, or
	// with Module its released versions. FROM is the base.
	Range string `json:"range,omitempty"`
	// Module is the path of the module that versions in Range are of.
	Module string `json:"module,omitempty"`
	// Every keeps each Every-th of the range, and the last; 0 and 1 keep all.
	Every int `json:"every,omitempty"`
	// Touching keeps the commits that changed something in this path.
	Touching string `json:"touching,omitempty"`
	// Dir is the folder of Markdown files that the list was read from.
	Dir string `json:"dir,omitempty"`

	Phases []Phase `json:"phases,omitempty"`
	// List has the steps in their order, the base not among them.
	List []Step `json:"list,omitempty"`
}

// A Phase is a stretch of steps with a name of its own.
type Phase struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// A Step is a variant in a chain of milestones, with what its author says of
// it. None of that changes what is measured.
type Step struct {
	// Variant is the name of the variant that the step is; people see it as the
	// step's name.
	Variant string `json:"variant"`
	// Phase is the ID of the step's phase, "" for none.
	Phase string `json:"phase,omitempty"`
	// Story is Markdown.
	Story string `json:"story,omitempty"`
	// Watch lists benchmarks that the step is about.
	Watch []string `json:"watch,omitempty"`
	// View is what the page shows at this step, as in its address after "#".
	View string `json:"view,omitempty"`
	// Aside is a remark, such as "intended spike".
	Aside string `json:"aside,omitempty"`
}

// Unlisted reports whether the steps of the study are a range whose commits or
// versions have not been found yet.
func (s *Study) Unlisted() bool {
	return s.Steps != nil && s.Steps.Range != "" && len(s.Steps.List) == 0
}

// A Commit is one of a range of revisions.
type Commit struct {
	Hash string `json:"hash"`
	// Subject is the first line of its message: text by a stranger.
	Subject string `json:"subject,omitempty"`
	// Parents is the number of its parents; a merge has two or more.
	Parents int `json:"parents,omitempty"`
}

// Gates are what every step has to keep. The zero value asks for nothing.
type Gates struct {
	// API is "same" or "compatible": the exported API, by golang.org/x/exp/apidiff.
	API string `json:"api,omitempty"`
	// Tests is "pass": the step's own tests, and those of what it is held against,
	// laid over it unchanged.
	Tests string `json:"tests,omitempty"`
	// Unsafe is "none": no import of unsafe, no go:linkname and no assembly in the
	// module's own packages.
	Unsafe string `json:"unsafe,omitempty"`
	// Vet and Race are "pass": go vet, and the step's tests with -race.
	Vet  string `json:"vet,omitempty"`
	Race string `json:"race,omitempty"`
	// Allocs is "no more": no benchmark allocates more often than in what the step
	// is held against.
	Allocs string `json:"allocs,omitempty"`
	// Against is "base" or "previous": what API, tests and allocs are held against.
	// Empty means "base".
	Against string `json:"against,omitempty"`
}

// What gates ask for.
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
	GateOldTests = "old tests" // those of what it is held against, laid over it
	GateUnsafe   = "unsafe"
	GateVet      = "vet"
	GateRace     = "race"
	GateAllocs   = "allocs"
)

// A GateStatus says what became of a gate.
type GateStatus string

// The statuses of a gate.
const (
	GateHeld   GateStatus = "held"
	GateFailed GateStatus = "failed"
	// GateUnknown is one that could not be checked; Text says why.
	GateUnknown GateStatus = "unknown"
)

// A GateResult is what one gate says of one step.
type GateResult struct {
	Variant string     `json:"variant"`
	Gate    string     `json:"gate"`
	Status  GateStatus `json:"status"`
	// Against names the variant that the step was held against; "" where it was
	// looked at alone.
	Against string `json:"against,omitempty"`
	// Text says it in one line, Evidence in a few: the names of tests that fail,
	// what of the API changed.
	Text     string   `json:"text,omitempty"`
	Evidence []string `json:"evidence,omitempty"`
	// Log is the file with the whole output, in the run folder; "" for none.
	Log string `json:"log,omitempty"`
	// Took is the time of the check.
	Took time.Duration `json:"took_ns,omitempty"`
}

// A Gap is a step that could not be measured at all.
type Gap struct {
	Variant string `json:"variant"`
	// Reason is one line, Facts the first lines of what the compiler said.
	Reason string   `json:"reason"`
	Facts  []string `json:"facts,omitempty"`
}

// A Report is what the author of a study says around its results. None of it
// changes what is measured.
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
	// Gates are those that were asked for.
	Gates Gates `json:"gates,omitzero"`
	// Compound sets the steps together against the end-to-end change, one a metric
	// that decides.
	Compound []Compound `json:"compound,omitempty"`
}

// A StepResult is a step with what is known of it beside the tables.
type StepResult struct {
	Step
	// Number counts from 1.
	Number int `json:"number"`
	// Previous names the variant that the step is compared with: the step before,
	// the last before a gap, or the base.
	Previous string `json:"previous"`
	Commit   string `json:"commit,omitempty"`
	// Gap is set where the step could not be measured.
	Gap *Gap `json:"gap,omitempty"`
	// SameAs is set where the step is the same code as another variant.
	SameAs *SameCode    `json:"same_as,omitempty"`
	Gates  []GateResult `json:"gates,omitempty"`
	// Missing lists the benchmarks that are in the base and not in the step.
	Missing []Benchmark `json:"missing,omitempty"`
	// Movers are the largest proved changes against the previous step, on the first
	// metric that decides; the watched benchmarks first.
	Movers []Comparison `json:"movers,omitempty"`
	// Text is what is said of the step in one line, in its story's place where it
	// has none.
	Text string `json:"text"`
}

// Failed reports whether a gate failed.
func (s StepResult) Failed() bool {
	for _, g := range s.Gates {
		if g.Status == GateFailed {
			return true
		}
	}
	return false
}

// A StepChange is a step against the previous one on one metric.
type StepChange struct {
	Variant  string `json:"variant"`
	Previous string `json:"previous"`
	// Whole is on the geomean of the benchmarks common to all steps, or on the only
	// benchmark; nil for a gap, and where there is no whole.
	Whole *Comparison `json:"whole,omitempty"`
	// Cells has a comparison for each benchmark that both have. Their Value is the
	// step's, and Difference is left out.
	Cells []Comparison `json:"cells,omitempty"`
	// Text says what the change means: "no change proved: −0.9 % to +0.7 %".
	Text string `json:"text,omitempty"`
}

// A Compound is the product of all steps against the end-to-end change: both
// say the same when nothing was lost on the way.
type Compound struct {
	Metric string `json:"metric"`
	// Product is that of the changes from step to step, with the interval that
	// their own intervals give it.
	Product  Change   `json:"product"`
	Interval Interval `json:"interval"`
	// Direct is the last step against the base.
	Direct Comparison `json:"direct"`
	Agree  bool       `json:"agree"`
}

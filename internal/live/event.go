package live

import (
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
)

// The kinds of events. docs/format.md describes those that --events prints.
const (
	KindPlan   = "plan"   // what will be measured
	KindBuild  = "build"  // a variant was built
	KindBlock  = "block"  // a block is complete
	KindDecide = "decide" // comparisons were decided, or are open again
	KindWarn   = "warn"
	KindSay    = "say" // a remark for people
	KindError  = "error"
	KindDone   = "done" // the result is stored

	// For the view alone.
	KindStage = "stage" // Text says where the work before or behind the blocks is
	KindTrial = "trial" // a trial ended
	KindPause = "pause" // the run waits between two blocks, or goes on
	KindStop  = "stop"  // the run ends after the block that is running
)

// An Event is something that happened to a run. Its kind says which fields are set.
type Event struct {
	Kind string    `json:"event"`
	Time time.Time `json:"time,omitzero"`
	// Text is for people.
	Text string `json:"text,omitempty"`
	// Run is the run that the event is of, from KindPlan on; Machine is the label of its
	// machine, for a command that measures on several.
	Run     string `json:"run,omitempty"`
	Machine string `json:"machine,omitempty"`

	// Set for KindPlan.
	*Plan
	// Set for KindBuild.
	*Build
	// Set for KindBlock.
	*Block
	// Cells are some comparisons, open ones first; for KindDecide those that changed.
	Cells []analysis.Interim `json:"cells,omitempty"`
	// Warning is set for KindWarn and KindError.
	Warning *assay.Warning `json:"warning,omitempty"`
	*Done

	// Trial is the number of the trial in block Running, which has Of trials.
	Running int `json:"-"`
	Trial   int `json:"-"`
	Of      int `json:"-"`
	// On is true if a pause begins.
	On bool `json:"-"`
}

// A Plan is what will be measured.
type Plan struct {
	Study      string   `json:"study,omitempty"`
	Command    string   `json:"command"`
	Platform   string   `json:"platform"`
	Base       string   `json:"base"`
	Variants   []string `json:"variants"` // the base among them, the control not
	Benchmarks int      `json:"benchmarks"`
	// Budget limits the measuring time, MinBlocks and MaxBlocks the number of blocks.
	// MaxBlocks is 0 if only the budget does.
	Budget    time.Duration `json:"budget_ns"`
	MinBlocks int           `json:"min_blocks"`
	MaxBlocks int           `json:"max_blocks,omitempty"`
}

// A Build is a variant that was built.
type Build struct {
	Variant  string        `json:"variant"`
	Took     time.Duration `json:"took_ns"`
	Cached   bool          `json:"cached,omitempty"`
	LogLines int           `json:"log_lines,omitempty"`
}

// A Block is the state of a run after a block.
type Block struct {
	Number int `json:"block"`
	// Spent is the measuring time so far.
	Spent time.Duration `json:"spent_ns"`
	// Decided is how many of the Comparisons need no more blocks.
	Decided     int `json:"decided"`
	Comparisons int `json:"comparisons"`
	// Noise is the A/A noise floor, nil if unknown.
	Noise *assay.Change `json:"noise,omitempty"`
	// Load is the share of the CPUs, from 0 to 1, that others used since the last block;
	// nil if unknown.
	Load *float64 `json:"load,omitempty"`
	// More is about how much longer the run will measure; nil if unknown.
	More *time.Duration `json:"more_ns,omitempty"`
}

// A Done is how a run ended.
type Done struct {
	Stop    string        `json:"stop"`
	Verdict assay.Verdict `json:"verdict"`
	Answer  []string      `json:"answer,omitempty"`
	// Report is the file with the whole result as text, "" if there is none.
	Report string `json:"report,omitempty"`
}

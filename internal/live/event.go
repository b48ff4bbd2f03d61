package live

import (
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
)

// The kinds of events. Those that --events prints are in docs/format.md.
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

// An Event is something that happened to a run. Which fields are set depends on
// the kind.
type Event struct {
	Kind string    `json:"event"`
	Time time.Time `json:"time,omitzero"`
	// Text is for people.
	Text string `json:"text,omitempty"`

	// Of a plan.
	*Plan
	// Of a build.
	*Build
	// Of a block.
	*Block
	// Cells of a block are some comparisons, those that are open first; of decide
	// those that turned.
	Cells []analysis.Interim `json:"cells,omitempty"`
	// Warning is that of warn and of error.
	Warning *assay.Warning `json:"warning,omitempty"`
	*Done

	// Trial and Of count the trials of the block Running.
	Running int `json:"-"`
	Trial   int `json:"-"`
	Of      int `json:"-"`
	// On is whether a pause begins.
	On bool `json:"-"`
}

// A Plan is what will be measured.
type Plan struct {
	Run        string   `json:"run"`
	Study      string   `json:"study,omitempty"`
	Command    string   `json:"command"`
	Platform   string   `json:"platform"`
	Base       string   `json:"base"`
	Variants   []string `json:"variants"` // the base among them, the control not
	Benchmarks int      `json:"benchmarks"`
	// Budget is the measuring time at most, MinBlocks and MaxBlocks the number of
	// blocks; MaxBlocks is 0 where only the budget ends the run.
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

// A Block is where a run stands after a block.
type Block struct {
	Number int  `json:"block"`
	Pilot  bool `json:"pilot,omitempty"`
	// Spent is the measuring time so far.
	Spent time.Duration `json:"spent_ns"`
	// Decided of Comparisons need no more blocks.
	Decided     int `json:"decided"`
	Comparisons int `json:"comparisons"`
	// Noise is the A/A floor, nil while it is not known.
	Noise *assay.Change `json:"noise,omitempty"`
	// Load is the share of the CPUs that others used since the last block, from 0 to
	// 1; nil where nobody tells.
	Load *float64 `json:"load,omitempty"`
	// More is about how much longer the run will measure; nil while nobody knows.
	More *time.Duration `json:"more_ns,omitempty"`
}

// A Done is how a run ended.
type Done struct {
	Stop    string        `json:"stop"`
	Verdict assay.Verdict `json:"verdict"`
	Answer  []string      `json:"answer,omitempty"`
	// Report is the file with the whole result as text; "" where there is none.
	Report string `json:"report,omitempty"`
}

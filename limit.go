package assay

// A LimitReport is what limits say of a run, or of every run of a group. "assay gate
// --json" prints it.
type LimitReport struct {
	Schema int `json:"schema"`
	// Status is the worst of the runs, Exit the exit status of the command.
	Status LimitStatus `json:"status"`
	Exit   int         `json:"exit"`
	Runs   []LimitRun  `json:"runs"`
}

// A LimitRun is what limits say of one run.
type LimitRun struct {
	Run string `json:"run,omitempty"`
	// Machine is the run's machine in a group.
	Machine string `json:"machine,omitempty"`
	// Status is the worst of the cells, or LimitIncomplete.
	Status LimitStatus `json:"status"`
	Limits []Limit     `json:"limits"`
	// Missing says which benchmarks failed. They have no cell.
	Missing []string `json:"missing,omitempty"`
	// Cells has a comparison for each limit, benchmark and variant, the worst first.
	Cells []LimitCell `json:"cells"`
}

// A Limit is how much worse a metric may become: 0.03 is 3 %.
type Limit struct {
	Metric string  `json:"metric"`
	Limit  float64 `json:"limit"`
}

// A LimitCell is what a limit says of one comparison.
type LimitCell struct {
	Status LimitStatus `json:"status"`
	Metric Metric      `json:"metric"`
	Limit  float64     `json:"limit"`
	// Base is the median of the base over the blocks.
	Base float64 `json:"base"`
	Comparison
}

// A LimitStatus is what a limit says of a comparison, and what all limits say of a run.
type LimitStatus string

// What a limit says. A run is incomplete if none of its cells failed, but a benchmark did:
// it has no cell, and must not pass for one that held.
const (
	LimitHeld       LimitStatus = "held"
	LimitUndecided  LimitStatus = "undecided"
	LimitIncomplete LimitStatus = "incomplete"
	LimitFailed     LimitStatus = "failed"
)

// LimitStatuses are all of them, the worst first.
var LimitStatuses = []LimitStatus{LimitFailed, LimitIncomplete, LimitUndecided, LimitHeld}

// Count returns the number of cells with a status.
func (r *LimitRun) Count(s LimitStatus) int {
	n := 0
	for _, c := range r.Cells {
		if c.Status == s {
			n++
		}
	}
	return n
}

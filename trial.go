package assay

import "time"

// A Status says how a trial ended.
type Status string

// The statuses of a trial.
const (
	StatusOK       Status = "ok"
	StatusFailed   Status = "failed"       // exit status or --- FAIL
	StatusTimeout  Status = "timeout"      // ended by assay at the time limit
	StatusNoResult Status = "no-result"    // ended well but printed no result
	StatusSkipped  Status = "skipped"      // not run: its benchmark had failed earlier in this block
	StatusWrong    Status = "wrong-output" // ended well but answered differently
)

// A Trial is one execution of one variant on one benchmark in one process. A
// line of trials.jsonl is one Trial.
type Trial struct {
	// ID counts the trials of a record from 1.
	ID int `json:"trial"`
	// Block counts from 1. Attempt is 1 unless an earlier attempt was cut off.
	Block   int `json:"block"`
	Attempt int `json:"attempt"`
	// Run is the earlier run that the trial was measured in, whose folder has all that
	// it printed; "" for the record's own.
	Run string `json:"run,omitempty"`
	// Pilot marks the blocks that only size the others; they carry no verdict.
	Pilot bool `json:"pilot,omitempty"`
	// Of is the number of trials in this attempt of the block: it is complete
	// when Of lines are there, else torn.
	Of int `json:"of"`
	// Position counts from 1 in the order of running. Round counts the inner
	// repetitions of the block from 1.
	Position int `json:"position"`
	Round    int `json:"round"`

	Variant   string    `json:"variant"`
	Benchmark Benchmark `json:"benchmark"`
	// N is the number of iterations asked for.
	N int `json:"n"`
	// Layout is the -randlayout seed of the link; 0 is the linker's own order.
	Layout uint64 `json:"layout,omitempty"`
	// Binary is the digest of the file that ran: the first 128 bits of its SHA-256 in
	// hex; "" for a trial that was not run.
	Binary string `json:"binary,omitempty"`
	// Link is the time the block's link for this variant took, told once, on
	// the variant's first trial of the package.
	Link time.Duration `json:"link_ns,omitempty"`

	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration_ns"`
	Status   Status        `json:"status"`
	// Reason says in one line why Status is not ok.
	Reason string `json:"reason,omitempty"`
	// Traced marks a trial that was run beside the measured ones to trace the
	// collector: only what the trace tells is observed in it.
	Traced bool `json:"traced,omitempty"`
	// Intended is the rate of an open load, in transactions a second; 0 for others.
	Intended float64 `json:"intended,omitempty"`
	// Output is the hex SHA-256 of a command's standard output.
	Output string `json:"output,omitempty"`
	// Gear is that of the planned benchmark, "" for a process of its own.
	Gear Gear `json:"gear,omitempty"`
	// CPUs are the processors that the trials of the block shared; nil for any.
	CPUs []int `json:"cpus,omitempty"`
	// Slices is the time of an operation in each slice, or each run in turns, in
	// nanoseconds, in order. What those of all variants are reduced to is in Observations.
	Slices []float64 `json:"slices,omitempty"`
	// Observations maps a metric's name to its value in this trial.
	Observations map[string]float64 `json:"observations,omitempty"`
	// Collected is the digest of what the trial left beside them, as Binary.
	Collected string `json:"collected,omitempty"`
	// Printed is where the record keeps what it printed: offset and length in bytes of a
	// part of printed.tar.gz; nil where nothing is kept.
	Printed []int64 `json:"printed,omitempty"`
}

// Complete splits trials, given in the order of the record, into the complete
// blocks in block order. Attempts that were cut short are left out, so no
// block is counted twice.
func Complete(trials []Trial) [][]Trial {
	var blocks [][]Trial
	for len(trials) > 0 {
		n := 1
		for n < len(trials) && trials[n].Block == trials[0].Block && trials[n].Attempt == trials[0].Attempt {
			n++
		}
		if n == trials[0].Of && trials[0].Block == len(blocks)+1 {
			blocks = append(blocks, trials[:n:n])
		}
		trials = trials[n:]
	}
	return blocks
}

package assay

import "time"

// A Status says how a trial ended.
type Status string

// The statuses of a trial.
const (
	StatusOK       Status = "ok"
	StatusFailed   Status = "failed"       // exit status or --- FAIL
	StatusTimeout  Status = "timeout"      // ended by assay at the time limit
	StatusNoResult Status = "no-result"    // ended well, but printed no result
	StatusSkipped  Status = "skipped"      // not run: its benchmark failed earlier in this block
	StatusWrong    Status = "wrong-output" // ended well, but with a different output
)

// A Trial is one execution of a variant on a benchmark: a line of trials.jsonl.
type Trial struct {
	// ID counts the trials of a record from 1.
	ID int `json:"trial"`
	// Block counts from 1. Attempt is 1 unless an earlier attempt was cut off.
	Block   int `json:"block"`
	Attempt int `json:"attempt"`
	// Run is the earlier run that measured the trial; "" for the record's own.
	Run string `json:"run,omitempty"`
	// Pilot marks blocks of older versions that only sized the others and have no verdict.
	Pilot bool `json:"pilot,omitempty"`
	// Looks is the number of planned ends of the run before the trial: of its budget, and
	// of each time that --more added.
	Looks int `json:"looks,omitempty"`
	// Of is the number of trials in this attempt of the block; with fewer it is torn.
	Of int `json:"of"`
	// Position counts from 1 in running order, Round the block's inner repetitions.
	Position int `json:"position"`
	Round    int `json:"round"`

	Variant   string    `json:"variant"`
	Benchmark Benchmark `json:"benchmark"`
	// N is the requested number of iterations.
	N int `json:"n"`
	// Layout is the -randlayout seed of the link; 0 is the linker's own order.
	Layout uint64 `json:"layout,omitempty"`
	// Binary is the first 128 bits of the executed file's SHA-256 in hex; "" if not run.
	Binary string `json:"binary,omitempty"`
	// Link is the time of linking for the block, at the variant's first trial only.
	Link time.Duration `json:"link_ns,omitempty"`

	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration_ns"`
	Status   Status        `json:"status"`
	// Reason says in one line why Status is not ok.
	Reason string `json:"reason,omitempty"`
	// RuntimeFault is the fault of the Go runtime itself that ended a Go benchmark or a
	// command, such as "checkdead: runnable g"; "" for every other end.
	RuntimeFault string `json:"runtime_fault,omitempty"`
	// Traced marks a separate trial that observes only the collector.
	Traced bool `json:"traced,omitempty"`
	// Intended is the rate of an open load, in transactions per second; 0 for others.
	Intended float64 `json:"intended,omitempty"`
	// Output is the hex SHA-256 of a command's standard output.
	Output string `json:"output,omitempty"`
	// Gear is the planned benchmark's; "" means separate processes.
	Gear Gear `json:"gear,omitempty"`
	// CPUs are the processors shared by the trials of the block; nil for any.
	CPUs []int `json:"cpus,omitempty"`
	// Slices has the time of an operation in each slice in nanoseconds, in order; in older
	// records, also in each run of a Go benchmark in turns. Observations has the value that
	// the slices of all variants are reduced to.
	Slices []float64 `json:"slices,omitempty"`
	// Observations maps a metric's name to its value in this trial.
	Observations map[string]float64 `json:"observations,omitempty"`
	// Collected is the digest of what the trial collected, in the format of Binary.
	Collected string `json:"collected,omitempty"`
	// Printed is the offset and length in printed.tar.gz; nil if nothing is kept.
	Printed []int64 `json:"printed,omitempty"`
}

// Complete returns the complete blocks of trials, which are in the record's order.
// Attempts that were cut short are excluded, so no block counts twice.
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

package assay

// Collected is what a trial left beside its observations: the material of the
// pictures. collected/<ID>.json.gz of a record holds one. No verdict rests on
// it.
type Collected struct {
	// Latency has the latencies of the measured requests, in seconds; nil where
	// the load generator tells percentiles only.
	Latency *Histogram `json:"latency,omitempty"`
	// Percentiles are those that the load generator printed.
	Percentiles []Percentile `json:"percentiles,omitempty"`
	// Intervals are what it printed while it ran.
	Intervals []Interim `json:"intervals,omitempty"`
	// GC are the collector's cycles under the load, or of the whole process where
	// there is no load.
	GC []GCCycle `json:"gc,omitempty"`
	// Memory is the resident set of the server under the load.
	Memory []MemorySample `json:"memory,omitempty"`
}

// A Percentile is a latency that a load generator computed.
type Percentile struct {
	// P is the share of requests at or below Seconds, from 0 to 1.
	P       float64 `json:"p"`
	Seconds float64 `json:"seconds"`
}

// An Interim is a line that a load generator printed while it ran.
type Interim struct {
	// At is in seconds from the start of the load.
	At float64 `json:"at"`
	// Rate is in transactions or requests a second.
	Rate float64 `json:"rate"`
	// Latency is the percentile that was printed, in seconds; 0 for none.
	Latency float64 `json:"latency,omitempty"`
	// Errors are per second.
	Errors float64 `json:"errors,omitempty"`
}

// A MemorySample is a server's resident set at a moment.
type MemorySample struct {
	// At is in seconds from the start of the load.
	At    float64 `json:"at"`
	Bytes uint64  `json:"bytes"`
}

// A GCCycle is one line of GODEBUG=gctrace=1, as package runtime documents it.
// Times are in seconds, sizes in bytes, both as coarse as they are printed.
type GCCycle struct {
	N int `json:"n"`
	// At is the time since the start of the program.
	At float64 `json:"at"`
	// Share is the part of the CPU time that the collector had since the start,
	// from 0 to 1.
	Share float64 `json:"share"`

	// SweepPause is sweep termination and MarkPause mark termination, in which the
	// world stands still; Mark is the concurrent mark and scan between them.
	SweepPause float64 `json:"sweep_pause"`
	Mark       float64 `json:"mark"`
	MarkPause  float64 `json:"mark_pause"`

	// CPU time of the same phases; that of the mark is split into what the program
	// itself had to help, what the collector's workers took, and what would have
	// been idle.
	SweepCPU      float64 `json:"sweep_cpu"`
	AssistCPU     float64 `json:"assist_cpu"`
	BackgroundCPU float64 `json:"background_cpu"`
	IdleCPU       float64 `json:"idle_cpu"`
	MarkTermCPU   float64 `json:"mark_term_cpu"`

	// The heap at the start and the end of the cycle, what of it was live, and the
	// size that it was to have at the end.
	HeapStart uint64 `json:"heap_start"`
	HeapEnd   uint64 `json:"heap_end"`
	Live      uint64 `json:"live"`
	Goal      uint64 `json:"goal"`
	// What is scanned beside the heap; 0 before go1.19.
	Stacks  uint64 `json:"stacks,omitempty"`
	Globals uint64 `json:"globals,omitempty"`
	// Procs is the number of Ps.
	Procs int `json:"procs"`
	// Forced is a cycle that the program asked for.
	Forced bool `json:"forced,omitempty"`
}

// MarkCPU is all CPU time of the concurrent mark, in seconds.
func (c GCCycle) MarkCPU() float64 { return c.AssistCPU + c.BackgroundCPU + c.IdleCPU }

package assay

// Collected is what a trial yields beside its observations: the data of the pictures. No
// verdict depends on it. A record keeps it in collected/<ID>.json.gz.
type Collected struct {
	// Latency is in seconds. It is nil if the load generator prints percentiles only.
	Latency *Histogram `json:"latency,omitempty"`
	// Percentiles are those printed by the load generator.
	Percentiles []Percentile `json:"percentiles,omitempty"`
	// Intervals are the interim results that the load generator printed.
	Intervals []Interim `json:"intervals,omitempty"`
	// GC are the collector's cycles under load, or of the whole process without load.
	GC []GCCycle `json:"gc,omitempty"`
	// Memory is the resident set of the server under load.
	Memory []MemorySample `json:"memory,omitempty"`
}

// A Percentile is a latency that a load generator computed.
type Percentile struct {
	// P is the share of requests at or below Seconds, from 0 to 1.
	P       float64 `json:"p"`
	Seconds float64 `json:"seconds"`
}

// An Interim is an interim result printed by a load generator.
type Interim struct {
	// At is in seconds since the start of the load.
	At float64 `json:"at"`
	// Rate is in transactions or requests per second.
	Rate float64 `json:"rate"`
	// Latency is the printed percentile, in seconds; 0 for none.
	Latency float64 `json:"latency,omitempty"`
	// Errors are per second.
	Errors float64 `json:"errors,omitempty"`
}

// A MemorySample is a server's resident set at one moment.
type MemorySample struct {
	// At is in seconds since the start of the load.
	At    float64 `json:"at"`
	Bytes uint64  `json:"bytes"`
}

// A GCCycle is one line of GODEBUG=gctrace=1, as documented by package runtime. Times are
// in seconds, sizes in bytes, both with the resolution printed.
type GCCycle struct {
	N int `json:"n"`
	// At is in seconds since the start of the program.
	At float64 `json:"at"`
	// Share is the collector's share of the CPU time since the start, from 0 to 1.
	Share float64 `json:"share"`

	// The world is stopped in SweepPause (sweep termination) and MarkPause (mark
	// termination). Mark is the concurrent mark and scan between them.
	SweepPause float64 `json:"sweep_pause"`
	Mark       float64 `json:"mark"`
	MarkPause  float64 `json:"mark_pause"`

	// CPU time of the same phases. That of the mark is split into assists by the program
	// itself, the collector's workers, and time that would have been idle.
	SweepCPU      float64 `json:"sweep_cpu"`
	AssistCPU     float64 `json:"assist_cpu"`
	BackgroundCPU float64 `json:"background_cpu"`
	IdleCPU       float64 `json:"idle_cpu"`
	MarkTermCPU   float64 `json:"mark_term_cpu"`

	// The heap at the start and the end of the cycle, its live part, and its goal.
	HeapStart uint64 `json:"heap_start"`
	HeapEnd   uint64 `json:"heap_end"`
	Live      uint64 `json:"live"`
	Goal      uint64 `json:"goal"`
	// What is scanned besides the heap; 0 before go1.19.
	Stacks  uint64 `json:"stacks,omitempty"`
	Globals uint64 `json:"globals,omitempty"`
	// Procs is the number of Ps.
	Procs int `json:"procs"`
	// Forced is true for a cycle requested by the program.
	Forced bool `json:"forced,omitempty"`
}

// MarkCPU is all CPU time of the concurrent mark, in seconds.
func (c GCCycle) MarkCPU() float64 { return c.AssistCPU + c.BackgroundCPU + c.IdleCPU }

package assay

// A Latency is the distribution of a benchmark's latencies, by variant, for the picture.
type Latency struct {
	Benchmark Benchmark `json:"benchmark"`
	// Variants has the base first, then the others as in Result.Variants.
	Variants []Distribution `json:"variants"`
	// Shifts has one entry for each variant except the base.
	Shifts []Shift `json:"shifts,omitempty"`
	// Refused lists the quantiles for which the runs are too short.
	Refused []Refused `json:"refused,omitempty"`
}

// A Distribution is the distribution of one quantity of a variant over all its runs.
type Distribution struct {
	Variant string `json:"variant"`
	// Runs is the number of merged trials, Total the number of values.
	Runs  int `json:"runs"`
	Total int `json:"total"`
	// Histogram has a few hundred buckets. A bucket's value is its geometric middle.
	Histogram Histogram `json:"histogram"`
}

// A Shift is the relative change of every quantile of a variant against the base, with a
// band that holds all of them at once at the given confidence.
type Shift struct {
	Variant string `json:"variant"`
	// N is the number of blocks.
	N int `json:"n"`
	// Confidence is that of all bands of a result together.
	Confidence float64 `json:"confidence"`
	// P ascends. Lo and Hi are nil if there are too few blocks.
	P      []float64 `json:"p"`
	Change []Change  `json:"change"`
	Lo     []Change  `json:"lo,omitempty"`
	Hi     []Change  `json:"hi,omitempty"`
	// Text says which part lies within the minimum effect.
	Text string `json:"text,omitempty"`
}

// A Refused is a quantile that cannot be given.
type Refused struct {
	// Metric is the name of the quantile, such as "latency.p99.9".
	Metric string `json:"metric"`
	// Seen is the number of requests beyond it in the shortest run, below MinBeyond.
	Seen int `json:"seen"`
}

// A GC is the collector's work under a benchmark, by variant.
type GC struct {
	Benchmark Benchmark `json:"benchmark"`
	// Phases are in the order of a cycle.
	Phases []GCPhase `json:"phases"`
	// Heaps has mark time against the live heap, one entry per variant, the base first.
	Heaps []GCHeap `json:"heaps"`
	// Inside is true if the cycles come from the measured trials, all traced alike.
	Inside bool `json:"inside,omitempty"`
}

// A GCPhase is the time of a phase per cycle, in seconds, without forced cycles.
type GCPhase struct {
	// Name is the name of the metric, such as "gc.mark".
	Name     string         `json:"name"`
	Variants []Distribution `json:"variants"`
}

// A GCHeap is mark time against the live heap of one variant.
type GCHeap struct {
	Variant string        `json:"variant"`
	Points  []GCHeapPoint `json:"points"`
}

// A GCHeapPoint stands for cycles with about the same live heap.
type GCHeapPoint struct {
	// Live is in bytes; Mark and MarkCPU are medians in seconds.
	Live    float64 `json:"live"`
	Mark    float64 `json:"mark"`
	MarkCPU float64 `json:"mark_cpu"`
	Cycles  int     `json:"cycles"`
}

package assay

// A Latency is how a benchmark's latencies are distributed, by variant. It is
// there for the picture; verdicts are those of the tables.
type Latency struct {
	Benchmark Benchmark `json:"benchmark"`
	// Variants has the base first, then the others in the order of
	// Result.Variants. The runs of a variant are merged.
	Variants []Distribution `json:"variants"`
	// Shifts has one entry for each variant but the base.
	Shifts []Shift `json:"shifts,omitempty"`
	// Refused are the quantiles that the runs are too short for.
	Refused []Refused `json:"refused,omitempty"`
}

// A Distribution is how one quantity of a variant is distributed over all its
// runs.
type Distribution struct {
	Variant string `json:"variant"`
	// Runs is the number of trials merged, Total that of the values.
	Runs  int `json:"runs"`
	Total int `json:"total"`
	// Histogram has a few hundred buckets at most, each going by its geometric
	// middle.
	Histogram Histogram `json:"histogram"`
}

// A Shift is the relative change of every quantile of a variant against the
// base, with a band that holds all of them at once at the confidence given.
type Shift struct {
	Variant string `json:"variant"`
	// N is the number of blocks behind it.
	N          int     `json:"n"`
	Confidence float64 `json:"confidence"`
	// P ascends; Change, Lo and Hi have as many entries. Lo and Hi are nil with too
	// few blocks.
	P      []float64 `json:"p"`
	Change []Change  `json:"change"`
	Lo     []Change  `json:"lo,omitempty"`
	Hi     []Change  `json:"hi,omitempty"`
	// Text says what of it lies within the smallest effect that matters.
	Text string `json:"text,omitempty"`
}

// A Refused is a quantile that is not given.
type Refused struct {
	// Metric is its name, such as "latency.p99.9".
	Metric string `json:"metric"`
	// Seen is the number of requests beyond it in the longest run; MinBeyond are
	// needed in each.
	Seen int `json:"seen"`
}

// A GC is what the collector did under a benchmark, by variant.
type GC struct {
	Benchmark Benchmark `json:"benchmark"`
	// Phases are in the order of a cycle.
	Phases []GCPhase `json:"phases"`
	// Heaps has mark time against the live heap, one entry a variant, the base
	// first.
	Heaps []GCHeap `json:"heaps"`
	// Inside says that the cycles are those of the measured trials, all traced
	// alike, and not of trials of their own.
	Inside bool `json:"inside,omitempty"`
}

// A GCPhase is how long a phase takes per cycle, in seconds, over all cycles
// that were not forced.
type GCPhase struct {
	// Name is that of the metric, such as "gc.mark".
	Name     string         `json:"name"`
	Variants []Distribution `json:"variants"`
}

// A GCHeap is mark time against the live heap of one variant.
type GCHeap struct {
	Variant string        `json:"variant"`
	Points  []GCHeapPoint `json:"points"`
}

// A GCHeapPoint stands for the cycles whose live heap is about the same.
type GCHeapPoint struct {
	// Live is in bytes, Mark and MarkCPU are medians in seconds.
	Live    float64 `json:"live"`
	Mark    float64 `json:"mark"`
	MarkCPU float64 `json:"mark_cpu"`
	Cycles  int     `json:"cycles"`
}

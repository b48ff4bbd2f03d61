package assay

// Names of the metrics that assay itself knows. A benchmark's own units are
// metrics of their own name.
const (
	MetricTime   = "sec/op"
	MetricBytes  = "B/op"
	MetricAllocs = "allocs/op"
	MetricRate   = "B/s"
	MetricUser   = "user-sec/op"
	MetricSys    = "sys-sec/op"
	MetricRSS    = "peak-RSS-bytes"

	// Of commands, over the process and the children that it waited for.
	MetricMinorFaults = "minor-faults/op"
	MetricMajorFaults = "major-faults/op"
	MetricVoluntary   = "voluntary-switches/op"
	MetricInvoluntary = "involuntary-switches/op"

	// Counted by the processor, in user mode.
	MetricInstructions = "instructions/op"
	MetricCycles       = "cycles/op"
	MetricBranchMisses = "branch-misses/op"
	MetricCacheMisses  = "cache-misses/op"
)

// A Better says which direction of a metric is the better one.
type Better string

// The directions. The zero value means that nobody said.
const (
	BetterUnknown Better = ""
	BetterLower   Better = "lower"
	BetterHigher  Better = "higher"
)

// A Metric is a named quantity that a trial yields.
type Metric struct {
	Name   string `json:"name"`
	Better Better `json:"better,omitempty"`
	// MinEffect is the smallest relative change that matters.
	MinEffect float64 `json:"min_effect"`
}

// IsTime reports whether the metric is a duration, so that its verdicts are
// "faster" and "slower". CPU time is not: less of it is not faster.
func (m Metric) IsTime() bool { return m.Name == MetricTime }

// KnownBetter returns the direction of the metrics that Go and assay define,
// and BetterUnknown for all others.
func KnownBetter(metric string) Better {
	switch metric {
	case MetricTime, MetricBytes, MetricAllocs, MetricUser, MetricSys, MetricRSS,
		MetricMinorFaults, MetricMajorFaults, MetricVoluntary, MetricInvoluntary,
		MetricInstructions, MetricCycles, MetricBranchMisses, MetricCacheMisses:
		return BetterLower
	case MetricRate:
		return BetterHigher
	}
	return BetterUnknown
}

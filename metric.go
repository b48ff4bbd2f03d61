package assay

import "strings"

// Names of the metrics that assay defines. A benchmark's own units keep their names.
const (
	MetricTime   = "sec/op"
	MetricBytes  = "B/op"
	MetricAllocs = "allocs/op"
	MetricRate   = "B/s"
	MetricUser   = "user-sec/op"
	MetricSys    = "sys-sec/op"
	MetricRSS    = "peak-RSS-bytes"

	// Of commands, for the process and the children that it waited for.
	MetricMinorFaults = "minor-faults/op"
	MetricMajorFaults = "major-faults/op"
	MetricVoluntary   = "voluntary-switches/op"
	MetricInvoluntary = "involuntary-switches/op"

	MetricInstructions = "instructions/op"
	MetricCycles       = "cycles/op"
	MetricBranchMisses = "branch-misses/op"
	MetricCacheMisses  = "cache-misses/op"
)

// Metrics of services, in seconds for latencies. A transaction is an HTTP request, or
// what the load generator counts.
const (
	MetricRequests = "tx/s"
	// MetricErrors is the share of failed transactions, from 0 to 1.
	MetricErrors = "errors/tx"
	// MetricMeanRSS is the server's mean resident set under load, MetricRSS its peak.
	MetricMeanRSS = "mean-RSS-bytes"
	// MetricServerCPU is the server's CPU time under load, in seconds per 1,000 tx.
	MetricServerCPU = "cpu-sec/ktx"
)

// Metrics of the garbage collector, from GODEBUG=gctrace=1, without forced cycles. Times
// are in seconds.
const (
	MetricGCCyclesMin = "gc.cycles/min"
	MetricGCCyclesTx  = "gc.cycles/ktx" // of services, per thousand transactions
	MetricGCCyclesOp  = "gc.cycles/op"  // of commands and Go benchmarks
	// MetricGCMarkOp is the CPU time of marking per operation, in seconds. Explanations
	// use it: of the collector's metrics it alone compares with the time of an operation.
	MetricGCMarkOp  = "gc.mark-cpu/op"
	MetricGCMark    = "gc.mark"     // wall time per cycle, median
	MetricGCMarkCPU = "gc.mark-cpu" // CPU time per cycle, median
	// MetricGCMarkMB is the CPU time of marking for each MB of live heap, in seconds: the
	// price of a collection where heaps grow, or differ between variants. It is the sum over
	// cycles of CPU time over the sum of live heaps in units of 2^20 bytes.
	MetricGCMarkMB     = "gc.mark-cpu/MB"
	MetricGCAssistCPU  = "gc.assist-cpu" // its parts, means per cycle
	MetricGCWorkerCPU  = "gc.background-cpu"
	MetricGCIdleCPU    = "gc.idle-cpu"
	MetricGCSweepPause = "gc.pause-sweep" // per cycle, median
	MetricGCMarkPause  = "gc.pause-mark"  // per cycle, median
	MetricGCPauseP50   = "gc.pause.p50"   // both pauses of a cycle together
	MetricGCPauseP99   = "gc.pause.p99"
	MetricGCPauseMin   = "gc.pause/min" // total
	// MetricGCShare is the collector's share of the CPU time of the process, from 0 to 1.
	MetricGCShare = "gc.cpu-share"
	// MetricGCAlloc is the rate of allocation, in bytes per second.
	MetricGCAlloc = "gc.alloc-B/s"
	// MetricGCLive is the median live heap in bytes.
	MetricGCLive = "gc.live-bytes"
)

// GCPrefix begins the name of every collector metric.
const GCPrefix = "gc."

// latencyPrefix begins the name of a latency quantile.
const latencyPrefix = "latency.p"

// Quantiles are the latency quantiles that assay reports; Name follows "latency.p".
var Quantiles = []Quantile{{0.5, "50"}, {0.9, "90"}, {0.99, "99"}, {0.999, "99.9"}, {0.9999, "99.99"}}

// A Quantile is one of Quantiles.
type Quantile struct {
	P    float64
	Name string
}

// Metric returns the name of the metric, such as "latency.p99".
func (q Quantile) Metric() string { return latencyPrefix + q.Name }

// IsLatency reports whether a metric is a latency quantile.
func IsLatency(metric string) bool { return strings.HasPrefix(metric, latencyPrefix) }

// A Better says which direction of a metric is better.
type Better string

// The directions. The zero value means that no direction was given.
const (
	BetterUnknown Better = ""
	BetterLower   Better = "lower"
	BetterHigher  Better = "higher"
)

// A Metric is a named quantity measured by a trial.
type Metric struct {
	Name   string `json:"name"`
	Better Better `json:"better,omitempty"`
	// MinEffect is the smallest relative change that matters.
	MinEffect float64 `json:"min_effect"`
}

// IsTime reports whether less of the metric means "faster". Of CPU time it does not.
func (m Metric) IsTime() bool { return m.Name == MetricTime || IsLatency(m.Name) }

// Loss is 1 if more is worse and -1 if more is better. A change times Loss is a loss.
func (m Metric) Loss() float64 {
	if m.Better == BetterHigher {
		return -1
	}
	return 1
}

// KnownBetter returns the direction of a metric of Go or assay, else BetterUnknown.
func KnownBetter(metric string) Better {
	if m, known := FindMetric(metric); known {
		return m.Better
	}
	if IsLatency(metric) || strings.HasPrefix(metric, GCPrefix) {
		return BetterLower
	}
	return BetterUnknown
}

package assay

// A KnownMetric is what assay knows of a metric that it defines. A new metric is a row of
// KnownMetrics, and what measures it.
type KnownMetric struct {
	Name   string
	Better Better
	// Group is where it is listed: with the load of a service, its server, or the
	// collector. Others are measured of Go benchmarks and commands.
	Group MetricGroup
	// Label is its name in tables, Noun that in a sentence; "" is Name.
	Label, Noun string
	Unit        Unit
	// Step is that to which its source rounds every value, in its unit; 0 is unknown.
	Step float64
	// Follows marks those that are noisy, or follow from the time: they come as their
	// geomean.
	Follows bool
	// Detail metrics are printed with --all only, Brief ones also of Go benchmarks and
	// commands.
	Detail, Brief bool
}

// A MetricGroup is a section in which metrics are listed.
type MetricGroup string

// The groups. The zero value is that of Go benchmarks and commands.
const (
	GroupLoad   MetricGroup = "load"
	GroupServer MetricGroup = "server"
	GroupGC     MetricGroup = "gc"
)

// A Unit is what a metric counts in.
type Unit string

// The units. Times are in seconds, shares from 0 to 1, rates in bytes per second.
const (
	UnitSeconds Unit = "seconds"
	UnitBytes   Unit = "bytes"
	UnitRate    Unit = "rate"
	UnitCount   Unit = "count"
	UnitShare   Unit = "share"
)

// KnownMetrics are the metrics that assay defines, less the latencies (Quantiles), in the
// order in which they are printed.
var KnownMetrics = []KnownMetric{
	{Name: MetricTime, Better: BetterLower, Unit: UnitSeconds, Noun: "time"},
	{Name: MetricBytes, Better: BetterLower, Unit: UnitBytes},
	{Name: MetricAllocs, Better: BetterLower, Unit: UnitCount},
	{Name: MetricRate, Better: BetterHigher, Unit: UnitRate, Noun: "throughput", Follows: true},
	{Name: MetricUser, Better: BetterLower, Unit: UnitSeconds, Noun: "user CPU", Follows: true},
	{Name: MetricSys, Better: BetterLower, Unit: UnitSeconds, Noun: "system CPU", Follows: true},
	{Name: MetricMinorFaults, Better: BetterLower, Unit: UnitCount, Follows: true},
	{Name: MetricMajorFaults, Better: BetterLower, Unit: UnitCount, Follows: true},
	{Name: MetricVoluntary, Better: BetterLower, Unit: UnitCount, Follows: true},
	{Name: MetricInvoluntary, Better: BetterLower, Unit: UnitCount, Follows: true},
	{Name: MetricInstructions, Better: BetterLower, Unit: UnitCount, Follows: true},
	{Name: MetricCycles, Better: BetterLower, Unit: UnitCount, Follows: true},
	{Name: MetricBranchMisses, Better: BetterLower, Unit: UnitCount, Follows: true},
	{Name: MetricCacheMisses, Better: BetterLower, Unit: UnitCount, Follows: true},

	{Name: MetricRequests, Better: BetterHigher, Unit: UnitCount, Group: GroupLoad},
	{Name: MetricErrors, Better: BetterLower, Unit: UnitShare, Group: GroupLoad, Label: "errors", Noun: "errors"},

	{Name: MetricServerCPU, Better: BetterLower, Unit: UnitSeconds, Group: GroupServer, Label: "CPU per 1,000 tx", Noun: "CPU"},
	{Name: MetricMeanRSS, Better: BetterLower, Unit: UnitBytes, Group: GroupServer, Label: "mean RSS", Noun: "mean memory"},
	{Name: MetricRSS, Better: BetterLower, Unit: UnitBytes, Group: GroupServer, Label: "peak RSS", Noun: "peak memory", Follows: true},

	{Name: MetricGCCyclesMin, Better: BetterLower, Unit: UnitCount, Group: GroupGC, Label: "cycles per minute"},
	{Name: MetricGCCyclesTx, Better: BetterLower, Unit: UnitCount, Group: GroupGC, Label: "cycles per 1,000 tx"},
	{Name: MetricGCCyclesOp, Better: BetterLower, Unit: UnitCount, Group: GroupGC, Label: "cycles per op", Brief: true},
	{Name: MetricGCMark, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "mark, wall"},
	{Name: MetricGCMarkOp, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "mark CPU per op"},
	{Name: MetricGCMarkCPU, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "mark, CPU", Brief: true},
	{Name: MetricGCMarkMB, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "mark CPU per MB live"},
	{Name: MetricGCAssistCPU, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "mark CPU, assists", Detail: true},
	{Name: MetricGCWorkerCPU, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "mark CPU, workers", Detail: true},
	{Name: MetricGCIdleCPU, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "mark CPU, idle", Detail: true},
	{Name: MetricGCSweepPause, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "pause, sweep end", Brief: true},
	{Name: MetricGCMarkPause, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "pause, mark end", Brief: true},
	{Name: MetricGCPauseP50, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "both pauses, p50", Detail: true},
	{Name: MetricGCPauseP99, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "both pauses, p99"},
	{Name: MetricGCPauseMin, Better: BetterLower, Unit: UnitSeconds, Group: GroupGC, Label: "paused per minute"},
	{Name: MetricGCShare, Better: BetterLower, Unit: UnitShare, Group: GroupGC, Label: "share of CPU time", Brief: true},
	{Name: MetricGCAlloc, Better: BetterLower, Unit: UnitRate, Group: GroupGC, Label: "allocation rate"},
	{Name: MetricGCLive, Better: BetterLower, Unit: UnitBytes, Group: GroupGC, Label: "live heap", Step: 1 << 20},
}

var metricByName = func() map[string]KnownMetric {
	out := map[string]KnownMetric{}
	for _, m := range KnownMetrics {
		out[m.Name] = m
	}
	return out
}()

// FindMetric finds a metric of KnownMetrics by its name.
func FindMetric(name string) (m KnownMetric, known bool) {
	m, known = metricByName[name]
	return m, known
}

// IsCount reports whether a metric counts allocations. Nothing adds noise to these: one
// operation of a deterministic program allocates the same in every trial.
func IsCount(metric string) bool { return metric == MetricAllocs || metric == MetricBytes }

package sheet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// A label is the name in print of a metric of services or of the collector, and the units
// in which it is counted.
type label struct {
	metric, Text string
	units        []Scale
	// detail metrics are printed with --all only, brief ones also of Go benchmarks and
	// commands.
	detail, brief bool
}

// The labels in the order of printing.
var (
	loadLabels = []label{
		{metric: assay.MetricRequests, Text: "tx/s", units: things},
		{metric: assay.MetricErrors, Text: "errors", units: shares},
	}
	serverLabels = []label{
		{metric: assay.MetricServerCPU, Text: "CPU per 1,000 tx", units: seconds},
		{metric: assay.MetricMeanRSS, Text: "mean RSS", units: memory},
		{metric: assay.MetricRSS, Text: "peak RSS", units: memory},
	}
	gcLabels = []label{
		{metric: assay.MetricGCCyclesMin, Text: "cycles per minute", units: things},
		{metric: assay.MetricGCCyclesTx, Text: "cycles per 1,000 tx", units: things},
		{metric: assay.MetricGCCyclesOp, Text: "cycles per op", units: things, brief: true},
		{metric: assay.MetricGCMark, Text: "mark, wall", units: seconds},
		{metric: assay.MetricGCMarkOp, Text: "mark CPU per op", units: seconds},
		{metric: assay.MetricGCMarkCPU, Text: "mark, CPU", units: seconds, brief: true},
		{metric: assay.MetricGCAssistCPU, Text: "mark CPU, assists", units: seconds, detail: true},
		{metric: assay.MetricGCWorkerCPU, Text: "mark CPU, workers", units: seconds, detail: true},
		{metric: assay.MetricGCIdleCPU, Text: "mark CPU, idle", units: seconds, detail: true},
		{metric: assay.MetricGCSweepPause, Text: "pause, sweep end", units: seconds, brief: true},
		{metric: assay.MetricGCMarkPause, Text: "pause, mark end", units: seconds, brief: true},
		{metric: assay.MetricGCPauseP50, Text: "both pauses, p50", units: seconds, detail: true},
		{metric: assay.MetricGCPauseP99, Text: "both pauses, p99", units: seconds},
		{metric: assay.MetricGCPauseMin, Text: "paused per minute", units: seconds},
		{metric: assay.MetricGCShare, Text: "share of CPU time", units: shares, brief: true},
		{metric: assay.MetricGCAlloc, Text: "allocation rate", units: rates},
		{metric: assay.MetricGCLive, Text: "live heap", units: memory},
	}
)

// LabelOf finds the label of a metric. A metric without one goes by its name.
func LabelOf(metric string) (label, bool) {
	for _, list := range [][]label{loadLabels, serverLabels, gcLabels} {
		if i := slices.IndexFunc(list, func(l label) bool { return l.metric == metric }); i >= 0 {
			return list[i], true
		}
	}
	if assay.IsLatency(metric) {
		return label{metric: metric, Text: strings.TrimPrefix(metric, "latency."), units: seconds}, true
	}
	return label{metric: metric, Text: metric, detail: IsGC(metric)}, false
}

// IsGC reports whether a metric is one of the garbage collector.
func IsGC(metric string) bool { return strings.HasPrefix(metric, assay.GCPrefix) }

// IsShare reports whether a metric is a part of a whole: it is printed in percent, and a
// difference of two values in points.
func IsShare(metric string) bool {
	return metric == assay.MetricErrors || metric == assay.MetricGCShare
}

// Place orders the metrics of services and of the collector: latencies by their quantile,
// then those that have a label as they are listed, then others.
func Place(name string) float64 {
	all := slices.Concat(loadLabels, serverLabels, gcLabels)
	if i := slices.IndexFunc(all, func(l label) bool { return l.metric == name }); i >= 0 {
		return float64(i + 1)
	}
	if f, err := strconv.ParseFloat(strings.TrimPrefix(name, "latency.p"), 64); err == nil {
		return f - 100
	}
	if assay.IsLatency(name) {
		return 0
	}
	return float64(len(all) + 1)
}

func byPlace(a, b string) int { return cmp.Or(cmp.Compare(Place(a), Place(b)), cmp.Compare(a, b)) }

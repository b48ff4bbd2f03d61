package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// A label is how a metric of services or of the collector is called in print,
// and in which unit it is counted.
type label struct {
	metric, text string
	units        []scale
	// detail metrics are for who asks for all; brief ones are told of Go
	// benchmarks and commands, too.
	detail, brief bool
}

// The labels in the order of printing.
var (
	loadLabels = []label{
		{metric: assay.MetricRequests, text: "tx/s", units: things},
		{metric: assay.MetricErrors, text: "errors", units: shares},
	}
	serverLabels = []label{
		{metric: assay.MetricServerCPU, text: "CPU per 1,000 tx", units: seconds},
		{metric: assay.MetricMeanRSS, text: "mean RSS", units: memory},
		{metric: assay.MetricRSS, text: "peak RSS", units: memory},
	}
	gcLabels = []label{
		{metric: assay.MetricGCCyclesMin, text: "cycles per minute", units: things},
		{metric: assay.MetricGCCyclesTx, text: "cycles per 1,000 tx", units: things},
		{metric: assay.MetricGCCyclesOp, text: "cycles per op", units: things, brief: true},
		{metric: assay.MetricGCMark, text: "mark, wall", units: seconds},
		{metric: assay.MetricGCMarkOp, text: "mark CPU per op", units: seconds},
		{metric: assay.MetricGCMarkCPU, text: "mark, CPU", units: seconds, brief: true},
		{metric: assay.MetricGCAssistCPU, text: "mark CPU, assists", units: seconds, detail: true},
		{metric: assay.MetricGCWorkerCPU, text: "mark CPU, workers", units: seconds, detail: true},
		{metric: assay.MetricGCIdleCPU, text: "mark CPU, idle", units: seconds, detail: true},
		{metric: assay.MetricGCSweepPause, text: "pause, sweep end", units: seconds, brief: true},
		{metric: assay.MetricGCMarkPause, text: "pause, mark end", units: seconds, brief: true},
		{metric: assay.MetricGCPauseP50, text: "both pauses, p50", units: seconds, detail: true},
		{metric: assay.MetricGCPauseP99, text: "both pauses, p99", units: seconds},
		{metric: assay.MetricGCPauseMin, text: "paused per minute", units: seconds},
		{metric: assay.MetricGCShare, text: "share of CPU time", units: shares, brief: true},
		{metric: assay.MetricGCAlloc, text: "allocation rate", units: rates},
		{metric: assay.MetricGCLive, text: "live heap", units: memory},
	}
)

// labelOf finds the label of a metric; those that have none go by their name.
func labelOf(metric string) (label, bool) {
	for _, list := range [][]label{loadLabels, serverLabels, gcLabels} {
		if i := slices.IndexFunc(list, func(l label) bool { return l.metric == metric }); i >= 0 {
			return list[i], true
		}
	}
	if assay.IsLatency(metric) {
		return label{metric: metric, text: strings.TrimPrefix(metric, "latency."), units: seconds}, true
	}
	return label{metric: metric, text: metric, detail: isGC(metric)}, false
}

func isGC(metric string) bool { return strings.HasPrefix(metric, assay.GCPrefix) }

// isShare reports whether a metric is a part of a whole, printed in percent, so
// that a difference of two is in points.
func isShare(metric string) bool {
	return metric == assay.MetricErrors || metric == assay.MetricGCShare
}

// quantileOf is the quantile of a latency in percent, 100 where its name has none.
func quantileOf(metric string) float64 {
	f, err := strconv.ParseFloat(strings.TrimPrefix(metric, "latency.p"), 64)
	if err != nil {
		return 100
	}
	return f
}

// byQuantile orders names of latency quantiles.
func byQuantile(a, b string) int {
	return cmp.Or(cmp.Compare(quantileOf(a), quantileOf(b)), cmp.Compare(a, b))
}

// metricPlace orders the metrics of services and of the collector: latencies by
// their quantile, then as they are listed.
func metricPlace(name string) float64 {
	all := slices.Concat(loadLabels, serverLabels, gcLabels)
	if i := slices.IndexFunc(all, func(l label) bool { return l.metric == name }); i >= 0 {
		return float64(i + 1)
	}
	return quantileOf(name) - 100
}

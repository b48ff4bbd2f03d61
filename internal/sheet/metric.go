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
	// detail and brief are as in assay.KnownMetric.
	detail, brief bool
}

// The labels of a group, in the order of printing.
var (
	loadLabels   = labelsOf(assay.GroupLoad)
	serverLabels = labelsOf(assay.GroupServer)
	gcLabels     = labelsOf(assay.GroupGC)
)

func labelsOf(group assay.MetricGroup) (out []label) {
	for _, m := range assay.KnownMetrics {
		if m.Group == group {
			out = append(out, labelled(m))
		}
	}
	return out
}

func labelled(m assay.KnownMetric) label {
	return label{metric: m.Name, Text: cmp.Or(m.Label, m.Name), units: ladders[m.Unit], detail: m.Detail, brief: m.Brief}
}

// LabelOf finds the label of a metric. A metric without one goes by its name.
func LabelOf(metric string) (label, bool) {
	if m, _ := assay.FindMetric(metric); m.Group != "" {
		return labelled(m), true
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
	m, _ := assay.FindMetric(metric)
	return m.Unit == assay.UnitShare
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

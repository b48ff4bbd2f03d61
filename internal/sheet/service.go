package sheet

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// MetricWords is a metric in a heading: "latency p50" and "mark, CPU" read better there
// than their names.
func MetricWords(metric string) string {
	l, known := LabelOf(metric)
	switch {
	case assay.IsLatency(metric):
		return "latency " + l.Text
	case known && IsGC(metric):
		return "GC " + l.Text
	}
	return metric
}

// ServiceSections are those of a service: what the load generator saw, the server, and
// the collector.
func (s *Sheet) ServiceSections(b assay.Benchmark) []Section {
	return service{s, b, s.LatencyOf(b)}.sections()
}

// A service is a benchmark of a sheet that is a server under load.
type service struct {
	sheet   *Sheet
	b       assay.Benchmark
	latency *assay.Latency // nil where no distribution is known
}

func (s service) sections() []Section {
	load := slices.Concat(s.quantiles(), loadLabels)
	for _, t := range s.sheet.Result.Tables {
		if l, known := LabelOf(t.Metric.Name); !known && !IsGC(t.Metric.Name) {
			load = append(load, l)
		}
	}
	out := []Section{{Title: "latency", Bench: s.b.Name, Decides: true, Entries: s.entries(load), Latency: s.latency}}
	if server := s.entries(serverLabels); len(server) > 0 {
		out = append(out, Section{Title: "server", Entries: server})
	}
	gc := Section{Title: gcTitle, Aside: gcAside, Entries: s.entries(gcLabels)}
	for _, t := range s.sheet.Result.Tables {
		if l, _ := LabelOf(t.Metric.Name); IsGC(t.Metric.Name) && s.hides(t, l) && rowOf(t, s.b) != nil {
			gc.hidden++
		}
	}
	open := len(gc.Entries)
	if !s.sheet.all {
		gc.Entries = slices.DeleteFunc(gc.Entries, s.open)
	}
	open -= len(gc.Entries)
	switch {
	case len(gc.Entries) > 0:
		gc.hidden += open
		gc.Tail = s.sheet.gcNote(gc, s.b)
		out = append(out, gc)
	case open > 0:
		more := ""
		if gc.hidden > 0 {
			more = ", " + printable.Int(gc.hidden) + " more"
		}
		out = append(out, Section{Facts: []fact{{gcTitle, printable.Count(open, "metric") + " unclear" + more, true}}})
	}
	return out
}

// open reports whether nothing is decided of a metric, and nobody asked for it.
func (s service) open(e Entry) bool {
	return !s.sheet.decides(e.Metric.Name) && !slices.ContainsFunc(e.Cells, func(c assay.Comparison) bool { return c.Verdict != assay.Unclear })
}

// hides reports whether a metric is a detail that nobody asked for.
func (s service) hides(t assay.Table, l label) bool { return l.detail && !t.Decides && !s.sheet.all }

// quantiles are the labels of the latency quantiles of a service, refused ones among
// them. Beyond p99.9 most runs are too short, which is worth a line only where somebody
// asked.
func (s service) quantiles() (labels []label) {
	var names []string
	for _, t := range s.sheet.Result.Tables {
		if assay.IsLatency(t.Metric.Name) && rowOf(t, s.b) != nil {
			names = append(names, t.Metric.Name)
		}
	}
	if l := s.latency; l != nil {
		for _, x := range l.Refused {
			usual := byPlace(x.Metric, "latency.p99.9") <= 0 || slices.Contains(s.sheet.Result.Rule.Metrics, x.Metric)
			if assay.IsLatency(x.Metric) && !slices.Contains(names, x.Metric) && (usual || s.sheet.all) {
				names = append(names, x.Metric)
			}
		}
	}
	slices.SortFunc(names, byPlace)
	for _, n := range names {
		l, _ := LabelOf(n)
		labels = append(labels, l)
	}
	return labels
}

// LatencyOf is the distribution of the latencies of a service, nil where none is known.
func (s *Sheet) LatencyOf(b assay.Benchmark) *assay.Latency {
	for i := range s.Result.Latencies {
		if s.Result.Latencies[i].Benchmark == b {
			return &s.Result.Latencies[i]
		}
	}
	return nil
}

func rowOf(t assay.Table, b assay.Benchmark) *assay.Row {
	for i := range t.Rows {
		if t.Rows[i].Benchmark == b {
			return &t.Rows[i]
		}
	}
	return nil
}

// entries makes entries of the metrics that a service has, in the order of the labels.
func (s service) entries(labels []label) []Entry {
	var out []Entry
	for _, l := range labels {
		e := Entry{Metric: assay.Metric{Name: l.metric}, Base: math.NaN()}
		i := slices.IndexFunc(s.sheet.Result.Tables, func(t assay.Table) bool { return t.Metric.Name == l.metric })
		found := i >= 0 && rowOf(s.sheet.Result.Tables[i], s.b) != nil
		if found {
			t := s.sheet.Result.Tables[i]
			e = EntryOf(t, *rowOf(t, s.b))
			if s.hides(t, l) || l.metric == assay.MetricErrors && !t.Decides && !s.sheet.all && e.allZero() {
				continue
			}
		}
		e.Label, e.bench = l.Text, s.b.Name
		if !slices.ContainsFunc(e.Cells, func(c assay.Comparison) bool { return c.N > 0 }) {
			e.Refused = s.refused(l.metric)
		}
		if found || e.Refused != "" {
			out = append(out, e)
		}
	}
	return out
}

// refused says why a quantile is not given.
func (s service) refused(metric string) string {
	if s.latency == nil {
		return ""
	}
	for _, x := range s.latency.Refused {
		if x.Metric == metric {
			return TooFew(x.Seen)
		}
	}
	return ""
}

// TooFew says why a quantile has no value: so many requests beyond it were seen.
func TooFew(seen int) string {
	return "too few: " + printable.Count(assay.MinBeyond, "request") + " beyond it needed, " + printable.Int(seen) + " seen"
}

func (e Entry) allZero() bool {
	return e.Base == 0 && !slices.ContainsFunc(e.Cells, func(c assay.Comparison) bool { return c.Value != 0 || c.Difference != 0 })
}

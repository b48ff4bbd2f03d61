package sheet

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// MetricWords is a metric in a heading: "latency p50" and "mark, CPU" read
// better there than their names.
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

// ServiceSections are those of one service.
func (s *Sheet) ServiceSections(b assay.Benchmark) []Section {
	load := Section{Title: "latency", Bench: b.Name, Decides: true, Entries: s.loadEntries(b), Latency: s.LatencyOf(b)}
	out := []Section{load}
	if s := (Section{Title: "server", Entries: s.metricEntries(b, serverLabels)}); len(s.Entries) > 0 {
		out = append(out, s)
	}
	gc := Section{Title: gcTitle, Aside: gcAside, Entries: s.metricEntries(b, gcLabels)}
	for _, t := range s.Result.Tables {
		if l, _ := LabelOf(t.Metric.Name); IsGC(t.Metric.Name) && s.hides(t, l) && rowOf(t, b) != nil {
			gc.hidden++
		}
	}
	if len(gc.Entries) > 0 {
		gc.Tail = s.gcNote(gc, b)
		out = append(out, gc)
	}
	return out
}

// hides reports whether a metric is one of details that nobody asked for.
func (s *Sheet) hides(t assay.Table, l label) bool { return l.detail && !t.Decides && !s.all }

// loadEntries are what the load generator saw: latencies, rate, errors, and what
// has no label.
func (s *Sheet) loadEntries(b assay.Benchmark) []Entry {
	var quantiles, others []label
	for _, m := range s.quantiles(b) {
		l, _ := LabelOf(m)
		quantiles = append(quantiles, l)
	}
	for _, t := range s.Result.Tables {
		if l, known := LabelOf(t.Metric.Name); !known && !IsGC(t.Metric.Name) {
			others = append(others, l)
		}
	}
	return s.metricEntries(b, slices.Concat(quantiles, loadLabels, others))
}

// quantiles are the names of the latency quantiles of a service, those that were
// refused among them. Beyond p99.9 most runs are too short, which is not worth a
// line unless somebody asked.
func (s *Sheet) quantiles(b assay.Benchmark) []string {
	var names []string
	for _, t := range s.Result.Tables {
		if assay.IsLatency(t.Metric.Name) && rowOf(t, b) != nil {
			names = append(names, t.Metric.Name)
		}
	}
	if l := s.LatencyOf(b); l != nil {
		for _, x := range l.Refused {
			usual := byQuantile(x.Metric, "latency.p99.9") <= 0 || slices.Contains(s.Result.Rule.Metrics, x.Metric)
			if assay.IsLatency(x.Metric) && !slices.Contains(names, x.Metric) && (usual || s.all) {
				names = append(names, x.Metric)
			}
		}
	}
	slices.SortFunc(names, byQuantile)
	return names
}

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

// metricEntries makes entries of the metrics that a service has, in the order of the
// labels.
func (s *Sheet) metricEntries(b assay.Benchmark, labels []label) []Entry {
	var out []Entry
	for _, l := range labels {
		i := slices.IndexFunc(s.Result.Tables, func(t assay.Table) bool { return t.Metric.Name == l.metric })
		if i < 0 || rowOf(s.Result.Tables[i], b) == nil {
			if text := s.refused(b, l.metric); text != "" {
				out = append(out, Entry{Label: l.Text, bench: b.Name, Base: math.NaN(), Refused: text, Metric: assay.Metric{Name: l.metric}})
			}
			continue
		}
		t := s.Result.Tables[i]
		row := *rowOf(t, b)
		if s.hides(t, l) || l.metric == assay.MetricErrors && !t.Decides && !s.all && noErrors(row) {
			continue
		}
		e := s.Entry(t, row)
		e.Label, e.bench = l.Text, b.Name
		if text := s.refused(b, l.metric); text != "" && !measured(row) {
			e.Refused = text
		}
		out = append(out, e)
	}
	return out
}

// refused says why a quantile is not given.
func (s *Sheet) refused(b assay.Benchmark, metric string) string {
	l := s.LatencyOf(b)
	if l == nil {
		return ""
	}
	for _, x := range l.Refused {
		if x.Metric == metric {
			return "too few: " + printable.Count(assay.MinBeyond, "request") + " beyond it needed, " + printable.Int(x.Seen) + " seen"
		}
	}
	return ""
}

func measured(r assay.Row) bool {
	return slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool { return c.N > 0 })
}

func noErrors(r assay.Row) bool {
	return r.Base == 0 && !slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool { return c.Value != 0 || c.Difference != 0 })
}

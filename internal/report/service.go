package report

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// metricWords is a metric in a heading: "latency p50" and "mark, CPU" read
// better there than their names.
func metricWords(metric string) string {
	l, known := labelOf(metric)
	switch {
	case assay.IsLatency(metric):
		return "latency " + l.text
	case known && isGC(metric):
		return "GC " + l.text
	}
	return metric
}

// serviceSections are those of one service.
func (s *Sheet) serviceSections(b assay.Benchmark) []section {
	load := section{title: "latency", bench: b.Name, decides: true, entries: s.loadEntries(b), latency: s.latencyOf(b)}
	out := []section{load}
	if s := (section{title: "server", entries: s.metricEntries(b, serverLabels)}); len(s.entries) > 0 {
		out = append(out, s)
	}
	gc := section{title: gcTitle, aside: gcAside, entries: s.metricEntries(b, gcLabels)}
	for _, t := range s.r.Tables {
		if l, _ := labelOf(t.Metric.Name); isGC(t.Metric.Name) && s.hides(t, l) && rowOf(t, b) != nil {
			gc.hidden++
		}
	}
	if len(gc.entries) > 0 {
		gc.tail = s.gcNote(gc, b)
		out = append(out, gc)
	}
	return out
}

// hides reports whether a metric is one of details that nobody asked for.
func (s *Sheet) hides(t assay.Table, l label) bool { return l.detail && !t.Decides && !s.all }

// loadEntries are what the load generator saw: latencies, rate, errors, and what
// has no label.
func (s *Sheet) loadEntries(b assay.Benchmark) []entry {
	var quantiles, others []label
	for _, m := range s.quantiles(b) {
		l, _ := labelOf(m)
		quantiles = append(quantiles, l)
	}
	for _, t := range s.r.Tables {
		if l, known := labelOf(t.Metric.Name); !known && !isGC(t.Metric.Name) {
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
	for _, t := range s.r.Tables {
		if assay.IsLatency(t.Metric.Name) && rowOf(t, b) != nil {
			names = append(names, t.Metric.Name)
		}
	}
	if l := s.latencyOf(b); l != nil {
		for _, x := range l.Refused {
			usual := byQuantile(x.Metric, "latency.p99.9") <= 0 || slices.Contains(s.r.Rule.Metrics, x.Metric)
			if assay.IsLatency(x.Metric) && !slices.Contains(names, x.Metric) && (usual || s.all) {
				names = append(names, x.Metric)
			}
		}
	}
	slices.SortFunc(names, byQuantile)
	return names
}

func (s *Sheet) latencyOf(b assay.Benchmark) *assay.Latency {
	for i := range s.r.Latencies {
		if s.r.Latencies[i].Benchmark == b {
			return &s.r.Latencies[i]
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
func (s *Sheet) metricEntries(b assay.Benchmark, labels []label) []entry {
	var out []entry
	for _, l := range labels {
		i := slices.IndexFunc(s.r.Tables, func(t assay.Table) bool { return t.Metric.Name == l.metric })
		if i < 0 || rowOf(s.r.Tables[i], b) == nil {
			if text := s.refused(b, l.metric); text != "" {
				out = append(out, entry{label: l.text, bench: b.Name, base: math.NaN(), refused: text, metric: assay.Metric{Name: l.metric}})
			}
			continue
		}
		t := s.r.Tables[i]
		row := *rowOf(t, b)
		if s.hides(t, l) || l.metric == assay.MetricErrors && !t.Decides && !s.all && noErrors(row) {
			continue
		}
		e := s.entry(t, row)
		e.label, e.bench = l.text, b.Name
		if text := s.refused(b, l.metric); text != "" && !measured(row) {
			e.refused = text
		}
		out = append(out, e)
	}
	return out
}

// refused says why a quantile is not given.
func (s *Sheet) refused(b assay.Benchmark, metric string) string {
	l := s.latencyOf(b)
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

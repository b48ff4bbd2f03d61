package report

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// servicesOf are the benchmarks that are servers under load, in the order of the
// record, and whether there is no other. A Go benchmark may report a tx/s of its
// own, but always has a time per operation, which a service has not.
func servicesOf(r *assay.Result) (list []assay.Benchmark, all bool) {
	timed := map[assay.Benchmark]bool{}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			timed[row.Benchmark] = timed[row.Benchmark] || t.Metric.Name == assay.MetricTime
		}
	}
	for _, t := range r.Tables {
		if n := t.Metric.Name; !assay.IsLatency(n) && n != assay.MetricRequests && n != assay.MetricServerCPU {
			continue
		}
		for _, row := range t.Rows {
			if !timed[row.Benchmark] && !slices.Contains(list, row.Benchmark) {
				list = append(list, row.Benchmark)
			}
		}
	}
	return list, len(list) > 0 && len(list) == len(timed)
}

// without is a result less some benchmarks. A geomean that was over them, too,
// goes with them.
func without(r *assay.Result, services []assay.Benchmark) *assay.Result {
	out := *r
	out.Tables = nil
	for _, t := range r.Tables {
		rows := slices.DeleteFunc(slices.Clone(t.Rows), func(row assay.Row) bool { return slices.Contains(services, row.Benchmark) })
		if len(rows) == 0 {
			continue
		}
		if len(rows) < len(t.Rows) {
			t.Geomean, t.Effects = nil, nil
		}
		t.Rows = rows
		out.Tables = append(out.Tables, t)
	}
	return &out
}

// blockNoun is what a block is called: of services it is a start of the server.
func (p *printer) blockNoun() string {
	if p.serves {
		return "server start"
	}
	return "block"
}

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

// serviceTables prints the services: metrics as rows, a section for what each of
// load, server and collector tells, variants as columns up to three of them.
func (p *printer) serviceTables() {
	var all []section
	for _, b := range p.services {
		all = append(all, p.serviceSections(b)...)
	}
	switch {
	case p.s.Pairs && !p.foreign:
		p.pairs(all)
	case len(p.shown) <= 2 || p.foreign:
		p.columns(all, p.shown)
	default:
		p.serviceVariants()
	}
}

// serviceSections are those of one service.
func (p *printer) serviceSections(b assay.Benchmark) []section {
	load := section{title: "latency", bench: b.Name, decides: true, entries: p.loadEntries(b), latency: p.latencyOf(b)}
	out := []section{load}
	if s := (section{title: "server", entries: p.metricEntries(b, serverLabels)}); len(s.entries) > 0 {
		out = append(out, s)
	}
	gc := section{title: gcTitle, aside: gcAside, entries: p.metricEntries(b, gcLabels)}
	for _, t := range p.r.Tables {
		if l, _ := labelOf(t.Metric.Name); isGC(t.Metric.Name) && p.hides(t, l) && rowOf(t, b) != nil {
			gc.hidden++
		}
	}
	if len(gc.entries) > 0 {
		gc.tail = p.gcNote(gc, b)
		out = append(out, gc)
	}
	return out
}

// hides reports whether a metric is one of details that nobody asked for.
func (p *printer) hides(t assay.Table, l label) bool { return l.detail && !t.Decides && !p.s.All }

// loadEntries are what the load generator saw: latencies, rate, errors, and what
// has no label.
func (p *printer) loadEntries(b assay.Benchmark) []entry {
	var quantiles, others []label
	for _, m := range p.quantiles(b) {
		l, _ := labelOf(m)
		quantiles = append(quantiles, l)
	}
	for _, t := range p.r.Tables {
		if l, known := labelOf(t.Metric.Name); !known && !isGC(t.Metric.Name) {
			others = append(others, l)
		}
	}
	return p.metricEntries(b, slices.Concat(quantiles, loadLabels, others))
}

// quantiles are the names of the latency quantiles of a service, those that were
// refused among them. Beyond p99.9 most runs are too short, which is not worth a
// line unless somebody asked.
func (p *printer) quantiles(b assay.Benchmark) []string {
	var names []string
	for _, t := range p.r.Tables {
		if assay.IsLatency(t.Metric.Name) && rowOf(t, b) != nil {
			names = append(names, t.Metric.Name)
		}
	}
	if l := p.latencyOf(b); l != nil {
		for _, x := range l.Refused {
			usual := byQuantile(x.Metric, "latency.p99.9") <= 0 || slices.Contains(p.r.Rule.Metrics, x.Metric)
			if assay.IsLatency(x.Metric) && !slices.Contains(names, x.Metric) && (usual || p.s.All) {
				names = append(names, x.Metric)
			}
		}
	}
	slices.SortFunc(names, byQuantile)
	return names
}

func (p *printer) latencyOf(b assay.Benchmark) *assay.Latency {
	for i := range p.r.Latencies {
		if p.r.Latencies[i].Benchmark == b {
			return &p.r.Latencies[i]
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
func (p *printer) metricEntries(b assay.Benchmark, labels []label) []entry {
	var out []entry
	for _, l := range labels {
		i := slices.IndexFunc(p.r.Tables, func(t assay.Table) bool { return t.Metric.Name == l.metric })
		if i < 0 || rowOf(p.r.Tables[i], b) == nil {
			if text := p.refused(b, l.metric); text != "" {
				out = append(out, entry{label: l.text, bench: b.Name, base: math.NaN(), refused: text, metric: assay.Metric{Name: l.metric}})
			}
			continue
		}
		t := p.r.Tables[i]
		row := *rowOf(t, b)
		if p.hides(t, l) || l.metric == assay.MetricErrors && !t.Decides && !p.s.All && noErrors(row) {
			continue
		}
		e := p.entry(t, row)
		e.label, e.bench = l.text, b.Name
		if text := p.refused(b, l.metric); text != "" && !measured(row) {
			e.refused = text
		}
		out = append(out, e)
	}
	return out
}

// refused says why a quantile is not given.
func (p *printer) refused(b assay.Benchmark, metric string) string {
	l := p.latencyOf(b)
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

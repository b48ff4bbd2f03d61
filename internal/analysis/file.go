package analysis

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/seed-1318a441/assay"
)

// FromSamples compares results from files. Results with block numbers get the whole
// analysis. Others get medians, each with its interval as benchstat computes it, and
// changes, but no verdict: nothing pairs them.
func FromSamples(s *assay.Samples, decide assay.Decide) *assay.Result {
	if s.Base == "" || !slices.Contains(s.Variants, s.Base) {
		s.Base = s.Variants[0]
	}
	if s.Mixed != nil {
		return foreign(s, decide)
	}
	t := samplesTracker(s, decide)
	t.set.Prepare()
	r := t.Result(s.Platform, t.readStop())
	r.Created = r.Created.UTC()
	return r
}

// samplesTracker returns a tracker that has seen the samples' blocks.
func samplesTracker(s *assay.Samples, decide assay.Decide) *Tracker {
	p := &assay.Plan{Study: assay.Study{Name: "files", Base: s.Base, Decide: decide, Measure: assay.Measure{Inner: 1, Layouts: s.Layouts}}}
	for _, m := range s.Metrics {
		m.MinEffect = decide.Margin(m.Name)
		p.Metrics = append(p.Metrics, m)
	}
	for _, v := range s.Variants {
		p.Variants = append(p.Variants, assay.Variant{Name: v, Control: v == s.Control})
		if v != s.Control {
			p.Study.Variants = append(p.Study.Variants, assay.Variant{Name: v})
		}
	}
	seen := map[assay.Benchmark]bool{}
	for _, x := range s.Samples {
		if !seen[x.Benchmark] {
			seen[x.Benchmark] = true
			p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Benchmark: x.Benchmark})
		}
	}
	t := NewTracker(p, 0)
	t.set.Read(s)
	return t
}

// foreign compares results that were not measured together.
func foreign(s *assay.Samples, decide assay.Decide) *assay.Result {
	r := &assay.Result{Schema: assay.ResultSchema, Study: "files", Base: s.Base, Platform: s.Platform,
		Rule: assay.Rule{Metrics: decide.Metrics, MinEffect: decide.MinEffect, Confidence: decide.Confidence},
		Warnings: []assay.Warning{{Code: assay.CodeNotInterleaved, Text: fmt.Sprintf("%s were not measured together", fewNames(s.Names)),
			Facts: append(slices.Clone(s.Mixed), "numbers are printed, verdicts are not"), Try: "assay compare v1.4.0 v1.5.0"}},
		Answer: assay.Answer{Text: []string{"no verdict: the results were not measured together"}},
	}
	for _, v := range s.Variants {
		r.Variants = append(r.Variants, assay.VariantResult{Name: v})
	}
	for _, m := range s.Metrics {
		m.MinEffect = decide.Margin(m.Name)
		tab := assay.Table{Metric: m, Decides: slices.Contains(decide.Metrics, m.Name), Rows: foreignRows(s, m.Name, decide.Confidence)}
		r.Tables = append(r.Tables, tab)
	}
	slices.SortStableFunc(r.Tables, func(a, b assay.Table) int { return btoi(b.Decides) - btoi(a.Decides) })
	r.Answer.Basis = foreignBasis(r.Tables, decide.Confidence)
	return r
}

// LeastResults returns the number of results from which a median has an interval: the
// smallest n with 2^(1-n) <= 1 - confidence, since it lies between order statistics.
func LeastResults(confidence float64) int {
	return int(math.Ceil(1 - math.Log2(max(1-confidence, 1e-9))))
}

// foreignBasis describes the medians and their intervals.
func foreignBasis(tables []assay.Table, confidence float64) string {
	with, without := 0, 0
	count := func(s *assay.Spread, measured bool) {
		with += btoi(s != nil)
		without += btoi(s == nil && measured)
	}
	for _, tab := range tables {
		for _, row := range tab.Rows {
			count(row.Spread, row.Base != 0)
			for _, c := range row.Cells {
				count(c.Spread, c.N > 0)
			}
		}
	}
	percent, least := 100*confidence, LeastResults(confidence)
	switch {
	case with == 0:
		return fmt.Sprintf("medians without intervals: %g %% takes %d results of each", percent, least)
	case without > 0:
		return fmt.Sprintf("medians, with %g %% intervals where there are %d results or more", percent, least)
	}
	return fmt.Sprintf("medians, each with its %g %% interval", percent)
}

func fewNames(names []string) string {
	if len(names) == 2 {
		return names[0] + " and " + names[1]
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}

func foreignRows(s *assay.Samples, metric string, confidence float64) []assay.Row {
	var rows []assay.Row
	at := map[assay.Benchmark]int{}
	values := map[assay.Benchmark]map[string][]float64{}
	for _, x := range s.Samples {
		if x.Metric != metric {
			continue
		}
		if values[x.Benchmark] == nil {
			values[x.Benchmark] = map[string][]float64{}
			at[x.Benchmark] = len(rows)
			rows = append(rows, assay.Row{Benchmark: x.Benchmark})
		}
		values[x.Benchmark][x.Variant] = x.Values
	}
	for i := range rows {
		row := &rows[i]
		base := summary(values[row.Benchmark][s.Base], confidence)
		row.Base, row.Spread = base.Center, spread(base)
		for _, v := range s.Variants {
			if v != s.Base {
				row.Cells = append(row.Cells, foreignCell(row, v, values[row.Benchmark][v], confidence))
			}
		}
	}
	return rows
}

// summary returns benchmath's median with its distribution-free interval. It copies the
// values, since NewSample sorts them.
func summary(values []float64, confidence float64) benchmath.Summary {
	if len(values) == 0 {
		return benchmath.Summary{}
	}
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), confidence)
}

// spread returns the interval of a summary; nil if it has too few values.
func spread(s benchmath.Summary) *assay.Spread {
	if s.Confidence == 0 || math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return nil
	}
	return &assay.Spread{Lo: s.Lo, Hi: s.Hi}
}

func foreignCell(row *assay.Row, variant string, values []float64, confidence float64) assay.Comparison {
	c := assay.Comparison{Variant: variant, Benchmark: row.Benchmark, N: len(values), Verdict: assay.Withheld, Reason: "not measured together"}
	if len(values) == 0 {
		c.Reason = "not in these results"
		return c
	}
	sum := summary(values, confidence)
	c.Value, c.Spread = sum.Center, spread(sum)
	c.Difference = c.Value - row.Base
	if by := c.Value/row.Base - 1; !math.IsNaN(by) && !math.IsInf(by, 0) {
		c.Change = assay.Change(by)
	}
	return c
}

package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/stats"
)

// FromSamples compares results from files. Results with block numbers get the whole
// analysis. Others get medians, each with its interval as benchstat computes it, and
// changes, but no verdict: nothing pairs them.
func FromSamples(s *assay.Samples, decide assay.Decide) *assay.Result {
	if s.Base == "" || !slices.Contains(s.Variants, s.Base) {
		s.Base = s.Variants[0]
	}
	var r *assay.Result
	if s.Mixed != nil {
		r = foreign(s, decide)
	} else {
		t := samplesTracker(s, decide)
		t.set.Prepare()
		r = t.Result(s.Platform, t.readStop())
		r.Created = r.Created.UTC()
	}
	addLosses(r, s, decide.Gate > 0)
	return r
}

// addLosses says which results are missing. No gate holds without them.
func addLosses(r *assay.Result, s *assay.Samples, gate bool) {
	if n := len(s.Failed); n > 0 {
		r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeBenchFailed, Text: printable.Count(n, "failure") + " where the files were made", Facts: s.Failed[:min(n, mostLost)]})
	}
	if fast := tooFast(s); len(fast) > 0 {
		r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeSubNanosecond, Text: "less than a clock cycle or two an operation: " + answer.Few(fast),
			Facts: []string{"the compiler has removed what was to be measured, or part of it"}})
	}
	if n := len(s.Lost); n > 0 {
		r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeLostResults, Text: printable.Count(n, "result") + " of the files could not be read", Facts: s.Lost[:min(n, mostLost)]})
	}
	if n := len(s.Failed) + len(s.Lost); n > 0 && gate {
		answer.SetGate(&r.Answer, answer.GateFailed, printable.Count(n, "result")+" lost")
	}
}

// tooFast lists the benchmarks that take less than half a nanosecond an operation, too little
// for any work.
func tooFast(s *assay.Samples) (names []string) {
	for _, x := range s.Samples {
		if x.Metric == assay.MetricTime && stats.Median(x.Values) < 0.5e-9 && !slices.Contains(names, x.Benchmark.Name) {
			names = append(names, x.Benchmark.Name)
		}
	}
	return names
}

// mostLost is the number of lost results that are named.
const mostLost = 5

// samplesTracker returns a tracker that has seen the samples' blocks.
func samplesTracker(s *assay.Samples, decide assay.Decide) *Tracker {
	p := &assay.Plan{Study: assay.Study{Name: "files", Base: s.Base, Decide: decide, Measure: assay.Measure{Inner: 1}}}
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
			Facts: append(slices.Clone(s.Mixed), "numbers are printed, verdicts are not"), Advice: "measure them together: assay compare with the revisions or toolchains that they are of"}},
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
	if !hasCommon(r.Tables) {
		r.Answer.Text[0] = "nothing to compare: the files have no metric of a benchmark in common"
	}
	r.Answer.Basis = foreignBasis(r.Tables, decide.Confidence)
	if decide.Gate > 0 {
		r.Rule.Gate = decide.Gate
		answer.SetGate(&r.Answer, answer.GateOpen, "results that were not measured together have no verdicts")
	}
	addUnmatched(r, s)
	if n := len(s.Names); n > manyFiles && n == len(s.Variants) {
		w := &r.Warnings[0]
		w.Facts = append(w.Facts, "several files of one version can be one variant: old="+s.Names[0]+" old="+s.Names[1]+" … new="+s.Names[n-1])
	}
	return r
}

// hasCommon reports whether a metric of a benchmark of the base is in another file.
func hasCommon(tables []assay.Table) bool {
	return slices.ContainsFunc(tables, func(t assay.Table) bool {
		return slices.ContainsFunc(t.Rows, func(r assay.Row) bool {
			return slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool { return c.N > 0 })
		})
	})
}

// manyFiles is the number of files above which each hardly is a version of its own.
const manyFiles = 4

// addUnmatched names the benchmarks that only one variant has. Without the base there is
// nothing to compare.
func addUnmatched(r *assay.Result, s *assay.Samples) {
	has := map[assay.Benchmark]map[string]bool{}
	packages := map[string]int{} // that have a benchmark of a name
	for _, x := range s.Samples {
		if has[x.Benchmark] == nil {
			has[x.Benchmark] = map[string]bool{}
			packages[x.Benchmark.Name]++
		}
		has[x.Benchmark][x.Variant] = true
	}
	var facts []string
	for _, v := range s.Variants {
		var only []string
		for _, x := range s.Samples {
			name := x.Benchmark.Name
			if packages[name] > 1 {
				name += " of " + cmp.Or(x.Benchmark.Package, "an unknown package")
			}
			if x.Variant == v && len(has[x.Benchmark]) == 1 && !slices.Contains(only, name) {
				only = append(only, name)
			}
		}
		if len(only) > 0 {
			facts = append(facts, fmt.Sprintf("only in %s: %s", v, answer.Few(only)))
		}
	}
	if facts = append(facts, s.Skipped...); len(facts) > 0 {
		r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeBenchmarkSetsDiffer, Text: "some benchmarks are not in all files", Facts: facts})
	}
	addOtherUnits(r, s)
}

// addOtherUnits names the metrics that one variant alone has, such as ms/op beside ns/op of
// the others.
func addOtherUnits(r *assay.Result, s *assay.Samples) {
	in := map[string][]string{} // the variants that have a metric
	for _, x := range s.Samples {
		if !slices.Contains(in[x.Metric], x.Variant) {
			in[x.Metric] = append(in[x.Metric], x.Variant)
		}
	}
	var facts []string
	for _, m := range s.Metrics {
		if len(in[m.Name]) == 1 && len(s.Variants) > 1 {
			facts = append(facts, fmt.Sprintf("%s is in %s alone", m.Name, in[m.Name][0]))
		}
	}
	if len(facts) > 0 {
		r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeBenchmarkSetsDiffer, Text: "some metrics are not in all files, or in other units", Facts: facts})
	}
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
	switch len(names) {
	case 1:
		return "the results of " + names[0]
	case 2:
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
	rows = slices.DeleteFunc(rows, func(r assay.Row) bool { return len(values[r.Benchmark][s.Base]) == 0 }) // addUnmatched names them
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
	if row.Base > 0 && c.Value >= 0 { // a share of what is below 0 has no meaning
		c.Change = assay.Change(c.Value/row.Base - 1)
	}
	return c
}

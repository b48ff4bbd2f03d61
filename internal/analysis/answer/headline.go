package answer

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Headlines returns the comparisons on the whole suite, one for each variant.
func Headlines(tab assay.Table) []assay.Comparison {
	if len(tab.Geomean) > 0 {
		return tab.Geomean
	}
	if len(tab.Rows) == 1 {
		return tab.Rows[0].Cells
	}
	// Of several benchmarks all variants may have run, and kept up with, only one.
	var left []assay.Row
	for _, row := range tab.Rows {
		if !slices.ContainsFunc(row.Cells, func(c assay.Comparison) bool { return NoFigure(c.Verdict) }) {
			left = append(left, row)
		}
	}
	if len(left) == 1 {
		return left[0].Cells
	}
	return nil
}

// NoFigure reports whether a verdict says nothing about its variant.
func NoFigure(v assay.Verdict) bool {
	return v == assay.Invalid || v == assay.Saturated || v == assay.Withheld
}

// tally counts the verdicts of the benchmarks.
func tally(tab assay.Table, variant string) (v assay.VariantResult) {
	for c := range Column(tab, variant) {
		v.Count(c)
	}
	return v
}

// exceptions names the benchmarks that contradict the headline.
func exceptions(tab assay.Table, head assay.Comparison, n assay.VariantResult) []string {
	if len(tab.Rows) < 2 {
		return nil
	}
	switch {
	case head.Verdict.Good() && n.Worse > 0:
		return []string{fmt.Sprintf("except %d: %s", n.Worse, movers(tab, head.Variant, assay.Verdict.Bad))}
	case head.Verdict.Bad() && n.Better > 0:
		return []string{fmt.Sprintf("except %d: %s", n.Better, movers(tab, head.Variant, assay.Verdict.Good))}
	case !head.Verdict.Differs() && n.Worse+n.Better > 0:
		return []string{fmt.Sprintf("%d for the better, %d for the worse: %s", n.Better, n.Worse, movers(tab, head.Variant, assay.Verdict.Differs))}
	}
	return nil
}

// overText names what a headline is about if that is the only one of several benchmarks
// that all variants have: " on NAME".
func overText(tab assay.Table, c assay.Comparison) string {
	if len(tab.Geomean) == 0 && len(tab.Rows) > 1 {
		return " on " + tab.NameOf(c.Benchmark)
	}
	return ""
}

// movers lists up to three benchmarks with the wanted verdicts, the largest change first.
func movers(tab assay.Table, variant string, want func(assay.Verdict) bool) string {
	found := slices.DeleteFunc(slices.Collect(Column(tab, variant)), func(c assay.Comparison) bool { return !want(c.Verdict) })
	slices.SortStableFunc(found, bySize)
	var parts []string
	for i, c := range found {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, tab.NameOf(c.Benchmark)+" "+Interval(c))
	}
	return strings.Join(parts, ", ")
}

// within is " within ±1 %", or " (exact)" for exact numbers.
func within(m assay.Metric, c assay.Comparison) string {
	switch {
	case c.Exact:
		return " (exact)"
	case c.Never():
		return " (0 in every trial)"
	}
	return " within ±" + printable.Share(m.MinEffect)
}

// Column yields the comparisons of one variant with the base.
func Column(tab assay.Table, variant string) iter.Seq[assay.Comparison] {
	return func(yield func(assay.Comparison) bool) {
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				if c.Variant == variant && c.Verdict != assay.Withheld && !yield(c) {
					return
				}
			}
		}
	}
}

// Headline returns the comparison of a variant with the base on the whole suite and the
// first metric; ok is false if it was not measured.
func Headline(r *assay.Result, variant string) (c assay.Comparison, ok bool) {
	if len(r.Tables) == 0 {
		return c, false
	}
	c, ok = Find(Headlines(r.Tables[0]), variant)
	return c, ok && c.N > 0
}

// Find returns the comparison of a variant; ok is false if there is none.
func Find(cells []assay.Comparison, variant string) (c assay.Comparison, ok bool) {
	i := slices.IndexFunc(cells, func(c assay.Comparison) bool { return c.Variant == variant })
	if i < 0 {
		return c, false
	}
	return cells[i], true
}

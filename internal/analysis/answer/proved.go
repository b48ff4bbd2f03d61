package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxProved is the number of lines on other metrics in an answer.
const maxProved = 4

// provedElsewhere lists what is proved on other metrics than the answer's, and not in its
// sentence: on those that decide, and if the answer claims no difference on allocations,
// which are often known when time is not.
func provedElsewhere(r *assay.Result, a assay.Answer, fs []finding) (out []string) {
	for _, tab := range r.Tables {
		said := slices.ContainsFunc(fs, func(f finding) bool { return f.table.Metric.Name == tab.Metric.Name })
		if said || !tab.Decides && (a.Verdict.Differs() || !assay.IsCount(tab.Metric.Name)) {
			continue
		}
		for _, v := range r.Variants {
			if c, ok := Find(Headlines(tab), v.Name); ok && v.Name == a.Use && c.Verdict.Differs() {
				continue // gains and costs
			}
			if text := provedText(tab, v.Name); text != "" && len(out) < maxProved {
				out = append(out, "proved: "+text)
			}
		}
	}
	return out
}

// soFar lists the counts of allocations that had one number in every trial of the base and
// another in every trial of a variant, in too few blocks for a verdict.
func soFar(r *assay.Result) (out []string) {
	for _, tab := range r.Tables {
		for _, v := range r.Variants {
			if text := soFarText(tab, v.Name); text != "" && len(out) < maxProved {
				out = append(out, "so far: "+text)
			}
		}
	}
	return out
}

// soFarText is "allocs/op of b 1 → 2 in every trial", or "allocs/op of b differs in every
// trial of 2 of 24 benchmarks: A 1 → 2, B 3 → 4"; "" for none.
func soFarText(tab assay.Table, variant string) string {
	found := slices.DeleteFunc(slices.Collect(Column(tab, variant)), func(c assay.Comparison) bool { return !c.SoFar() || c.Difference == 0 })
	slices.SortStableFunc(found, bySize)
	var parts []string
	for _, c := range found[:min(len(found), maxMovers)] {
		parts = append(parts, fmt.Sprintf("%s %.10g → %.10g", tab.NameOf(c.Benchmark), c.Value-c.Difference, c.Value))
	}
	if len(found) > maxMovers {
		parts = append(parts, "…")
	}
	switch {
	case len(found) == 0:
		return ""
	case len(tab.Rows) == 1:
		return fmt.Sprintf("%s of %s %.10g → %.10g in every trial", noun(tab.Metric), variant, found[0].Value-found[0].Difference, found[0].Value)
	}
	return fmt.Sprintf("%s of %s differs in every trial of %d of %s: %s", noun(tab.Metric), variant, len(found), printable.Count(len(tab.Rows), "benchmark"), strings.Join(parts, ", "))
}

// gains is ", 50.0 % fewer allocs/op (exact)": what else a variant is proved to be better
// at, of the metrics that decide and of errors, besides the one that was said.
func gains(r *assay.Result, variant, said string) (out string) {
	for _, tab := range r.Tables {
		if !tab.Decides && tab.Metric.Name != assay.MetricErrors || tab.Metric.Name == said {
			continue
		}
		if c, ok := Find(Headlines(tab), variant); ok && c.Verdict.Good() {
			out += ", " + elsewhere(tab, c)
		}
	}
	return out
}

// elsewhere is a change of a metric that is not the answer's: "50.0 % fewer allocs/op
// (exact)", or "less allocs/op in 2 of 15 benchmarks, −33.3 % to −50.0 %" of one that is not
// typical.
func elsewhere(tab assay.Table, c assay.Comparison) string {
	if text := changeIn(tab, c); text != "" && !RarityOf(tab, c).Typical() {
		return text
	}
	return amount(tab.Metric, c)
}

// provedText is "allocs/op of b +114.0 % (exact)". Without such a claim it counts the
// benchmarks in which the metric differs; "" for none.
func provedText(tab assay.Table, variant string) string {
	differ, exact := 0, 0
	for c := range Column(tab, variant) {
		if c.Verdict.Differs() {
			differ++
			if c.Exact {
				exact++
			}
		}
	}
	head, _ := Find(Headlines(tab), variant)
	what := noun(tab.Metric) + " of " + variant
	text := fmt.Sprintf("%s %s%s", what, Interval(head), overText(tab, head))
	switch typical := RarityOf(tab, head).Typical(); {
	case !typical && differ > 0:
	case head.Verdict.Differs() && exact > 0 && !head.Exact && len(tab.Geomean) > 0:
		return fmt.Sprintf("%s, exact in %d", text, exact)
	case head.Verdict.Differs():
		return text
	case differ == 0:
		return ""
	}
	return fmt.Sprintf("%s differs in %d of %s: %s", what, differ, printable.Count(len(tab.Rows), "benchmark"), movers(tab, variant, assay.Verdict.Differs))
}

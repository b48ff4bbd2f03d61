package answer

import (
	"fmt"
	"slices"

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
		if said || !tab.Decides && (a.Verdict.Differs() || !counts(tab.Metric)) {
			continue
		}
		for _, v := range r.Variants {
			if c, ok := Find(Headlines(tab), v.Name); ok && v.Name == a.Use && c.Verdict.Differs() {
				continue // gains and costs
			}
			if text := provedText(tab, v.Name); text != "" && len(out) < maxProved {
				if len(r.Variants) > 2 {
					text = v.Name + " " + text
				}
				out = append(out, "proved: "+text)
			}
		}
	}
	return out
}

// gains is ", 50.0 % fewer allocs/op (exact)": what else a variant is proved to be better
// at, of the metrics that decide and of errors, besides the one that was said.
func gains(r *assay.Result, variant, said string) (out string) {
	for _, tab := range r.Tables {
		if !tab.Decides && tab.Metric.Name != assay.MetricErrors || tab.Metric.Name == said {
			continue
		}
		if c, ok := Find(Headlines(tab), variant); ok && c.Verdict.Good() {
			out += ", " + amount(tab.Metric, c)
		}
	}
	return out
}

// provedText is "allocs/op +114.0 % (exact)". Without such a claim it counts the benchmarks in which the metric differs; ""
// for none.
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
	text := fmt.Sprintf("%s %s%s", noun(tab.Metric), Interval(head), overText(tab, head))
	switch {
	case head.Verdict.Differs() && exact > 0 && !head.Exact && len(tab.Geomean) > 0:
		return fmt.Sprintf("%s, exact in %d", text, exact)
	case head.Verdict.Differs():
		return text
	case differ == 0:
		return ""
	}
	return fmt.Sprintf("%s differs in %d of %s: %s", noun(tab.Metric), differ, printable.Count(len(tab.Rows), "benchmark"), movers(tab, variant, assay.Verdict.Differs))
}

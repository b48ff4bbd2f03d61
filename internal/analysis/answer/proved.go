package answer

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxProved is the number of lines on other metrics in an answer.
const maxProved = 4

// provedElsewhere lists what is proved on other metrics than the answer's: on those that
// decide, and if the answer claims no difference on allocations, which are often known
// when time is not.
func provedElsewhere(r *assay.Result, differs bool) (out []string) {
	if len(r.Tables) < 2 {
		return nil
	}
	counted := []string{assay.MetricAllocs, assay.MetricBytes}
	for _, tab := range r.Tables[1:] {
		if !tab.Decides && (differs || !slices.Contains(counted, tab.Metric.Name)) {
			continue
		}
		for _, v := range r.Variants {
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

// provedText is "allocs/op +114.0 % (exact) (geomean of 24 benchmarks, 12 complete
// blocks)". Without such a claim it counts the benchmarks in which the metric differs; ""
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
	text := fmt.Sprintf("%s %s%s", tab.Metric.Name, Interval(head), overText(tab, head))
	switch {
	case head.Verdict.Differs() && exact > 0 && !head.Exact && len(tab.Geomean) > 0:
		return fmt.Sprintf("%s, exact in %d", text, exact)
	case head.Verdict.Differs():
		return text
	case differ == 0:
		return ""
	}
	return fmt.Sprintf("%s differs in %d of %s: %s", tab.Metric.Name, differ, printable.Count(len(tab.Rows), "benchmark"), movers(tab, variant, assay.Verdict.Differs))
}

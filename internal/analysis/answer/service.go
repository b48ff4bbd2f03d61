package answer

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// firstSaturated returns the first saturated comparison that decides.
func firstSaturated(r *assay.Result) (assay.Comparison, bool) {
	for _, tab := range r.Tables {
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				if tab.Decides && c.Verdict == assay.Saturated {
					return c, true
				}
			}
		}
	}
	return assay.Comparison{}, false
}

// collectorText describes the collector in a variant, if that is proved: the cost of a
// cycle, and the number of cycles. It never decides.
func collectorText(r *assay.Result, variant string) []string {
	proved := func(metric string) (c assay.Comparison, ok bool) {
		for _, tab := range r.Tables {
			if tab.Metric.Name == metric {
				c, _ = Find(Headlines(tab), variant)
			}
		}
		return c, c.Verdict.Differs()
	}
	cost, costs := proved(assay.MetricGCMarkCPU)
	cycles, fewer := proved(assay.MetricGCCyclesTx)
	if !fewer {
		cycles, fewer = proved(assay.MetricGCCyclesMin)
	}
	link := pick(cost.Verdict == cycles.Verdict, "and", "but")
	costText := fmt.Sprintf("each GC cycle costs %s CPU (%s)", pick(cost.Verdict.Bad(), "more", "less"), Interval(cost))
	countText := fmt.Sprintf("cycles are %s (%s)", pick(cycles.Verdict.Bad(), "more frequent", "rarer"), Interval(cycles))
	switch {
	case costs && fewer:
		return []string{fmt.Sprintf("in %s %s, %s %s", variant, costText, link, countText)}
	case costs:
		return []string{fmt.Sprintf("in %s %s", variant, costText)}
	case fewer:
		return []string{fmt.Sprintf("in %s GC %s", variant, countText)}
	}
	return nil
}

// missing lists the deciding metrics that no block has for both sides.
func missing(r *assay.Result) (out []string) {
	for _, tab := range r.Tables {
		switch {
		case !tab.Decides || len(tab.Rows) > 0:
		case assay.IsLatency(tab.Metric.Name):
			out = append(out, fmt.Sprintf("%s is unknown: each run needs %d requests beyond it", tab.Metric.Name, assay.MinBeyond))
		default:
			out = append(out, tab.Metric.Name+" is unknown: no run reported it")
		}
	}
	return out
}

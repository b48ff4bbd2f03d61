package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// longestSentence is the number of characters that a further cost may not exceed in the
// first sentence of an answer. The largest cost is always in it.
const longestSentence = 140

// costs are the resources that a variant can cost: of the metrics of each, only the
// largest change counts. The collector's metrics and the counters of the system are none:
// what they cost shows in time, CPU and memory.
var costs = map[string]string{
	assay.MetricTime: "time", assay.MetricRate: "time", assay.MetricRequests: "throughput", assay.MetricErrors: "errors",
	assay.MetricUser: "CPU", assay.MetricServerCPU: "CPU",
	assay.MetricRSS: "memory", assay.MetricMeanRSS: "memory", assay.MetricBytes: "bytes", assay.MetricAllocs: "allocations",
}

// resource is what a metric counts; "" if a change of it is no cost.
func resource(m assay.Metric) string {
	switch {
	case assay.IsLatency(m.Name):
		return "latency"
	case costs[m.Name] != "":
		return costs[m.Name]
	case assay.KnownBetter(m.Name) == assay.BetterUnknown:
		return m.Name // a unit of the benchmark's own
	}
	return ""
}

// Costs lists what a variant is proved to cost against the base, on the whole suite or, of
// counts, on some benchmarks; the largest change comes first.
func Costs(r *assay.Result, variant string) (out []string) {
	var found []finding
	for _, tab := range r.Tables {
		if c, ok := Find(Headlines(tab), variant); ok && c.Verdict.Bad() && resource(tab.Metric) != "" {
			found = append(found, finding{tab, []assay.Comparison{c}})
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return bySize(a.heads[0], b.heads[0]) })
	seen := map[string]bool{}
	for _, f := range found {
		if what := resource(f.table.Metric); !seen[what] {
			seen[what] = true
			out = append(out, elsewhere(f.table, f.heads[0]))
		}
	}
	for _, tab := range r.Tables {
		c, ok := Find(Headlines(tab), variant)
		what := resource(tab.Metric)
		if ok && c.Verdict.Differs() || what == "" || tab.Decides && !assay.IsCount(tab.Metric.Name) || seen[what] {
			continue
		}
		if text := changeIn(tab, assay.Comparison{Variant: variant}); text != "" {
			seen[what] = true
			out = append(out, text)
		}
	}
	return out
}

// changeIn is "more peak memory in 6 of 6 benchmarks, +9.1 % to +11.0 %": in how many a variant
// is proved to change a metric as it does on the whole, or to cost more where nothing is
// proved there; "" for none.
func changeIn(tab assay.Table, whole assay.Comparison) string {
	is := assay.Verdict.Bad
	if whole.Verdict.Good() {
		is = assay.Verdict.Good
	}
	list := slices.DeleteFunc(slices.Collect(Column(tab, whole.Variant)), func(c assay.Comparison) bool { return !is(c.Verdict) })
	if len(list) == 0 {
		return ""
	}
	more := tab.Metric.Loss() > 0 != whole.Verdict.Good()
	text := fmt.Sprintf("%s %s in %d of %s", pick(more, "more", "less"), noun(tab.Metric), len(list), printable.Count(len(tab.Rows), "benchmark"))
	slices.SortStableFunc(list, bySize)
	most, least := list[0], list[len(list)-1]
	switch {
	case most.Change == 0 || least.Change == 0: // of nothing there is no percentage
		return text
	case len(list) == 1:
		return text + ", " + most.Change.Format(half(most))
	}
	return text + ", " + least.Change.Format(half(least)) + " to " + most.Change.Format(half(most))
}

// NameCosts says what the recommended variant costs: in the line that recommends it, and
// as a list.
func NameCosts(a *assay.Answer, r *assay.Result) {
	if a.Use == "" || a.Use == r.Base {
		return
	}
	a.Cost = Costs(r, a.Use)
	line := slices.IndexFunc(a.Text, func(l string) bool { return strings.HasPrefix(l, "use "+Subject(a.Use)+": ") })
	for i, cost := range a.Cost {
		if line = max(line, 0); i > 0 && utf8.RuneCountInString(a.Text[line]+cost) > longestSentence-2 {
			return
		}
		a.Text[line] += pick(i == 0, ", but ", ", ") + cost
	}
}

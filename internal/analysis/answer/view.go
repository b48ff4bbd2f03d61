package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// A view is a variant on one metric.
type view struct {
	metric assay.Metric
	assay.Comparison
	rare Rarity
	each string // how far each benchmark may reach, of an open comparison on the whole suite
}

// viewOf is a variant on the whole suite of a table.
func viewOf(tab assay.Table, c assay.Comparison) view {
	return view{tab.Metric, c, RarityOf(tab, c), eachText(tab, c)}
}

// amount is the change in words.
func (v view) amount() string {
	if !v.rare.Typical() {
		return v.rare.String()
	}
	return amount(v.metric, v.Comparison)
}

// against is that, against the base.
func (v view) against(base string) string {
	if !v.rare.Typical() {
		return v.rare.String()
	}
	return Amount(v.metric, v.Comparison, base)
}

// figure is the change without its interval, with the number of benchmarks behind it if it is
// not typical.
func (v view) figure() string { return figure(v.Comparison) + v.rare.few() }

// onBenchmark begins the answer where a change is divided.
const onBenchmark = "it depends on the benchmark: "

// takes is the verb before it.
func (v view) takes() string { return pick(v.rare.Typical(), takes(v.metric), "has") }

func (v view) bySize(o view) int { return bySize(v.Comparison, o.Comparison) }

// A group holds the views of an answer by what they claim: several variants on one metric,
// or one variant on several. An answer says no more than these do.
type group struct {
	better, worse, changed, same, open []view
	out                                []view // invalid, saturated, or not measured
}

func groupOf(list []view) (g group) {
	for _, x := range list {
		switch v := x.Verdict; {
		case NoFigure(v) || x.N == 0 && v != assay.SameCoded:
			g.out = append(g.out, x)
		case v.Good():
			g.better = append(g.better, x)
		case v.Bad():
			g.worse = append(g.worse, x)
		case v == assay.Changed:
			g.changed = append(g.changed, x)
		case v == assay.Same || v == assay.SameCoded:
			g.same = append(g.same, x)
		default:
			g.open = append(g.open, x)
		}
	}
	return g
}

// amounts lists changes: "10.0 % less p50 latency [−11.0, −9.0]".
func amounts(vs []view) (out []string) {
	for _, v := range vs {
		out = append(out, v.amount())
	}
	return out
}

// metricsOf is "p50, p90 latency and tx/s".
func metricsOf(vs []view) string {
	var out []assay.Metric
	for _, v := range vs {
		if !slices.Contains(out, v.metric) {
			out = append(out, v.metric)
		}
	}
	return joinAnd(nounList(out))
}

// names are the variants of views, each once.
func names(vs []view) (out []string) {
	for _, v := range vs {
		if !slices.Contains(out, v.Variant) {
			out = append(out, v.Variant)
		}
	}
	return out
}

// withinAll is " within ±2 %", or " (exact)" for exact numbers, of what is the same on some
// metrics.
func withinAll(vs []view) string {
	first := vs[0]
	if slices.ContainsFunc(vs, func(v view) bool { return v.metric.MinEffect != first.metric.MinEffect || v.Exact != first.Exact }) {
		return " within the minimum effect of each"
	}
	return within(first.metric, first.Comparison)
}

// undecidedText says of one variant, with each metric, what is excluded: "no change beyond
// ±1.6 %". Of an interval that excludes 0 it is "not decided: time of b +1.4 % [+0.5, +2.3]",
// and without an interval it says why there is none, once.
func undecidedText(vs ...view) string {
	var bounds, parts []string
	for _, v := range vs {
		text := v.Reason
		switch {
		case v.Bound() != "":
			bounds = append(bounds, pick(len(vs) == 1 && v.metric.IsTime(), "", " of "+noun(v.metric))+" beyond "+v.Bound())
			continue
		case v.Interval != nil:
			text = noun(v.metric) + pick(len(parts) == 0, " of "+v.Variant, "") + " " + Interval(v.Comparison)
		}
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	within, open := "", ""
	switch {
	case len(bounds) == 0:
	case len(vs) == 1:
		within = noChange + bounds[0] + vs[0].each
	default: // the benchmarks of several metrics have no room
		within = noChange + strings.Join(bounds, ",") + pick(vs[0].each != "", onWhole, "")
	}
	if len(parts) > 0 {
		open = notDecided + strings.Join(parts, ", ")
	}
	return join(within, open)
}

const onWhole = " on the whole"

// eachText is " on the whole, beyond ±6 % in any benchmark" of an open comparison on the
// whole suite; "any other" where some are proved to differ. It says nothing of the
// benchmarks where one may be anything.
func eachText(tab assay.Table, whole assay.Comparison) string {
	if len(tab.Geomean) == 0 || whole.Bound() == "" {
		return ""
	}
	which := "any"
	var widest assay.Comparison
	for c := range Column(tab, whole.Variant) {
		switch {
		case c.Verdict.Differs():
			which = "any other"
		case c.Interval != nil:
			widest = wider(widest, c)
		case c.Verdict != assay.Same && c.Verdict != assay.SameCoded:
			return onWhole
		}
	}
	if widest.Interval == nil || widest.Interval.Bound() == "" {
		return onWhole
	}
	return fmt.Sprintf("%s, beyond %s in %s benchmark", onWhole, widest.Interval.Bound(), which)
}

// maxOpen is the number of undecided variants with intervals.
const maxOpen = 2

// openText says which variants are not decided against the base, on which metrics if there
// are several; "" if none is open. Of a few on one metric it has the intervals, unless they
// are said already.
func openText(open []view, base string, several bool, said ...string) string {
	if len(open) == 0 {
		return ""
	}
	list := names(open)
	for i, v := range open {
		if len(open) <= maxOpen && len(list) == len(open) && v.Interval != nil && !strings.Contains(strings.Join(said, "\n"), Interval(v.Comparison)) {
			list[i] += " " + Interval(v.Comparison)
		}
	}
	text := Few(list) + " against " + base
	if several {
		text += " on " + metricsOf(open)
	}
	return text
}

// whyOut says why a view has no figure.
func whyOut(v view) string {
	why := cmp.Or(v.Reason, "not measured")
	if v.Verdict == assay.Saturated || v.Verdict == assay.Invalid {
		why = string(v.Verdict) + ": " + why
	}
	return why
}

// sameText is "p90 latency and tx/s are the same within ±2 %"; "" for none.
func sameText(same []view) string {
	if len(same) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s the same%s", metricsOf(same), are(len(same)), withinAll(same))
}

// changedText describes a change of a metric whose direction is unknown.
func changedText(v view) string {
	if !v.rare.Typical() {
		return fmt.Sprintf("%s: %s; %s", v.Variant, v.rare, sayDirection)
	}
	return fmt.Sprintf("%s changes %s by %s; %s", v.Variant, v.metric.Name, Interval(v.Comparison), sayDirection)
}

const sayDirection = "say which direction is better with a Unit line"

// exceptionsText names a metric before each line on its benchmarks that contradict the
// headline, if there are several metrics.
func exceptionsText(fs []finding, variant string) (out []string) {
	for _, f := range fs {
		for _, line := range exceptions(f.table, f.of(variant), tally(f.table, variant)) {
			out = append(out, pick(len(fs) > 1, noun(f.table.Metric)+": ", "")+line)
		}
	}
	return out
}

// mixed reports whether a metric that claims no difference on the whole does so on single
// benchmarks, both ways.
func mixed(fs []finding, variant string) bool {
	return slices.ContainsFunc(fs, func(f finding) bool {
		n := tally(f.table, variant)
		return !f.of(variant).Verdict.Differs() && n.Better > 0 && n.Worse > 0
	})
}

package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A views groups the metrics of one variant by what they say.
type views struct {
	better, worse, changed, same, open, saturated, invalid []view
}

// A view is one metric's comparison.
type view struct {
	metric assay.Metric
	assay.Comparison
}

func viewsOf(fs []finding, variant string) (v views) {
	for _, f := range fs {
		x := view{f.table.Metric, f.of(variant)}
		switch {
		case x.Verdict.Good():
			v.better = append(v.better, x)
		case x.Verdict.Bad():
			v.worse = append(v.worse, x)
		case x.Verdict == assay.Changed:
			v.changed = append(v.changed, x)
		case x.Verdict == assay.Same:
			v.same = append(v.same, x)
		case x.Verdict == assay.Saturated:
			v.saturated = append(v.saturated, x)
		case x.Verdict == assay.Invalid:
			v.invalid = append(v.invalid, x)
		default:
			v.open = append(v.open, x)
		}
	}
	return v
}

// String is "latency.p99 −12.1 % [−13.0, −11.2]"; for errors, whose base is often 0, it
// has the shares of both sides.
func (v view) String() string {
	before := v.Value - v.Difference
	switch {
	case v.metric.Name == assay.MetricErrors:
		out := fmt.Sprintf("%s %s instead of %s", noun(v.metric), printable.Share(v.Value), printable.Share(before))
		if v.Interval != nil {
			out += " (" + Interval(v.Comparison) + ")"
		}
		return out
	case v.Interval == nil && v.Verdict.Differs():
		return fmt.Sprintf("%s %.4g instead of %.4g", noun(v.metric), v.Value, before)
	}
	return noun(v.metric) + " " + Interval(v.Comparison)
}

func list(vs []view) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.String())
	}
	return strings.Join(out, ", ")
}

// names is "latency to p99 and tx/s": the last of the quantiles stands for those below
// it, if all of them are in the list.
func (v views) names(vs []view) string {
	to := v.upTo(vs)
	var out []string
	for _, x := range vs {
		name := noun(x.metric)
		if p := quantileOf(x.metric.Name); p > 0 && p <= to {
			if p < to {
				continue
			}
			name = "latency to " + strings.TrimPrefix(x.metric.Name, "latency.")
		}
		out = append(out, name)
	}
	return joinAnd(out)
}

// upTo returns the highest quantile up to which the list has all of the metrics'
// quantiles; 0 for fewer than two.
func (v views) upTo(vs []view) float64 {
	var all, in []float64
	for _, x := range slices.Concat(v.better, v.worse, v.changed, v.same, v.open, v.saturated, v.invalid) {
		if p := quantileOf(x.metric.Name); p > 0 {
			all = append(all, p)
		}
	}
	for _, x := range vs {
		in = append(in, quantileOf(x.metric.Name))
	}
	slices.Sort(all)
	n := 0
	for n < len(all) && slices.Contains(in, all[n]) {
		n++
	}
	if n < 2 {
		return 0
	}
	return all[n-1]
}

// quantileOf returns the quantile of a latency metric; 0 for others.
func quantileOf(metric string) float64 {
	for _, q := range assay.Quantiles {
		if q.Metric() == metric {
			return q.P
		}
	}
	return 0
}

// sameText is "latency to p90 and tx/s are the same within ±2 %".
func (v views) sameText() string {
	if len(v.same) == 0 {
		return ""
	}
	margin := v.same[0].metric.MinEffect
	within := "±" + printable.Share(margin)
	if slices.ContainsFunc(v.same, func(x view) bool { return x.metric.MinEffect != margin }) {
		within = "the minimum effect of each"
	}
	names, verb := v.names(v.same), "are"
	if len(v.same) == 1 || !strings.Contains(names, " and ") {
		verb = "is"
	}
	return names + " " + verb + " the same within " + within
}

// openList is "p99 latency +1.3 % [−1.0, +3.6]" of what is open; if all have only the same
// reason it names that once. It is "" if nothing is open.
func (v views) openList() string {
	if len(v.open) == 0 {
		return ""
	}
	reason := v.open[0].Reason
	if slices.ContainsFunc(v.open, func(x view) bool { return x.Interval != nil || x.Reason != reason }) {
		return list(v.open)
	}
	return v.names(v.open) + " (" + reason + ")"
}

func (v views) changedText() string {
	if len(v.changed) == 0 {
		return ""
	}
	return list(v.changed) + " changed; say which direction is better with a Unit line"
}

// join joins the texts that are not empty.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// after is the continuation of a sentence: "", or "; rest".
func after(rest string) string {
	if rest == "" {
		return ""
	}
	return "; " + rest
}

// A finding is what one metric says of the variants: the headlines of its table.
type finding struct {
	table assay.Table
	heads []assay.Comparison
}

// of returns the comparison of a variant.
func (f finding) of(variant string) assay.Comparison {
	if c, ok := Find(f.heads, variant); ok {
		return c
	}
	return assay.Comparison{Variant: variant, Verdict: assay.Invalid, Reason: "not measured"}
}

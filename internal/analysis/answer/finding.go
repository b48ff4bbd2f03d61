package answer

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

// A finding is what one metric says of the variants: the headlines of its table.
type finding struct {
	table assay.Table
	heads []assay.Comparison
}

// findings returns the metrics that an answer rests on: the first, or for a study of
// services all that decide, in the order of the study, and then that of errors if it
// differs: quick failures are no improvement. It has only metrics with headlines.
func findings(r *assay.Result, serves bool) (out []finding) {
	tabs := r.Tables[:min(len(r.Tables), 1)]
	if serves {
		tabs = nil
		for _, tab := range r.Tables {
			if tab.Decides {
				tabs = append(tabs, tab)
			}
		}
		for _, tab := range r.Tables {
			if tab.Metric.Name == assay.MetricErrors && !tab.Decides && slices.ContainsFunc(Headlines(tab), differs) {
				tabs = append(tabs, tab)
			}
		}
	}
	for _, tab := range tabs {
		if heads := Headlines(tab); len(heads) > 0 {
			out = append(out, finding{tab, heads})
		}
	}
	return out
}

func differs(c assay.Comparison) bool { return c.Verdict.Differs() }

// Answering returns the tables that the answer of a result rests on. It takes a result
// whose first metric is one of a load for that of a service.
func Answering(r *assay.Result) (tabs []assay.Table) {
	if len(r.Tables) == 0 {
		return nil
	}
	first := r.Tables[0].Metric.Name
	if !assay.IsLatency(first) && first != assay.MetricRequests {
		return r.Tables[:1]
	}
	for _, f := range findings(r, true) {
		tabs = append(tabs, f.table)
	}
	return tabs
}

// of returns the comparison of a variant.
func (f finding) of(variant string) assay.Comparison {
	if c, ok := Find(f.heads, variant); ok {
		return c
	}
	return assay.Comparison{Variant: variant, Verdict: assay.Invalid, Reason: "not measured"}
}

// over is " on NAME" if a finding is about one benchmark of several.
func (f finding) over() string { return overText(f.table, f.heads[0]) }

// saturated reports whether the metric cannot distinguish any variants.
func (f finding) saturated() bool {
	return !slices.ContainsFunc(f.heads, func(c assay.Comparison) bool { return c.Verdict != assay.Saturated })
}

// views are the variants on this metric.
func (f finding) views() (out []view) {
	for _, c := range f.heads {
		out = append(out, viewOf(f.table, c))
	}
	return out
}

// viewsOf are the metrics of one variant.
func viewsOf(fs []finding, variant string) (out []view) {
	for _, f := range fs {
		out = append(out, viewOf(f.table, f.of(variant)))
	}
	return out
}

// variantsOf are the variants that the findings compare with the base.
func variantsOf(fs []finding) (out []string) {
	for _, f := range fs {
		for _, c := range f.heads {
			if !slices.Contains(out, c.Variant) {
				out = append(out, c.Variant)
			}
		}
	}
	return out
}

package answer

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
)

// A Lead is what an answer's first figure is of: the number in large print and the figure
// beside the answer show the same.
type Lead struct {
	// Table has the metric.
	Table assay.Table
	// Variant is the one that the sentence names first, else the one that the question names,
	// "" for none. Of a question about causes it is the one with the largest explained change.
	Variant string
	// Effects are those of single switches, the one that the sentence names first leading;
	// nil unless the study asks for them.
	Effects []assay.Effect
}

// LeadOf returns what the answer of a result with tables is of.
func LeadOf(r *assay.Result) Lead {
	out := Lead{Table: r.Tables[0], Variant: r.Answer.Use}
	switch r.Answer.Asks.Kind() {
	case assay.AskVariant:
		if out.Variant == "" || out.Variant == r.Base {
			out.Variant = cmp.Or(variantIn(r), out.Variant)
		}
	case assay.AskTradeoff:
		if r.Tradeoff == nil {
			return out
		}
		if i := slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Metric.Name == r.Tradeoff.Metrics[0].Name }); i >= 0 {
			out.Table = r.Tables[i]
		}
		if list := trades(r); r.Answer.Use == "" && len(list) > 0 {
			out.Variant = list[0].variant
		}
	case assay.AskCauses:
		largest := 0.0
		for _, e := range r.Explanations {
			if n := math.Abs(e.Comparison.Change.Log()); e.Metric == out.Table.Metric.Name && e.Comparison.Verdict.Differs() && n > largest {
				out.Variant, largest = e.Variant, n
			}
		}
	case assay.AskFactor:
		tabs := deciders(r)
		out.Table = tabs[max(0, slices.IndexFunc(tabs, func(t assay.Table) bool { return effectsText(t, r.Answer.Asks) != "" }))]
		out.Effects = effectsOf(out.Table, r.Answer.Asks)
		slices.SortStableFunc(out.Effects, func(a, b assay.Effect) int {
			x, y := a.Whole.Verdict.Differs(), b.Whole.Verdict.Differs()
			switch {
			case x != y:
				return btoi(y) - btoi(x)
			case x:
				return bySize(a.Whole, b.Whole)
			}
			return 0
		})
	}
	return out
}

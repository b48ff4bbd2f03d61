package chain

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Panel is a machine's result with steps. A single one has the name "".
type Panel struct {
	Name   string
	Result *assay.Result
}

// Step finds a step by the name of its variant.
func (x Panel) Step(variant string) (assay.StepResult, bool) {
	for _, s := range x.Result.Arc.Steps {
		if s.Variant == variant {
			return s, true
		}
	}
	return assay.StepResult{}, false
}

// Measured returns the variant that was measured for another: itself, or one with the
// same code; "" for a gap.
func (x Panel) Measured(variant string) string {
	for range len(x.Result.Arc.Steps) + 1 { // a record may go in circles
		s, ok := x.Step(variant)
		if ok && s.Gap != nil {
			return ""
		}
		if !ok || s.SameAs == nil || s.SameAs.As == variant || s.SameAs.Control {
			return variant
		}
		variant = s.SameAs.As
	}
	return variant
}

// Last returns the variant that was measured for the last step without a gap: the base if
// the code is the same, "" if all are gaps.
func (x Panel) Last() string {
	for _, s := range slices.Backward(x.Result.Arc.Steps) {
		if v := x.Measured(s.Variant); v != "" {
			return v
		}
	}
	return ""
}

// End returns the last step against the base.
func (x Panel) End(t *assay.Table) (assay.Comparison, bool) {
	last := x.Last()
	if t != nil && last != "" && last == x.Result.Base {
		return assay.Comparison{Variant: last, Verdict: assay.SameCoded}, true
	}
	return x.Direct(t, last)
}

// Table finds a metric's table.
func (x Panel) Table(metric string) *assay.Table {
	for i := range x.Result.Tables {
		if x.Result.Tables[i].Metric.Name == metric {
			return &x.Result.Tables[i]
		}
	}
	return nil
}

// Direct returns a variant against the base over the suite, or on the only remaining
// benchmark.
func (x Panel) Direct(t *assay.Table, variant string) (assay.Comparison, bool) {
	if t == nil {
		return assay.Comparison{}, false
	}
	return sheet.Whole(*t, variant)
}

// change returns what a table says of a step against the previous one.
func (x Panel) change(t *assay.Table, variant string) (assay.StepChange, bool) {
	if t == nil {
		return assay.StepChange{}, false
	}
	i := slices.IndexFunc(t.Steps, func(c assay.StepChange) bool { return c.Variant == variant })
	if i < 0 {
		return assay.StepChange{}, false
	}
	return t.Steps[i], true
}

// Whole returns a step against the previous one over the suite. With one benchmark left
// it is that one's. With several and no geomean there is none, whatever the record says.
func (x Panel) Whole(t *assay.Table, variant string) (assay.Comparison, bool) {
	c, ok := x.change(t, variant)
	if !ok {
		return assay.Comparison{}, false
	}
	if len(t.Rows) == 1 {
		b := t.Rows[0].Benchmark
		if i := slices.IndexFunc(c.Cells, func(x assay.Comparison) bool { return x.Benchmark == b }); i >= 0 {
			return c.Cells[i], true
		}
	}
	if c.Whole == nil || len(t.Rows) > 1 && len(t.Geomean) == 0 {
		return assay.Comparison{}, false
	}
	return *c.Whole, true
}

// First returns the first table, which decides.
func (x Panel) First() *assay.Table {
	if len(x.Result.Tables) == 0 {
		return nil
	}
	return &x.Result.Tables[0]
}

// fromTree reports whether a step of a chain of commits is a working tree: no history has
// it, so it cannot be measured again.
func (x Panel) fromTree(variant string) bool {
	i := slices.IndexFunc(x.Result.Variants, func(v assay.VariantResult) bool { return v.Name == variant })
	if i < 0 {
		return false
	}
	v := x.Result.Variants[i]
	version := slices.ContainsFunc(v.Words, func(w string) bool { return strings.Contains(w, "@") })
	return v.GoVersion != "" && v.Commit == "" && !version &&
		slices.ContainsFunc(x.Result.Variants, func(v assay.VariantResult) bool { return v.Commit != "" })
}

// says reports whether the text of a change is about what the table shows: not if the
// suite's change is gone because the result was narrowed.
func (x Panel) says(t *assay.Table, c assay.StepChange) bool {
	return c.Whole == nil || len(t.Geomean) > 0 || len(t.Rows) == 1 && len(c.Cells) <= 1
}

// Moved returns a step against the previous one on a benchmark.
func (x Panel) Moved(t *assay.Table, variant string, b assay.Benchmark) (assay.Comparison, bool) {
	change, ok := x.change(t, variant)
	i := slices.IndexFunc(change.Cells, func(c assay.Comparison) bool { return c.Benchmark == b })
	if !ok || i < 0 {
		return assay.Comparison{}, false
	}
	return change.Cells[i], true
}

// On returns a step against the base on a benchmark.
func (x Panel) On(t *assay.Table, variant string, b assay.Benchmark) (assay.Comparison, bool) {
	for _, r := range t.Rows {
		if r.Benchmark == b {
			return sheet.Entry{Cells: r.Cells}.Of(variant)
		}
	}
	return assay.Comparison{}, false
}

func hasRow(t *assay.Table, b assay.Benchmark) bool {
	return slices.ContainsFunc(t.Rows, func(r assay.Row) bool { return r.Benchmark == b })
}

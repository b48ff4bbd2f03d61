package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// arc returns the result of the chain besides the tables, which r must have; nil for
// studies without steps.
func (st *steps) arc(r *assay.Result) *assay.Arc {
	steps := st.rule.plan.Study.Steps
	if steps == nil || len(steps.List) == 0 {
		return nil
	}
	a := &assay.Arc{Phases: steps.Phases, Gates: st.rule.plan.Study.Gates, Compound: st.compounds(r)}
	var tab assay.Table
	if k := slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Decides }); k >= 0 {
		tab = r.Tables[k]
	}
	for i, s := range steps.List {
		a.Steps = append(a.Steps, st.stepResult(r, tab, i, s))
	}
	return a
}

func (st *steps) stepResult(r *assay.Result, tab assay.Table, i int, s assay.Step) assay.StepResult {
	l := st.rule.set.Chain.Links[i]
	out := assay.StepResult{Step: s, Number: i + 1, Previous: l.Previous, Gap: sample.GapOf(st.rule.plan, s.Variant), Missing: st.rule.set.Chain.Missing(l)}
	for _, a := range st.rule.plan.Artifacts {
		if a.Variant == s.Variant {
			out.Commit = a.Commit
		}
	}
	for _, same := range st.rule.plan.Same {
		if same.Variant == s.Variant {
			out.SameAs = &same
		}
	}
	for _, g := range st.rule.plan.Gates {
		if g.Variant == s.Variant {
			out.Gates = append(out.Gates, g)
		}
	}
	if st.rule.plan.Study.Gates.Allocs == assay.GateNoMore && !l.Gap {
		out.Gates = append(out.Gates, st.allocsGate(r, i))
	}
	var change assay.StepChange
	if i < len(tab.Steps) {
		change = tab.Steps[i]
		out.Movers = answer.Movers(change, s.Watch)
	}
	out.Text = answer.StepText(out, l, change, tab)
	return out
}

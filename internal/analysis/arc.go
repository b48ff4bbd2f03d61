package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// maxMovers is the number of benchmarks that are named of a step.
const maxMovers = 3

// arc is the result of the chain beside the tables, which must be in r already;
// nil for studies without steps.
func (st *steps) arc(r *assay.Result) *assay.Arc {
	steps := st.rule.plan.Study.Steps
	if steps == nil || len(steps.List) == 0 {
		return nil
	}
	a := &assay.Arc{Phases: steps.Phases, Gates: st.rule.plan.Study.Gates, Compound: st.compounds(r)}
	tab, _ := decisiveTable(r)
	for i, s := range steps.List {
		a.Steps = append(a.Steps, st.stepResult(r, tab, i, s))
	}
	return a
}

// decisiveTable is the first table that decides; ok is false where there is none.
func decisiveTable(r *assay.Result) (tab assay.Table, ok bool) {
	for _, tab := range r.Tables {
		if tab.Decides {
			return tab, true
		}
	}
	return tab, false
}

func (st *steps) stepResult(r *assay.Result, tab assay.Table, i int, s assay.Step) assay.StepResult {
	l := st.set.Chain.Links[i]
	out := assay.StepResult{Step: s, Number: i + 1, Previous: l.Previous, Gap: sample.GapOf(st.rule.plan, s.Variant), Missing: st.set.Chain.Missing(l)}
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
		out.Movers = stepMovers(change, s.Watch)
	}
	out.Text = stepText(out, l, change, tab.Metric)
	return out
}

// stepMovers are the largest proved changes of a step, the watched ones first.
func stepMovers(c assay.StepChange, watch []string) (out []assay.Comparison) {
	for _, x := range c.Cells {
		if x.Verdict.Differs() {
			out = append(out, x)
		}
	}
	sortByChange(out)
	slices.SortStableFunc(out, func(a, b assay.Comparison) int {
		return btoi(watched(b.Benchmark, watch)) - btoi(watched(a.Benchmark, watch))
	})
	return out[:min(len(out), maxMovers)]
}

// watched reports whether a step is about a benchmark: its name is in the list,
// or a part of it is.
func watched(b assay.Benchmark, watch []string) bool {
	return slices.ContainsFunc(watch, func(w string) bool { return w != "" && strings.Contains(b.Name, w) })
}

// stepText is what is said of a step in one line.
func stepText(s assay.StepResult, l sample.Link, c assay.StepChange, m assay.Metric) string {
	switch {
	case s.Gap != nil && strings.HasPrefix(s.Gap.Reason, didNotBuild):
		return s.Gap.Reason
	case s.Gap != nil:
		return didNotBuild + ": " + s.Gap.Reason
	case l.Gap:
		return "not measured"
	}
	said := []string{failedGates(s)}
	switch {
	case l.Same():
		said = append(said, "same code as "+l.Previous+": nothing to measure")
	default:
		if s.SameAs != nil {
			said = append(said, "same code as "+s.SameAs.As+", whose figures stand for it")
		}
		said = append(said, effectText(s, c, m))
	}
	return join(said...)
}

const didNotBuild = "did not build"

// failedGates is "fails the gate tests: 10 tests fail"; "" where all held.
func failedGates(s assay.StepResult) string {
	var parts []string
	for _, g := range s.Gates {
		if g.Status == assay.GateFailed {
			parts = append(parts, gateText(g))
		}
	}
	return join(parts...)
}

func gateText(g assay.GateResult) string {
	out := "fails the gate " + g.Gate
	if g.Text != "" {
		out += ": " + g.Text
	}
	return out
}

// effectText says what a step did: its largest movers, or that nothing is proved.
func effectText(s assay.StepResult, c assay.StepChange, m assay.Metric) string {
	if c.Whole != nil && len(c.Cells) == 1 {
		if text := unprovedText(*c.Whole); text != "" {
			return text
		}
		return m.Name + " " + interval(*c.Whole)
	}
	var said []string
	if c.Whole != nil {
		said = append(said, unprovedText(*c.Whole))
	}
	switch {
	case len(s.Movers) > 0:
		said = append(said, "largest movers: "+moverList(s.Movers))
	case c.Whole != nil && c.Whole.Verdict.Differs():
		said = append(said, fmt.Sprintf("%s %s on the whole, no benchmark alone is proved", m.Name, interval(*c.Whole)))
	case c.Whole == nil:
		said = append(said, "no benchmark is proved to have changed")
	}
	return join(said...)
}

// moverList is "Unmarshal/twitter −31.2 %, Marshal/hugo −12.0 %".
func moverList(cs []assay.Comparison) string {
	var parts []string
	for _, c := range cs {
		parts = append(parts, c.Benchmark.Name+" "+figure(c))
	}
	return strings.Join(parts, ", ")
}

// figure is a change without its interval, for where a table has that; where the
// previous value was 0 there is no ratio, and the new value stands for it.
func figure(c assay.Comparison) string {
	if c.Change == 0 && c.Verdict.Differs() {
		return fmt.Sprintf("0 → %.4g", c.Value)
	}
	return c.Change.Format(half(c))
}

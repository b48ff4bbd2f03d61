package analysis

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxEvidence is the number of lines of evidence of a gate.
const maxEvidence = 10

// allocsGate judges the gate "no more" of a step: it fails if a benchmark is proved to
// allocate more often than before, and is unknown until all are decided.
func (st *steps) allocsGate(r *assay.Result, i int) assay.GateResult {
	l := st.rule.set.Chain.Links[i]
	g := assay.GateResult{Variant: l.Step, Gate: assay.GateAllocs, Against: st.rule.plan.Study.Base}
	previous := st.rule.plan.Study.Gates.Against == assay.AgainstPrevious
	if previous {
		g.Against = l.Previous
	}
	if l.Now == sample.Measured(st.rule.plan, g.Against) {
		g.Status, g.Text = assay.GateHeld, "same code as "+g.Against
		return g
	}
	var cells []assay.Comparison
	for _, tab := range r.Tables {
		switch {
		case tab.Metric.Name != assay.MetricAllocs:
		case previous:
			cells = tab.Steps[i].Cells
		default:
			cells = slices.Collect(answer.Column(tab, l.Now))
		}
	}
	judgeAllocs(&g, cells)
	return g
}

func judgeAllocs(g *assay.GateResult, cells []assay.Comparison) {
	more, open := 0, 0
	for _, c := range cells {
		switch {
		case c.Verdict.Bad():
			more++
			if more <= maxEvidence {
				g.Evidence = append(g.Evidence, allocsEvidence(c))
			}
		case c.Verdict == assay.Unclear || c.Verdict == assay.Invalid:
			open++
		}
	}
	switch {
	case more > 0:
		g.Status, g.Text = assay.GateFailed, printable.Count(more, "benchmark")+" of "+fmt.Sprint(len(cells))+" allocate more often"
		if more == 1 {
			g.Text = "1 benchmark of " + fmt.Sprint(len(cells)) + " allocates more often"
		}
		if more > maxEvidence {
			g.Evidence = append(g.Evidence, fmt.Sprintf("and %d more", more-maxEvidence))
		}
	case len(cells) == 0:
		g.Status, g.Text = assay.GateUnknown, assay.MetricAllocs+" was not measured; set benchmem = true"
	case open > 0:
		g.Status, g.Text = assay.GateUnknown, fmt.Sprintf("not decided for %d of %s", open, printable.Count(len(cells), "benchmark"))
	default:
		g.Status, g.Text = assay.GateHeld, "none of "+printable.Count(len(cells), "benchmark")+" allocates more often"
	}
}

// allocsEvidence is "Unmarshal/twitter: 12 allocs/op, +20.0 % (exact)".
func allocsEvidence(c assay.Comparison) string {
	out := fmt.Sprintf("%s: %.4g %s", c.Benchmark.Name, c.Value, assay.MetricAllocs)
	if c.Change == 0 {
		return out + " instead of 0"
	}
	return out + ", " + answer.Interval(c)
}

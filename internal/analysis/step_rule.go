package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// What a chain of steps still needs: each comparison with the base and each with
// the previous step.

// leaveSteps is what leave is, of the comparisons from step to step.
func (q *questions) leaveSteps(active []*sample.Benchmark, metric string) (open []*sample.Benchmark) {
	if !q.rule.plan.Study.ComparesSteps() {
		return nil
	}
	cells := q.rule.stepCells(active, metric)
	q.rule.updateE(cells, metric)
	need := q.rule.atLevel(eBH(cells, verdictE)) // with a gate no steps are compared
	for _, c := range cells {
		if !q.rule.decided(c, metric, need) && !slices.Contains(open, c.b) {
			open = append(open, c.b)
		}
	}
	return open
}

// stepOpen reports whether a link has an open comparison among benchmarks, as
// leaveSteps last found.
func (q *questions) stepOpen(bs []*sample.Benchmark, metric string, l sample.Link) bool {
	return slices.ContainsFunc(bs, func(b *sample.Benchmark) bool {
		s := q.set.Chain.Cell(b, metric, l)
		return s != nil && !s.Left && !s.Exact(q.set.From)
	})
}

// wholesOpen tells of each link whether the whole suite's change needs more
// blocks.
func (q *questions) wholesOpen() []bool {
	metric := q.rule.plan.Study.Decide.Metrics[0]
	wholes := q.set.Chain.Wholes(metric)
	need := q.rule.atLevel(eBH(q.rule.counted(wholes), verdictE))
	out := make([]bool, len(wholes))
	for i, s := range wholes {
		out[i] = s != nil && !s.Exact(q.set.From) && (len(s.D) < q.set.From || q.rule.open(s, metric, need))
	}
	return out
}

// arcUndecided is what geomeanUndecided is in a chain: every step against the
// previous, and the last one against the base. What the steps between are to the
// base on the whole is not waited for.
func (q *questions) arcUndecided() bool {
	steps := q.set.Chain.Steps()
	return len(steps) > 0 && q.wholeUndecided(steps[len(steps)-1].Now) ||
		slices.Contains(q.wholesOpen(), true)
}

// stepsInQuestion lists the variants that a chain still has something to decide
// about: those open against the base, and both ends of every open link, since
// only a block that holds both says anything of it. Nil means all.
func (q *questions) stepsInQuestion(open []*sample.Benchmark) []string {
	want := map[string]bool{}
	metrics := q.rule.plan.Study.Decide.Metrics
	for _, v := range q.set.Others() {
		want[v] = slices.ContainsFunc(metrics, func(m string) bool { return q.variantOpen(open, m, v) })
	}
	if steps := q.set.Chain.Steps(); len(q.set.Active()) > 1 && len(steps) > 0 {
		last := steps[len(steps)-1].Now
		want[last] = want[last] || q.wholeUndecided(last)
	}
	wholes := q.wholesOpen()
	for i, l := range q.set.Chain.Links {
		if l.Gap || l.Same() || len(q.set.Active()) < 2 {
			wholes[i] = false
		}
		if wholes[i] || slices.ContainsFunc(metrics, func(m string) bool { return q.stepOpen(open, m, l) }) {
			want[l.Now], want[l.Before] = true, true
		}
	}
	out := slices.DeleteFunc(q.set.Others(), func(v string) bool { return !want[v] })
	if len(out) == 0 || len(out) == len(q.set.Others()) {
		return nil
	}
	return out
}

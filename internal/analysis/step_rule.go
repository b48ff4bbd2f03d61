package analysis

import "slices"

// What a chain of steps still needs: each comparison with the base and each with
// the previous step.

// leaveSteps is what leave is, of the comparisons from step to step.
func (t *Tracker) leaveSteps(active []*benchmark, metric string) (open []*benchmark) {
	if !t.plan.Study.ComparesSteps() {
		return nil
	}
	cells := t.stepCells(active, metric)
	t.updateE(cells, metric)
	need := t.atLevel(eBH(cells, verdictE)) // with a gate no steps are compared
	for _, c := range cells {
		if !t.decided(c, metric, need) && !slices.Contains(open, c.b) {
			open = append(open, c.b)
		}
	}
	return open
}

// stepOpen reports whether a link has an open comparison among benchmarks, as
// leaveSteps last found.
func (t *Tracker) stepOpen(bs []*benchmark, metric string, l link) bool {
	return slices.ContainsFunc(bs, func(b *benchmark) bool {
		s := t.stepCell(b, metric, l)
		return s != nil && !s.left && !s.exact(t.from)
	})
}

// wholesOpen tells of each link whether the whole suite's change needs more
// blocks.
func (t *Tracker) wholesOpen() []bool {
	metric := t.plan.Study.Decide.Metrics[0]
	wholes := t.stepWholes(metric)
	need := t.atLevel(eBH(t.counted(wholes), verdictE))
	out := make([]bool, len(wholes))
	for i, s := range wholes {
		out[i] = s != nil && !s.exact(t.from) && (len(s.d) < t.from || t.open(s, metric, need))
	}
	return out
}

// arcUndecided is what geomeanUndecided is in a chain: every step against the
// previous, and the last one against the base. What the steps between are to the
// base on the whole is not waited for.
func (t *Tracker) arcUndecided() bool {
	steps := t.steps()
	return len(steps) > 0 && t.wholeUndecided(steps[len(steps)-1].now) ||
		slices.Contains(t.wholesOpen(), true)
}

// stepsInQuestion lists the variants that a chain still has something to decide
// about: those open against the base, and both ends of every open link, since
// only a block that holds both says anything of it. Nil means all.
func (t *Tracker) stepsInQuestion(open []*benchmark) []string {
	want := map[string]bool{}
	metrics := t.plan.Study.Decide.Metrics
	for _, v := range t.others() {
		want[v] = slices.ContainsFunc(metrics, func(m string) bool { return t.variantOpen(open, m, v) })
	}
	if steps := t.steps(); len(t.active()) > 1 && len(steps) > 0 {
		last := steps[len(steps)-1].now
		want[last] = want[last] || t.wholeUndecided(last)
	}
	wholes := t.wholesOpen()
	for i, l := range t.chain {
		if l.gap || l.same() || len(t.active()) < 2 {
			wholes[i] = false
		}
		if wholes[i] || slices.ContainsFunc(metrics, func(m string) bool { return t.stepOpen(open, m, l) }) {
			want[l.now], want[l.before] = true, true
		}
	}
	out := slices.DeleteFunc(t.others(), func(v string) bool { return !want[v] })
	if len(out) == 0 || len(out) == len(t.others()) {
		return nil
	}
	return out
}

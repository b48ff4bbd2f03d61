package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// Pair compares any two variants of the run that the tracker has followed from its blocks
// in which both ran; a is the base. If a is the plan's base the control is included, else the noise is that of the
// whole run. Another variant with the same code stands for one that was not measured,
// with a warning. There are no prices: more blocks would run all variants.
//
// The error is an *assay.Error that lists the variants: a or b is unknown, or they are
// the same.
func (t *Tracker) Pair(blocks [][]assay.Trial, a, b string, platform assay.Platform) (*assay.Result, error) {
	plan := t.plan
	for _, name := range []string{a, b} {
		if _, ok := studyVariant(plan, name); !ok {
			return nil, unknownVariant(plan, fmt.Sprintf("compare a pair: the run has no variant %q", name))
		}
	}
	if a == b {
		return nil, unknownVariant(plan, fmt.Sprintf("compare a pair: %q was named twice", a))
	}
	cut := cutTo(plan, sample.Measured(plan, a), sample.Measured(plan, b))
	if len(cut.Study.Variants) == 1 {
		samePair(cut, plan, a, b)
	}
	pair := pairTracker(t, cut, blocks)
	pair.listedIn(t.rule)
	stop := pair.readStop()
	if len(cut.Variants) < 2 {
		stop = assay.StopSameCode
	}
	r := resultOf(pair, platform, stop)
	if cut.ControlVariant() == "" && len(cut.Study.Variants) > 1 {
		r.Noise = runNoise(t, blocks)
	}
	r.Warnings = append(r.Warnings, sameCodeWarnings(plan, cut, a, b)...)
	return r, nil
}

// listedIn makes the claims of a pair those of the run's tables if the run compares these
// two: one comparison has one verdict and one interval, wherever it is printed.
func (t *Tracker) listedIn(run *rule) {
	if len(t.plan.Study.Variants) < 2 {
		return
	}
	a, b := t.plan.Study.Base, t.plan.Study.Variants[1].Name
	isStep := func(l sample.Link) bool { return !l.Gap && l.Before == a && l.Now == b }
	switch {
	case a == run.plan.Study.Base:
		t.rule.lists = func(metric string) (cells, whole claim) {
			return run.cellClaim(run.cells(run.set.Active(), metric), metric), run.headClaim(metric)
		}
	case slices.ContainsFunc(run.set.Chain.Links, isStep):
		t.rule.lists = func(metric string) (cells, whole claim) {
			return eBH(run.stepCells(run.set.Active(), metric), verdictE), eBH(run.counted(run.set.Chain.Wholes(metric)), verdictE)
		}
	default:
		return
	}
	t.set.From = run.set.From
}

// readStop returns the reason to stop of a run that is only read: "decided" if it is, else
// "read".
func (t *Tracker) readStop() assay.StopReason {
	if open := t.questions.undecided(t.set.Active()); t.set.Blocks >= t.set.From && len(open) == 0 {
		return assay.StopDecided
	}
	return assay.StopRead
}

// pairTracker returns a tracker that has seen the blocks of a cut plan's variants. If these
// ran to the end it has the last look of the run that t has followed.
func pairTracker(t *Tracker, cut *assay.Plan, blocks [][]assay.Trial) *Tracker {
	pair, last := NewTracker(cut, 0), 0
	for i, block := range blocks {
		if kept := pairTrials(cut, block); kept != nil {
			pair.Add(kept)
			last = i + 1
		}
	}
	if t.set.Ended() && last > len(blocks)-2*schedule.Cycle(t.plan) {
		pair.End(assay.StopBudget)
	}
	return pair
}

// studyVariant finds a variant of a plan, measured or not.
func studyVariant(p *assay.Plan, name string) (assay.Variant, bool) {
	for _, v := range slices.Concat(p.Study.Variants, p.Variants) {
		if v.Name == name && name != assay.ControlName {
			return v, true
		}
	}
	return assay.Variant{}, false
}

// cutTo returns the plan for a comparison of two variants, as if it had been the study.
func cutTo(plan *assay.Plan, a, b string) *assay.Plan {
	cut := *plan
	cut.Together, cut.Warnings, cut.Same, cut.Variants = 0, nil, nil, nil
	cut.Study.Base, cut.Study.Variants, cut.Study.By = a, nil, nil
	cut.Study.Factors = nil
	cut.Study.Steps, cut.Study.Gates, cut.Study.Decide.Compare = nil, assay.Gates{}, ""
	cut.Gaps, cut.Gates, cut.Earlier = nil, nil, ""
	cut.Study.Asks, cut.Study.Decide.Gate, cut.Study.Decide.Tradeoff = "", 0, nil
	for _, name := range []string{a, b} {
		v, _ := studyVariant(plan, name)
		v.Control = false
		if len(cut.Study.Variants) == 0 || a != b {
			cut.Study.Variants = append(cut.Study.Variants, v)
		}
	}
	cut.Variants = slices.Clone(cut.Study.Variants)
	if c, ok := plan.Variant(plan.ControlVariant()); ok && a == plan.Study.Base && a != b {
		cut.Variants = append(cut.Variants, c)
	}
	return &cut
}

// samePair turns a cut plan into that of two variants with the same code, which has
// nothing to compare.
func samePair(cut, plan *assay.Plan, a, b string) {
	cut.Benchmarks = nil
	s := assay.SameCode{Variant: b, As: a}
	for _, x := range plan.Same {
		if x.Variant == a || x.Variant == b {
			s.Functions = x.Functions
		}
	}
	cut.Same, cut.Study.Base = []assay.SameCode{s}, a
	va, _ := studyVariant(plan, a)
	vb, _ := studyVariant(plan, b)
	cut.Study.Variants = []assay.Variant{va, vb}
	cut.Variants = cut.Study.Variants[:1]
}

// pairTrials returns the trials of a block by the variants of a cut plan; nil if one of
// the first two did not run.
func pairTrials(cut *assay.Plan, block []assay.Trial) (kept []assay.Trial) {
	ran := map[string]bool{}
	for _, tr := range block {
		if _, ok := cut.Variant(tr.Variant); ok {
			kept = append(kept, tr)
			ran[tr.Variant] = true
		}
	}
	if len(cut.Variants) < 2 || !ran[cut.Variants[0].Name] || !ran[cut.Variants[1].Name] {
		return nil
	}
	return kept
}

// runNoise returns the noise of the whole run, for a pair without a control.
func runNoise(t *Tracker, blocks [][]assay.Trial) assay.Noise {
	plan := t.plan
	control, ok := plan.Variant(plan.ControlVariant())
	if !ok {
		return assay.Noise{}
	}
	cut := cutTo(plan, plan.Study.Base, plan.Study.Base)
	cut.Variants = append(cut.Variants, control)
	return pairTracker(t, cut, blocks).tables.noise()
}

// sameCodeWarnings name the variants that stand for others with the same code.
func sameCodeWarnings(plan, cut *assay.Plan, a, b string) (out []assay.Warning) {
	for _, name := range []string{a, b} {
		m := sample.Measured(plan, name)
		if _, ok := studyVariant(cut, name); ok || m == name {
			continue
		}
		out = append(out, assay.Warning{Code: assay.CodeSameCode,
			Text: fmt.Sprintf("%q is the same code as %q and has its figures", name, m)})
	}
	return out
}

// unknownVariant refuses a name, and lists the known ones.
func unknownVariant(p *assay.Plan, text string) error {
	var names []string
	for _, v := range slices.Concat(p.Study.Variants, p.Variants) {
		if v.Name != assay.ControlName && !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return assay.NewError(assay.ExitUsage, assay.CodeUnknownVariant, text, []string{"variants of the run: " + strings.Join(names, ", ")}, "")
}

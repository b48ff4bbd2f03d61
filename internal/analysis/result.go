package analysis

import (
	"fmt"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// Result returns the state of the run. stop is why it ended, from Next, or "interrupted";
// "" while it runs.
func (t *Tracker) Result(platform assay.Platform, stop assay.StopReason) *assay.Result {
	t.End(stop)
	return resultOf(t, platform, stop)
}

// End says why the run ended, as Result does, for what asks the tracker without a result.
func (t *Tracker) End(stop assay.StopReason) { t.set.End(stop) }

// resultOf is Result for a tracker that knows whether it has a look.
func resultOf(t *Tracker, platform assay.Platform, stop assay.StopReason) *assay.Result {
	p := t.plan
	r := &assay.Result{
		Schema: assay.ResultSchema, Run: p.Run, Study: p.Study.Name, StudyHash: p.StudyHash,
		Question: p.Study.Question, Command: p.Command, Created: p.Created, Platform: platform, Machine: p.Machine, Group: p.Group,
		Base: p.Study.Base, Gears: p.Gears(), Loads: t.set.Loads(),
		Spent:    assay.Spent{Blocks: t.set.Blocks, Trials: t.set.Trials, Time: t.costs.Spent().Round(time.Millisecond), Stop: stop},
		Warnings: slices.Concat(t.planned(), t.set.Warnings),
	}
	decide := p.Study.Decide
	r.Rule = assay.Rule{Metrics: decide.Metrics, MinEffect: decide.MinEffect, Confidence: decide.Confidence,
		MinBlocks: t.set.From, Gate: decide.Gate}
	if p.Study.Measure.Layouts == 1 {
		r.Rule.Scope = "for these binaries"
	} else if p.Relink > 1 && t.set.Blocks > 0 {
		r.Rule.Scope = fmt.Sprintf("over %s of each variant", printable.Count(design.LinksMade(p, t.set.Blocks), "link"))
	}
	for _, m := range t.set.Metrics {
		// A metric that only some trials had cannot be compared.
		tab := t.tables.table(m)
		if r.Spent.Single() {
			tab.Effects = nil
		}
		if len(tab.Rows) > 0 || tab.Decides {
			r.Tables = append(r.Tables, tab)
		}
	}
	if wanted := max(p.Wanted, len(p.Benchmarks)); wanted > answer.Measured(r) {
		r.Wanted = wanted
	}
	if len(r.Tables) > 0 {
		if c := t.rule.judge(t.set.Metrics[0]).claim; !c.ever {
			r.Rule.Claims = c.list
		}
		if c := t.rule.headClaim(t.set.Metrics[0]); c.ever {
			r.Rule.Heads = c.list
		}
	}
	r.Noise = t.tables.noise()
	if !r.Spent.Single() {
		r.Tradeoff = t.tables.tradeoff(r)
	}
	r.Variants = t.tables.variantResults(r)
	r.Arc, r.Report = t.steps.arc(r), p.Study.Report
	r.Warnings = schedule.OnePrice(append(r.Warnings, t.closingWarnings(r)...))
	r.Answer = answer.Of(r, t.evidence(r))
	return r
}

// planned returns the plan's warnings that still hold. Blocks may be shorter than
// calibration predicted; then the warning that no verdict is possible is wrong.
func (t *Tracker) planned() []assay.Warning {
	if t.set.Blocks < schedule.FirstVerdict(t.plan) {
		return t.plan.Warnings
	}
	return slices.DeleteFunc(slices.Clone(t.plan.Warnings), func(w assay.Warning) bool { return w.Code == assay.CodeShortBudget })
}

// evidence returns what the answer rests on besides the tables of r.
func (t *Tracker) evidence(r *assay.Result) answer.Evidence {
	e := answer.Evidence{Plan: t.plan, Ties: t.rule.ranked, ProofFrom: t.rule.duelBlocks()}
	if r.Rule.Gate > 0 {
		e.Failed, e.Open = t.rule.beyond()
	}
	if steps := t.set.Chain.Steps(); len(steps) > 0 {
		e.Last = &steps[len(steps)-1]
	}
	if len(r.Tables) > 0 {
		if c, ok := t.steps.direct(r.Tables[0]); ok {
			e.Direct = &c
		}
	}
	return e
}

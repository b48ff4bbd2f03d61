package analysis

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/memo"
)

// A Head is a variant on the whole suite and one metric, as of the blocks so far.
type Head struct {
	// Comparison is the headline, without the price of a decision.
	assay.Comparison
	// Base is the base's value of the same blocks.
	Base float64
	// Decided means that the stop rule needs no more blocks for it.
	Decided bool
	// Rare stands for the change if it is not typical of its benchmarks.
	Rare answer.Rarity
	// Counts has the verdicts over the benchmarks.
	Counts assay.VariantResult
	// Rows are the same of its benchmarks, for the only variant of several benchmarks.
	Rows []Head
}

// Blocks returns the number of blocks so far that carry verdicts.
func (t *Tracker) Blocks() int { return t.set.Blocks }

// Cells returns the number of comparisons of benchmarks with the base on one metric.
func (t *Tracker) Cells() int { return len(t.set.Active()) * len(t.set.Others()) }

// Heads returns a head of a metric for each variant that was measured. Like Interim it does not
// influence Next or Result. In a long list it takes as long as Next.
func (t *Tracker) Heads(metric string) []Head {
	r := *t.rule
	r.priced = false
	return t.heads((&tables{rule: &r}).withBase(metric))
}

// Outlook returns the heads of a metric and the answer of a tracker from WithMinEffect or
// Without. stop is why the run ended.
func (t *Tracker) Outlook(metric string, stop assay.StopReason) ([]Head, assay.Answer) {
	r := t.Result(assay.Platform{}, stop)
	i := slices.IndexFunc(r.Tables, func(tab assay.Table) bool { return tab.Metric.Name == metric })
	if i < 0 {
		return nil, r.Answer
	}
	return t.heads(r.Tables[i]), r.Answer
}

func (t *Tracker) heads(tab assay.Table) (out []Head) {
	metric, list := tab.Metric.Name, answer.Headlines(tab)
	for _, c := range list {
		if c.N == 0 {
			continue
		}
		s := t.set.Suite(metric).Sample(c.Variant)
		h := Head{Comparison: c, Base: tab.GeomeanBase, Decided: s == nil || t.rule.settled(s, metric), Rare: answer.RarityOf(tab, c), Counts: assay.VariantResult{Name: c.Variant}}
		for _, row := range tab.Rows {
			if row.Benchmark == c.Benchmark {
				h.Base = row.Base
			}
			if x, ok := answer.Find(row.Cells, c.Variant); ok && x.N > 0 && len(list) == 1 && len(tab.Rows) > 1 {
				s := t.set.Sample(row.Benchmark, metric, c.Variant)
				h.Rows = append(h.Rows, Head{Comparison: x, Base: row.Base, Decided: s == nil || t.rule.settled(s, metric)})
			}
		}
		for x := range answer.Column(tab, c.Variant) {
			h.Counts.Count(x)
		}
		out = append(out, h)
	}
	return out
}

// MinEffect returns the minimum effect of a metric.
func (t *Tracker) MinEffect(metric string) float64 {
	return t.plan.Metric(metric).MinEffect
}

// WithMinEffect returns a tracker of the same blocks that judges by another minimum
// effect, for a look at what would change. Metrics with a minimum effect of their own keep
// it, unless it is that of metric. The error rates are those of the study only for the
// minimum effect that it fixed before the run. Add no blocks to it.
func (t *Tracker) WithMinEffect(metric string, least float64) *Tracker {
	r := *t.rule
	p := *r.plan
	decide, own := &p.Study.Decide, t.MinEffect(metric)
	p.Metrics, decide.MinEffects = slices.Clone(p.Metrics), maps.Clone(decide.MinEffects)
	change := func(x *float64) {
		if *x == own {
			*x = least
		}
	}
	for i := range p.Metrics {
		change(&p.Metrics[i].MinEffect)
	}
	change(&decide.MinEffect)
	for m, x := range decide.MinEffects {
		change(&x)
		decide.MinEffects[m] = x
	}
	r.plan = &p
	return t.by(&r)
}

// Without returns a tracker of the same blocks without a benchmark, for a look at what
// would change. Add no blocks to it.
func (t *Tracker) Without(b assay.Benchmark) *Tracker {
	r := *t.rule
	r.set, r.claims = r.set.Without(b), memo.Epoch[string, claim]{}
	return t.by(&r)
}

// by returns a copy of the tracker that decides by another rule, without prices, which
// take most of the time.
func (t *Tracker) by(r *rule) *Tracker {
	out := *t
	r.priced = false
	out.follow(r)
	return &out
}

// Common lists the benchmarks behind the geomeans of the first deciding metric, those
// with the largest changes first; none where there is no geomean.
func (t *Tracker) Common() (out []assay.Benchmark) {
	bs := t.set.Suite(t.set.Metrics[0]).Common()
	if len(bs) < 2 {
		return nil
	}
	r := *t.rule
	r.priced = false
	size := map[assay.Benchmark]float64{}
	for _, row := range (&tables{rule: &r}).withBase(t.set.Metrics[0]).Rows {
		for _, c := range row.Cells {
			if ln := math.Abs(c.Change.Log()); c.N > 0 && c.Variant != assay.ControlName && ln > size[row.Benchmark] {
				size[row.Benchmark] = ln
			}
		}
	}
	for _, b := range bs {
		out = append(out, b.Plan.Benchmark)
	}
	slices.SortStableFunc(out, func(a, b assay.Benchmark) int { return cmp.Compare(size[b], size[a]) })
	return out
}

package bisect

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A placement is the sequential test of a probe against both ends of a change: the base,
// which lacks it, and another variant, which has it.
type placement struct {
	plan    *assay.Plan
	tracker *analysis.Tracker
	metric  string
	margin  float64 // ln(1+margin)
	alpha   float64 // error rate of its confidence sequences
	sign    float64 // direction of the change, 0 if unknown

	blocks int
	place  Place
}

// newPlacement returns the test for a plan. t follows the blocks and has seen none yet.
func newPlacement(p *assay.Plan, t *analysis.Tracker, alpha, sign float64) *placement {
	m := p.Metric(p.Study.Decide.Metrics[0])
	return &placement{plan: p, tracker: t, metric: m.Name, margin: math.Log1p(m.MinEffect), alpha: alpha, sign: sign, place: PlaceUndecided}
}

// add takes the next complete block. It reports whether the block counts: a pilot does not.
func (p *placement) add(block []assay.Trial) bool {
	p.tracker.Add(block)
	if len(block) == 0 || block[0].Pilot {
		return false
	}
	p.blocks++
	return true
}

// enough reports whether there are as many blocks as the study requires.
func (p *placement) enough() bool { return p.blocks >= p.plan.Study.Decide.MinBlocks }

// next says what the coming block runs, or why there is none: "decided",
// "blocks", "budget" or "nothing left".
func (p *placement) next() assay.NextBlock {
	turns := p.tracker.Turns()
	switch {
	case p.place != PlaceUndecided:
		return assay.NextBlock{Stop: assay.StopDecided}
	case len(turns) == 0:
		return assay.NextBlock{Stop: assay.StopNothingLeft}
	case p.tracker.AtLimit(p.blocks):
		return assay.NextBlock{Stop: assay.StopBlocks}
	case p.tracker.OverBudget(turns, float64(len(p.plan.Variants))):
		return assay.NextBlock{Stop: assay.StopBudget}
	}
	return assay.NextBlock{Turns: turns}
}

// series returns a variant against the base, block by block.
func (p *placement) series(variant string) analysis.SuiteSeries {
	return p.tracker.Whole(p.metric, variant)
}

// differs decides whether the ends differ by more than the margin.
func (p *placement) differs(x analysis.SuiteSeries) Place {
	above, below := p.side(x.Plus(-p.margin)), p.side(x.Plus(p.margin))
	switch {
	case above > 0, below < 0:
		return PlaceChanged
	case above < 0 && below > 0:
		return PlaceSame
	}
	return PlaceUndecided
}

// stepped decides whether the culprit differs from its parent in the direction of the
// change.
func (p *placement) stepped(x analysis.SuiteSeries) Place {
	switch at := p.side(x); {
	case at != 0 && at == p.sign:
		return PlaceChanged
	case at != 0, p.differs(x) == PlaceSame:
		return PlaceSame
	}
	return PlaceUndecided
}

// between decides where a probe lies.
func (p *placement) between(x, w analysis.SuiteSeries) Place {
	if p.side(x.Minus(w, 0.25)) == p.sign && p.side(x.Minus(w, 0.75)) == -p.sign {
		return PlaceBetween
	}
	switch p.side(x.Minus(w, 0.5)) {
	case p.sign:
		return PlaceBad
	case -p.sign:
		return PlaceGood
	}
	return PlaceUndecided
}

// side returns the side of 0 on which the confidence sequence of a series lies; 0 if it
// covers 0.
func (p *placement) side(s analysis.SuiteSeries) float64 {
	// Whether 0 is excluded takes one pass. Only then is it worth computing the interval.
	if _, top := s.EAt(0); top < 1/p.alpha {
		return 0
	}
	switch lo, hi, ok := s.Interval(1 / p.alpha); {
	case ok && lo > 0:
		return 1
	case ok && hi < 0:
		return -1
	}
	return 0
}

// measured is the estimate of a variant against the base. Where the change is not typical of
// its benchmarks it counts them.
func (p *placement) measured(variant string) *Estimate {
	e := p.estimate(p.series(variant))
	for _, h := range p.tracker.Heads(p.metric) {
		if e != nil && h.Variant == variant && !h.Rare.Typical() {
			e.Benchmarks = h.Rare.Counts()
		}
	}
	return e
}

func (p *placement) estimate(s analysis.SuiteSeries) *Estimate {
	if len(s.D) == 0 {
		return nil
	}
	e := &Estimate{Change: assay.ChangeOfLog(stats.Median(s.D))}
	if lo, hi, ok := s.Interval(1 / p.alpha); ok && hi-lo < analysis.Unbounded {
		mid, steady := s.Centre(lo, hi, stats.Slack)
		if e.Change = assay.ChangeOfLog(mid); steady {
			e.Interval = &assay.Interval{Lo: assay.ChangeOfLog(lo), Hi: assay.ChangeOfLog(hi)}
		}
	}
	return e
}

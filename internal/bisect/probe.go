package bisect

import (
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/stats"
)

// The names of variants of a bisection's runs that do not belong to one commit.
const (
	VariantGood = "good"
	VariantBad  = "bad"
)

// A Probe is the stop rule of one measurement of a bisection (lab.StopRule). It passes
// the blocks to a Tracker, whose Result describes the same run.
//
// With three variants it finds where the commit lies between good and bad. On the whole
// suite let x = ln(commit/good) and w = ln(bad/good), block by block, both against the
// same trials of good. The commit is bad when the confidence sequence of x - w/2 lies on
// w's side of 0, good when on the other; it lies between when x - w/4 is proved to be on
// w's side and x - 3w/4 on the other. No size of w is assumed: it is measured again in
// the same blocks.
//
// With two variants it finds whether the commit differs from good: by more than the
// margin (the ends), or at all and in a known direction (the re-check).
//
// A wrong "bad" and a wrong "between" of a good commit each need a sequence to
// miss on one side, and a two-sided sequence misses on either with alpha: the two
// together take about alpha.
type Probe struct {
	ask     Ask
	plan    *assay.Plan
	tracker *analysis.Tracker
	commit  string // the variant
	metric  string
	margin  float64 // ln(1+margin)

	blocks int
	place  Place
}

// NewProbe returns the rule of a plan whose study comes from Ask.Study. t follows the
// blocks and has seen none yet. commit is the name of the probed variant.
func NewProbe(ask Ask, p *assay.Plan, t *analysis.Tracker, commit string) *Probe {
	m := p.Metric(p.Study.Decide.Metrics[0])
	return &Probe{ask: ask, plan: p, tracker: t, commit: commit, metric: m.Name, margin: math.Log1p(m.MinEffect),
		place: PlaceUndecided}
}

// Add takes the next complete block and checks whether it decides.
func (p *Probe) Add(block []assay.Trial) {
	p.tracker.Add(block)
	if len(block) == 0 || block[0].Pilot {
		return
	}
	p.blocks++
	if p.blocks >= p.plan.Study.Decide.MinBlocks {
		p.place = p.decide()
	}
}

// Next says what the coming block runs, or why there is none: "decided",
// "blocks", "budget" or "nothing left".
func (p *Probe) Next() assay.NextBlock {
	turns := p.tracker.Turns()
	switch {
	case p.place != PlaceUndecided:
		return assay.NextBlock{Stop: assay.StopDecided}
	case len(turns) == 0:
		return assay.NextBlock{Stop: assay.StopNothingLeft}
	case p.tracker.AtLimit(p.blocks):
		return assay.NextBlock{Stop: assay.StopBlocks}
	case p.tracker.OverBudget(turns, len(p.plan.Variants)):
		return assay.NextBlock{Stop: assay.StopBudget}
	}
	return assay.NextBlock{Turns: turns}
}

// Place returns the finding so far. If no benchmark is left to measure, the commit is to
// be skipped.
func (p *Probe) Place() Place {
	if p.ask.Kind != AskEnds && p.place == PlaceUndecided && len(p.tracker.Turns()) == 0 {
		return PlaceSkip
	}
	return p.place
}

// decide returns what the blocks so far prove.
func (p *Probe) decide() Place {
	x := p.series(p.commit)
	switch p.ask.Kind {
	case AskEnds:
		return p.differs(x)
	case AskRecheck:
		return p.stepped(x)
	}
	return p.between(x, p.series(VariantBad))
}

// series returns a variant against good, block by block.
func (p *Probe) series(variant string) analysis.SuiteSeries {
	return p.tracker.Whole(p.metric, variant)
}

// differs decides whether the ends differ by more than the margin.
func (p *Probe) differs(x analysis.SuiteSeries) Place {
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
func (p *Probe) stepped(x analysis.SuiteSeries) Place {
	switch at := p.side(x); {
	case at != 0 && at == p.ask.Sign:
		return PlaceChanged
	case at != 0, p.differs(x) == PlaceSame:
		return PlaceSame
	}
	return PlaceUndecided
}

// between decides where a probe lies.
func (p *Probe) between(x, w analysis.SuiteSeries) Place {
	if p.side(x.Minus(w, 0.25)) == p.ask.Sign && p.side(x.Minus(w, 0.75)) == -p.ask.Sign {
		return PlaceBetween
	}
	switch p.side(x.Minus(w, 0.5)) {
	case p.ask.Sign:
		return PlaceBad
	case -p.ask.Sign:
		return PlaceGood
	}
	return PlaceUndecided
}

// side returns the side of 0 on which the confidence sequence of a series lies; 0 if it
// covers 0.
func (p *Probe) side(s analysis.SuiteSeries) float64 {
	// Whether 0 is excluded takes one pass. Only then is it worth computing the interval.
	if _, top := s.EAt(0); top < 1/p.ask.Alpha {
		return 0
	}
	switch lo, hi, ok := s.Interval(1 / p.ask.Alpha); {
	case ok && lo > 0:
		return 1
	case ok && hi < 0:
		return -1
	}
	return 0
}

// Finding returns the run's finding for the log: place, changes and blocks. The caller
// adds the commit and the times.
func (p *Probe) Finding() Finding {
	f := Finding{Kind: p.ask.Kind, Index: p.ask.Index, Good: p.ask.Good, Bad: p.ask.Bad, Place: p.Place(), Blocks: p.blocks}
	f.Change = p.estimate(p.series(p.commit))
	if f.Whole = f.Change; p.ask.Kind == AskProbe {
		f.Whole = p.estimate(p.series(VariantBad))
	}
	if f.Place == PlaceSkip {
		f.Why = "no benchmark of it could be measured"
	}
	return f
}

func (p *Probe) estimate(s analysis.SuiteSeries) *Estimate {
	if len(s.D) == 0 {
		return nil
	}
	e := &Estimate{Change: assay.ChangeOfLog(stats.Median(s.D))}
	if lo, hi, ok := s.Interval(1 / p.ask.Alpha); ok && hi-lo < analysis.Unbounded {
		mid, steady := s.Centre(lo, hi, stats.Slack)
		if e.Change = assay.ChangeOfLog(mid); steady {
			e.Interval = &assay.Interval{Lo: assay.ChangeOfLog(lo), Hi: assay.ChangeOfLog(hi)}
		}
	}
	return e
}

// Study returns the study of a measurement: a study of good and bad, as from a compare
// line, with the commits' hashes filled in, or the versions of the module. rev is the
// revision of the probed commit and name its variant's; goodRev and badRev are those of
// Ask.Good and Ask.Bad.
func (a Ask) Study(s *assay.Study, name, rev, goodRev, badRev string) *assay.Study {
	out := *s
	at := func(name, rev string) assay.Variant {
		v := s.Variants[0]
		v.Name = name
		if module, _, ok := strings.Cut(v.Module, "@"); ok {
			v.Module = module + "@" + rev
		} else {
			v.Rev = rev
		}
		return v
	}
	out.Variants = []assay.Variant{at(VariantGood, goodRev), at(name, rev)}
	if a.Kind == AskProbe {
		out.Variants = append(out.Variants, at(VariantBad, badRev))
	}
	out.Base = VariantGood
	out.Decide.Confidence = 1 - a.Alpha
	// The re-check is an ordinary comparison, with the control beside it.
	out.Measure.NoControl = a.Kind != AskRecheck
	if a.Kind != AskProbe {
		out.Decide.MinBlocks = max(out.Decide.MinBlocks, sizeBlocks)
	}
	return &out
}

// sizeBlocks is the least number of blocks of the ends and of a re-check. A decision may take
// fewer, but their intervals are too wide to say whether the commit makes all of the change.
const sizeBlocks = 10

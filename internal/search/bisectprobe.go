package search

import (
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/stats"
)

// The names of the variants of a bisection's runs that are not a commit's own.
const (
	VariantGood = "good"
	VariantBad  = "bad"
)

// A Probe is the stop rule of one measurement of a bisection (lab.StopRule). It
// passes the blocks on to a Tracker, whose Result describes the same run.
//
// With three variants it says where the commit lies between good and bad. On the
// whole suite let x = ln(commit/good) and w = ln(bad/good), block by block, both
// against the same trials of good. The commit is bad when the confidence sequence
// of x - w/2 lies on w's side of 0, good when on the other; it lies between when
// x - w/4 is proved to be on w's side and x - 3w/4 on the other. What is not
// assumed is how large w is: it is measured again in the same blocks.
//
// With two it says whether the commit differs from good: by more than the margin
// (the ends), or at all and in a known direction (the re-check).
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

// NewProbe is the rule of a plan that package search made the study of
// (Ask.Study), whose blocks t is to follow; t has seen none of them. commit is
// the name of the variant that is asked for.
func NewProbe(ask Ask, p *assay.Plan, t *analysis.Tracker, commit string) *Probe {
	m := p.Metric(p.Study.Decide.Metrics[0])
	return &Probe{ask: ask, plan: p, tracker: t, commit: commit, metric: m.Name, margin: math.Log1p(m.MinEffect),
		place: PlaceUndecided}
}

// Add takes the next complete block and looks whether it decides.
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

// Place is what was found so far. Where no benchmark is left to measure, the
// commit is one to be skipped.
func (p *Probe) Place() Place {
	if p.ask.Kind != AskEnds && p.place == PlaceUndecided && len(p.tracker.Turns()) == 0 {
		return PlaceSkip
	}
	return p.place
}

// decide is what the blocks so far prove.
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

// series is a variant against good, block by block.
func (p *Probe) series(variant string) series {
	blocks, s := p.tracker.Whole(p.metric, variant)
	return series{blocks, s}
}

// differs asks of the ends whether they differ by more than the margin.
func (p *Probe) differs(x series) Place {
	above, below := p.side(x.plus(-p.margin)), p.side(x.plus(p.margin))
	switch {
	case above > 0, below < 0:
		return PlaceChanged
	case above < 0 && below > 0:
		return PlaceSame
	}
	return PlaceUndecided
}

// stepped asks of the culprit whether it differs from its parent in the
// direction of the change.
func (p *Probe) stepped(x series) Place {
	switch at := p.side(x); {
	case at != 0 && at == p.ask.Sign:
		return PlaceChanged
	case at != 0, p.differs(x) == PlaceSame:
		return PlaceSame
	}
	return PlaceUndecided
}

// between asks of a probe where it lies.
func (p *Probe) between(x, w series) Place {
	if p.side(x.less(w, 0.25)) == p.ask.Sign && p.side(x.less(w, 0.75)) == -p.ask.Sign {
		return PlaceBetween
	}
	switch p.side(x.less(w, 0.5)) {
	case p.ask.Sign:
		return PlaceBad
	case -p.ask.Sign:
		return PlaceGood
	}
	return PlaceUndecided
}

// side is the side of 0 on which the confidence sequence of a series lies; 0
// where it covers 0.
func (p *Probe) side(s series) float64 {
	// Whether 0 is excluded is one pass; only then is it worth asking where.
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

// plus is the series with a constant added.
func (s series) plus(c float64) series {
	d := make([]float64, len(s.D))
	for i, x := range s.D {
		d[i] = x + c
	}
	s.D = d
	return s
}

// less is s - k*w over the blocks that both have. No control stands beside a sum of
// several variants.
func (s series) less(w series, k float64) series {
	out := series{Series: stats.Series{Floor: max(s.Floor, w.Floor)}}
	j := 0
	for i, block := range s.blocks {
		for j < len(w.blocks) && w.blocks[j] < block {
			j++
		}
		if j < len(w.blocks) && w.blocks[j] == block {
			out.blocks = append(out.blocks, block)
			out.D = append(out.D, s.D[i]-k*w.D[j])
		}
	}
	return out
}

// Finding is what the run found, for the log: of the place, the changes and the
// blocks. The caller knows the commit and the times.
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

func (p *Probe) estimate(s series) *Estimate {
	if len(s.D) == 0 {
		return nil
	}
	e := &Estimate{Change: assay.ChangeOfLog(stats.Median(s.D))}
	if lo, hi, ok := s.Interval(1 / p.ask.Alpha); ok && hi-lo < unbounded {
		e.Change = assay.ChangeOfLog(stats.Centre(s.D, lo, hi))
		e.Interval = &assay.Interval{Lo: assay.ChangeOfLog(lo), Hi: assay.ChangeOfLog(hi)}
	}
	return e
}

// Study is the study of a measurement: a study of good and bad, as a compare
// line makes it, with the commits' hashes in place, or the versions of the module
// that good and bad are. rev is that of the commit which is asked for and name its
// variant's; goodRev and badRev those of Ask.Good and Ask.Bad.
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
	// The re-check is a comparison like any other, with the noise beside it.
	out.Measure.NoControl = a.Kind != AskRecheck
	return &out
}

package bisect

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
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
	ask    Ask
	test   *placement
	commit string // the variant
}

// NewProbe returns the rule of a plan whose study comes from Ask.Study. t follows the
// blocks and has seen none yet. commit is the name of the probed variant.
func NewProbe(ask Ask, p *assay.Plan, t *analysis.Tracker, commit string) *Probe {
	return &Probe{ask: ask, test: newPlacement(p, t, ask.Alpha, ask.Sign), commit: commit}
}

// Add takes the next complete block and checks whether it decides.
func (p *Probe) Add(block []assay.Trial) {
	if p.test.add(block) && p.test.enough() {
		p.test.place = p.decide()
	}
}

// Next says what the coming block runs, or why there is none.
func (p *Probe) Next() assay.NextBlock { return p.test.next() }

// Place returns the finding so far. If no benchmark is left to measure, the commit is to
// be skipped.
func (p *Probe) Place() Place {
	if p.ask.Kind != AskEnds && p.test.place == PlaceUndecided && len(p.test.tracker.Turns()) == 0 {
		return PlaceSkip
	}
	return p.test.place
}

// decide returns what the blocks so far prove.
func (p *Probe) decide() Place {
	x := p.test.series(p.commit)
	switch p.ask.Kind {
	case AskEnds:
		return p.test.differs(x)
	case AskRecheck:
		return p.test.stepped(x)
	}
	return p.test.between(x, p.test.series(VariantBad))
}

// Finding returns the run's finding for the log: place, changes and blocks. The caller
// adds the commit and the times.
func (p *Probe) Finding() Finding {
	f := Finding{Kind: p.ask.Kind, Index: p.ask.Index, Good: p.ask.Good, Bad: p.ask.Bad, Place: p.Place(), Blocks: p.test.blocks}
	f.Change = p.test.measured(p.commit)
	if f.Whole = f.Change; p.ask.Kind == AskProbe {
		f.Whole = p.test.measured(VariantBad)
	}
	if f.Place == PlaceSkip {
		f.Why = "no benchmark of it could be measured"
	}
	return f
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

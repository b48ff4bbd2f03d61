package sample

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// The level of a study is split between the e-process and the looks at the planned ends of
// the run: at the end of its budget, or of what --more adds. A run that was decided, stopped
// by hand or killed ended without a look. The intervals of all looks hold at once, so that a
// later one narrows the interval and never widens it.

// looks are the looks that a run has had. The zero value is for plans of older versions and
// for files: their e-process has the whole level, and there is no look.
type looks struct {
	split bool  // the level is split
	from  int   // the number of blocks before the first decision
	cycle int   // the number of blocks that give each variant one value
	after []int // by look: the number of blocks before it
	ended bool  // the last one is at the present end of the run
}

func newLooks(p *assay.Plan, from int) *looks {
	return &looks{split: p.Schema >= assay.PlanSchemaLooks, from: from, cycle: schedule.Cycle(p)}
}

// End says why the run ended, "" while it runs. It may be called again with another reason.
func (set *Set) End(stop assay.StopReason) {
	l := set.looks
	if l.ended {
		l.after, l.ended = l.after[:len(l.after)-1], false
	}
	if l.split && stop.Planned() && (len(l.after) == 0 || l.after[len(l.after)-1] < set.Blocks) {
		l.after, l.ended = append(l.after, set.Blocks), true
	}
}

// had notes the looks before the coming block, of which its trials know the number.
func (set *Set) had(looks int) {
	for set.looks.split && len(set.looks.after) < looks {
		set.looks.after = append(set.looks.after, set.Blocks)
	}
}

// Looked reports whether the run has had a look.
func (set *Set) Looked() bool { return len(set.looks.after) > 0 }

// Ended reports whether the run ended with a look.
func (set *Set) Ended() bool { return set.looks.ended }

// Early returns the e-process's share of the level.
func (set *Set) Early() float64 { return set.looks.early() }

// Epoch changes whenever what samples say may have changed.
func (set *Set) Epoch() int {
	if set.looks.ended {
		return 2*set.Trials + 1
	}
	return 2 * set.Trials
}

// early returns the e-process's share of the level; of none, it has the whole.
func (l *looks) early() float64 {
	if l == nil || !l.split {
		return 1
	}
	return stats.EarlyShare
}

// A look is a look at one sample.
type look struct {
	stats.Series
	share float64 // of the level
}

// looked returns the looks at a sample. One that left the schedule before a look has none
// there: its number of blocks depends on its values. One missing value at the end is an
// accident.
func (s *Sample) looked() (out []look) {
	if s.looks == nil {
		return nil
	}
	n, number := 0, 0
	for _, after := range s.looks.after {
		for n < len(s.Blocks) && s.Blocks[n] <= after {
			n++
		}
		if n == 0 {
			continue
		}
		number++
		if n >= s.looks.from && s.Blocks[n-1] > after-2*s.looks.cycle {
			out = append(out, look{s.Series().First(n), stats.LookShare(number)})
		}
	}
	return out
}

// nextShare returns the share of the level that the next look at a sample has.
func (s *Sample) nextShare() float64 {
	if s.looks.early() == 1 {
		return 1
	}
	number := 1
	for _, after := range s.looks.after {
		if len(s.Blocks) > 0 && s.Blocks[0] <= after {
			number++
		}
	}
	return stats.LookShare(number)
}

// More estimates the number of blocks until the next look decides, at level 1-alpha of all
// looks; where there is none, until the e-process does. It is 0 if that is so already, or
// unknown, or more than max.
func (s *Sample) More(alpha, margin float64, max int) int {
	if s.looks.early() == 1 {
		return s.MoreEarly(alpha, margin, max)
	}
	return s.further(1, alpha, margin, max)
}

// MoreEarly is More until the e-process decides.
func (s *Sample) MoreEarly(alpha, margin float64, max int) int {
	return s.further(earlyPrice, alpha, margin, max)
}

// earlyPrice is about how many times the blocks of a look the e-process takes: 1.2 to 2.5 in
// TestSimulatedBlocksToVerdict.
const earlyPrice = 2

func (s *Sample) further(times int, alpha, margin float64, max int) int {
	enough := times * s.Series().Enough(s.nextShare()*alpha, margin, max)
	if n := enough - len(s.D); n > 0 && n <= max {
		return n
	}
	return 0
}

// HalfWidth is stats.Series.HalfWidth for the next look, at level 1-alpha of all looks.
func (s *Sample) HalfWidth(n int, alpha float64) float64 {
	return s.Series().HalfWidth(n, s.nextShare()*alpha)
}

// narrow returns the part of an interval in ln units that all looks leave; ok is false if
// they leave nothing.
func (s *Sample) narrow(lo, hi, threshold float64) (l, h float64, ok bool) {
	for _, look := range s.looked() {
		l, h := look.Fixed(look.share / threshold)
		lo, hi = max(lo, l), min(hi, h)
	}
	return lo, hi, lo <= hi
}

// lookEvidence returns the evidence of the looks against every change between lo and hi:
// the inverse of a p-value, of which all looks together have the whole.
func (s *Sample) lookEvidence(lo, hi float64) float64 {
	e := 0.0
	for _, look := range s.looked() {
		e = max(e, min(look.share/look.FixedP(lo, hi), math.MaxFloat64))
	}
	return e
}

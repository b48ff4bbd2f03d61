package schedule

import (
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A Share says how variants share the places of a block if there are more variants than
// places: each of the others has a turn once in every cycle.
type Share struct {
	// Always is the mean number of variants in a block that have no turns: the base, and the
	// control's part.
	Always float64
	// Others is the number of the others, Cycle the number of blocks with a turn of each.
	Others, Cycle int
	// Window is the number of neighbouring steps in a block of a chain, which also has
	// one of the others. It is 0 if the others are drawn.
	Window int
}

// ShareOf returns the share of a plan, as drawn by design.Present.
func ShareOf(p *assay.Plan) Share {
	s := Share{Others: others(p), Cycle: Cycle(p)}
	s.Always = Always(p)
	// Windows need room for two neighbours and one more, as in package design.
	if p.Study.Steps != nil && s.Cycle > 1 && p.Together > 3 {
		s.Window = p.Together - 2
	}
	return s
}

// Present returns the mean number of variants in a block.
func (s Share) Present() float64 {
	if s.Window > 0 {
		return s.Always + float64(s.Window+1)
	}
	return s.Always + float64(s.Others)/float64(max(s.Cycle, 1))
}

// A Forecast is the cost and yield of a plan, as known before the first block.
type Forecast struct {
	Share Share
	// Block is the time of one block. Link is the part of it spent linking.
	Block, Link time.Duration
	// Time is what the budget leaves for blocks; 0 is no limit.
	Time time.Duration
	// First is the number of blocks until the first verdicts (FirstVerdict).
	First int
	// Blocks is the number of blocks that fit, -1 for no limit. ByTime means that time is
	// the limit, rather than the study's number of blocks.
	Blocks int
	ByTime bool
	// Control means that the estimates include the control.
	Control bool
	// Last is the number of blocks after which the run ends anyway; 0 for no limit.
	Last int
}

// Foresee makes the forecast of a plan.
func Foresee(p *assay.Plan) Forecast {
	f := Forecast{Share: ShareOf(p), Time: p.Study.Decide.Budget, Last: Last(p, 0), Blocks: -1}
	if p.ControlEvery > 1 && f.Last > 0 && f.Last <= design.BeforeControl {
		f.Share.Always = math.Trunc(f.Share.Always) // no block has the control
	}
	f.Control = slices.ContainsFunc(p.Variants, func(v assay.Variant) bool { return design.Beside(p, v.Name) })
	if p.Left > 0 {
		f.Time = p.Left
	}
	f.First = FirstVerdict(p)
	f.Link = time.Duration(float64(p.Link) * f.Share.Present() / float64(max(len(p.Variants), 1)))
	var trials time.Duration
	for _, b := range p.Benchmarks {
		trials += b.Trial
	}
	f.Block = time.Duration(float64(trials)*f.Share.Present()) + f.Link
	if f.Time > 0 && f.Block > 0 {
		f.Blocks, f.ByTime = int(f.Time/f.Block), true
	}
	if f.Last > 0 && (f.Blocks < 0 || f.Last < f.Blocks) {
		f.Blocks, f.ByTime = f.Last, false
	}
	return f
}

// Each returns the number of blocks that hold any one variant.
func (f Forecast) Each() int { return f.Blocks / max(f.Share.Cycle, 1) }

// Decides reports whether anything can be decided, in little more time if necessary.
func (f Forecast) Decides() bool {
	if f.Blocks < 0 || f.Blocks >= f.First {
		return true
	}
	reached := Budget{Limit: f.Time, Elapsed: func() time.Duration { return 0 }}
	return f.ByTime && (f.Last == 0 || f.Last >= f.First) && reached.Reaches(time.Duration(f.First)*f.Block)
}

// HalfWidth estimates the half-width of an interval at the end, in ln units. sd is the
// standard deviation of a block's value.
func (f Forecast) HalfWidth(sd, alpha float64) float64 {
	blocks := f.Blocks
	if f.Decides() {
		blocks = max(blocks, f.First)
	}
	return stats.HalfWidth(blocks/max(f.Share.Cycle, 1), sd, alpha, f.Control)
}

// Enough returns the budget for so many blocks, plus the overhead at the start. It adds a
// quarter, for trials that take longer than expected.
func (f Forecast) Enough(blocks int, overhead time.Duration) time.Duration {
	return overhead + time.Duration(1.25*float64(blocks)*float64(f.Block))
}

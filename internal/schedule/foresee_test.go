package schedule

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// A block takes its trials and links, and as many fit as the time or the study allows,
// whichever ends first.
func TestForesee(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*assay.Plan)
		block  time.Duration
		blocks int
		byTime bool
	}{
		{"time", nil, 3300 * time.Millisecond, 18, true},
		{"time left", func(p *assay.Plan) { p.Left = 30 * time.Second }, 3300 * time.Millisecond, 9, true},
		{"few blocks", func(p *assay.Plan) { p.Study.Decide.MaxBlocks = 7 }, 3300 * time.Millisecond, 7, false},
		{"many blocks", func(p *assay.Plan) { p.Study.Decide.MaxBlocks = 20 }, 3300 * time.Millisecond, 18, true},
		{"no budget", func(p *assay.Plan) { p.Study.Decide.Budget = 0 }, 3300 * time.Millisecond, -1, false},
		{"no budget, few blocks", func(p *assay.Plan) { p.Study.Decide.Budget, p.Study.Decide.MaxBlocks = 0, 7 }, 3300 * time.Millisecond, 7, false},
		{"the control in one block of four", func(p *assay.Plan) { p.ControlEvery, p.Link = 4, 400*time.Millisecond }, 2550 * time.Millisecond, 23, true},
		{"before the control", func(p *assay.Plan) { p.ControlEvery, p.Link, p.Study.Decide.MaxBlocks = 4, 450*time.Millisecond, 8 }, 2300 * time.Millisecond, 8, false},
	} {
		p := plan("new")
		p.Link = 300 * time.Millisecond
		if c.change != nil {
			c.change(p)
		}
		f := Foresee(p)
		if f.Block != c.block || f.Blocks != c.blocks || f.ByTime != c.byTime || f.Link != 300*time.Millisecond || f.First != 5 || !f.Control {
			t.Errorf("%s: got %+v, want %d blocks of %v, by time %t", c.name, f, c.blocks, c.block, c.byTime)
		}
	}
}

// With more variants than places a block holds a part of them, and a variant is in a part of
// the blocks.
func TestForeseeSubsets(t *testing.T) {
	p := many(12, 6, false)
	p.Link, p.Benchmarks, p.Study.Decide.Budget = 7*time.Second, []assay.PlannedBenchmark{{Trial: time.Second}}, 3*time.Minute
	f := Foresee(p)
	if want := 9 * time.Second; f.Block != want { // 4 of 12, the base and the control, with 6 of 14 links
		t.Errorf("a block takes %v, want %v", f.Block, want)
	}
	if f.Blocks != 20 || f.Each() != 6 {
		t.Errorf("%d blocks, %d of each variant; want 20 and 6", f.Blocks, f.Each())
	}
	if got, want := f.Enough(20, time.Minute), 285*time.Second; got != want { // a quarter more than 180 s
		t.Errorf("%v is enough for 20 blocks after a minute, want %v", got, want)
	}
	p.Variants = p.Variants[:len(p.Variants)-1]
	if f := Foresee(p); f.Control {
		t.Error("a plan without a control counts on one")
	}
}

// Intervals are as wide as the blocks of a variant make them. Nothing is known if there
// will be no verdict; a run that exceeds its time a little for the first one has that.
func TestForecastHalfWidth(t *testing.T) {
	width := func(p *assay.Plan, budget time.Duration) float64 {
		p.Study.Decide.Budget = budget
		return Foresee(p).HalfWidth(0.01, 0.01)
	}
	p := plan("new") // blocks of 3 s, 5 of them for a verdict
	if got := width(p, 10*time.Second); !math.IsInf(got, 1) {
		t.Errorf("3 blocks give ±%g, want nothing", got)
	}
	first := width(p, 15*time.Second)
	if got := width(p, 13*time.Second); got != first || math.IsInf(got, 0) {
		t.Errorf("4 blocks, of which the run makes 5, give ±%g, want ±%g of 5", got, first)
	}
	if got := width(p, 3*time.Minute); got >= first/2 {
		t.Errorf("60 blocks give ±%g, 5 give ±%g", got, first)
	}
	subsets := many(12, 6, false)
	subsets.Benchmarks = []assay.PlannedBenchmark{{Trial: time.Second}} // blocks of 6 s, three for a turn of each
	if got, want := width(subsets, 18*time.Minute), width(p, 3*time.Minute); got != want {
		t.Errorf("180 blocks with a third of the variants give ±%g, want ±%g of 60 with all", got, want)
	}
}

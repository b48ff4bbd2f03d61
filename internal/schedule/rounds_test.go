package schedule

import (
	"maps"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// A pilot is for links that are dear beside the trials, of which nobody has said how many
// rounds to run, and only if it takes a small part of the time.
func TestWantsPilot(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*assay.Plan)
		want   bool
	}{
		"dear links":        {nil, true},
		"no links":          {func(p *assay.Plan) { p.Link = 0 }, false},
		"hardly dear links": {func(p *assay.Plan) { p.Link = 50 * time.Millisecond }, true}, // an eighth of a round is 37.5 ms
		"cheap links":       {func(p *assay.Plan) { p.Link = 30 * time.Millisecond }, false},
		"little time":       {func(p *assay.Plan) { p.Study.Decide.Budget = 28 * time.Second }, false}, // it takes 5.7 s
		"little time left":  {func(p *assay.Plan) { p.Left = 28 * time.Second }, false},
		"a fifth and more":  {func(p *assay.Plan) { p.Left = 29 * time.Second }, true},
		"rounds given":      {func(p *assay.Plan) { p.Study.Measure.Inner = 1 }, false},
		"layouts given":     {func(p *assay.Plan) { p.Study.Measure.Layouts = 12 }, false},
		"side by side":      {func(p *assay.Plan) { p.Benchmarks[0].Gear = assay.GearSlices }, false},
		"one as processes": {func(p *assay.Plan) {
			p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Gear: assay.GearSlices, Trial: time.Millisecond})
		}, true},
		"service": {func(p *assay.Plan) { p.Study.Workloads = []assay.Workload{{Kind: assay.KindService}} }, false},
	} {
		p := plan("new")
		p.Link, p.Benchmarks[0].Trial = time.Second, 100*time.Millisecond // a round takes 300 ms
		if c.change != nil {
			c.change(p)
		}
		if got := NewRounds(p, NewCosts(p)).WantsPilot(); got != c.want {
			t.Errorf("%s: wants a pilot %t, want %t", name, got, c.want)
		}
	}
}

// A block of the pilot has a few rounds of everything but what runs side by side.
func TestPilot(t *testing.T) {
	p := plan("new")
	p.Benchmarks = []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Name: "A"}}, {Benchmark: assay.Benchmark{Name: "B"}, Gear: assay.GearSlices}}
	next := NewRounds(p, NewCosts(p)).Pilot(p.Benchmarks)
	if !next.Pilot || len(next.Turns) != 2 || next.Turns[0] != (assay.Turn{Benchmark: p.Benchmarks[0].Benchmark, Inner: 3}) || next.Turns[1].Inner != 1 {
		t.Errorf("got %+v, want 3 rounds of A and 1 of B", next)
	}
}

// Rounds pay where trials scatter more than links and links are dear. They are odd, for a
// median, and few.
func TestSize(t *testing.T) {
	// The components of the variance, by hand: see TestComponents of package stats.
	linksScatter := [][]float64{{1, 3}, {7, 9}} // 17 between, 2 within
	trialsScatter := [][]float64{{0, 6}, {6, 12}}
	for _, c := range []struct {
		name   string
		pilot  [][]float64
		link   time.Duration // of a block
		active int
		want   int
	}{
		{"links scatter", linksScatter, 3 * time.Second, 1, 1},
		{"trials scatter", trialsScatter, 3 * time.Second, 1, 3}, // 18 to 9: two, and then a third
		{"links scatter and are dear", linksScatter, 27 * time.Second, 1, 3},
		{"shared by two benchmarks", linksScatter, 27 * time.Second, 2, 1},
		{"trials alone scatter", [][]float64{{1, 3}, {3, 1}}, 3 * time.Second, 1, 3},
		{"trials scatter much, links are dear", [][]float64{{0, 6}, {6, 12}}, time.Hour, 1, 3},
		{"links cost nothing", trialsScatter, 0, 1, 1},
		{"one block", trialsScatter[:1], 3 * time.Second, 1, 1},
		{"no block", nil, 3 * time.Second, 1, 1},
	} {
		p := plan("new") // rounds of 3 s
		p.Link, p.Study.Measure.Inner = c.link, 7
		r := NewRounds(p, NewCosts(p))
		r.Size(map[assay.Benchmark][][]float64{{}: c.pilot}, c.active)
		if got := r.inner[assay.Benchmark{}]; got != c.want {
			t.Errorf("%s: %d rounds, want %d", c.name, got, c.want)
		}
	}
}

func TestOdd(t *testing.T) {
	for n, want := range map[int]int{-3: 1, 0: 1, 1: 1, 2: 1, 3: 3, 4: 3, 9: 9, 10: 9} {
		if got := odd(n); got != want {
			t.Errorf("the largest odd number up to %d: got %d, want %d", n, got, want)
		}
	}
}

// A block has as many rounds as make its links a third of it, and as few as leave time for
// the blocks of a verdict. Rounds that were asked for stay.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		name           string
		inner, layouts int
		link, budget   time.Duration
		gear           assay.Gear
		want           int
	}{
		{"no links", 0, 0, 0, time.Hour, "", 1},
		{"cheap links", 0, 0, 1400 * time.Millisecond, time.Hour, "", 1},
		{"dear links", 0, 0, 6 * time.Second, time.Hour, "", 5}, // four are 12 s, and odd
		{"dear links, less time", 0, 0, 6 * time.Second, 126 * time.Second, "", 3},
		{"dear links, little time", 0, 0, 6 * time.Second, 84 * time.Second, "", 1},
		{"dear links, no limit", 0, 0, 6 * time.Second, 0, "", 5},
		{"asked for", 2, 0, 6 * time.Second, time.Minute, "", 2},
		{"side by side", 0, 0, 6 * time.Second, time.Hour, assay.GearSlices, 1},
		{"12 layouts", 0, 12, 6 * time.Second, 3 * time.Minute, "", 5}, // 15 s for each
		{"12 layouts, much time", 0, 12, 6 * time.Second, time.Hour, "", 9},
		{"12 layouts, little time", 0, 12, 6 * time.Second, 20 * time.Second, "", 1},
		{"3 layouts, which come again", 0, 3, 6 * time.Second, time.Hour, "", 1},
		{"one layout", 0, 1, 0, time.Hour, "", 1},
	} {
		p := plan("new") // rounds of 3 s
		p.Link, p.Study.Measure.Inner, p.Study.Measure.Layouts, p.Study.Decide.Budget = c.link, c.inner, c.layouts, c.budget
		p.Benchmarks[0].Gear = c.gear
		turns := NewRounds(p, NewCosts(p)).Turns(p.Benchmarks, nil)
		if len(turns) != 1 || turns[0].Inner != c.want {
			t.Errorf("%s: got %+v, want %d rounds", c.name, turns, c.want)
		}
	}
}

// A benchmark that is to run once has one round beside others with several.
func TestTurnsOnce(t *testing.T) {
	p := plan("new")
	a, b := assay.Benchmark{Name: "A"}, assay.Benchmark{Name: "B"}
	p.Study.Measure.Inner = 3
	p.Benchmarks = []assay.PlannedBenchmark{{Benchmark: a, Trial: time.Second}, {Benchmark: b, Trial: time.Second}}
	got := map[assay.Benchmark]int{}
	for _, turn := range NewRounds(p, NewCosts(p)).Turns(p.Benchmarks, map[assay.Benchmark]bool{b: true}) {
		got[turn.Benchmark] = turn.Inner
	}
	if want := map[assay.Benchmark]int{a: 3, b: 1}; !maps.Equal(got, want) {
		t.Errorf("got rounds %v, want %v", got, want)
	}
}

// In a chain the blocks of a verdict are those in which all neighbours meet, which are more
// than those that hold every step.
func TestTurnsOfChain(t *testing.T) {
	inner := func(compare string) int {
		p := many(12, 6, true)
		p.Benchmarks = []assay.PlannedBenchmark{{Trial: time.Second}}
		p.Link = 28 * time.Second // half of it, 14 s, for the 7 of 14 variants in a block
		p.Study.Decide.Budget, p.Study.Decide.Compare = 800*time.Second, compare
		return NewRounds(p, NewCosts(p)).Turns(p.Benchmarks, nil)[0].Inner
	}
	// Links of 14 s want 28 s of rounds, that is four of 7 s, so five. A block takes 49 s
	// then; 3 × 8 blocks have 33 s each, 4 × 8 have 25 s.
	if got := inner(assay.CompareBase); got != 3 {
		t.Errorf("compared with the base: %d rounds, want 3", got)
	}
	if got := inner(assay.ComparePrevious); got != 1 {
		t.Errorf("compared with the step before: %d rounds, want 1", got)
	}
}

// The price of blocks is that of their rounds and links; what each benchmark needs ends with
// the one that needs most.
func TestPriceOfBlocks(t *testing.T) {
	p := plan("new") // rounds of 3 s
	a, b := assay.Benchmark{Name: "A"}, assay.Benchmark{Name: "B"}
	p.Link, p.Study.Measure.Inner = 6*time.Second, 2
	p.Benchmarks = []assay.PlannedBenchmark{{Benchmark: a, Trial: time.Second}, {Benchmark: b, Trial: 2 * time.Second}}
	r := NewRounds(p, NewCosts(p))
	if got := r.Blocks(0, p.Benchmarks...); got != 0 {
		t.Errorf("no blocks take %v", got)
	}
	if got, want := r.Blocks(2, p.Benchmarks...), 48*time.Second; got != want { // links of 6 s, rounds of 6 and 12 s
		t.Errorf("2 blocks take %v, want %v", got, want)
	}
	if got, want := r.Blocks(2, p.Benchmarks[0]), 24*time.Second; got != want {
		t.Errorf("2 blocks of A take %v, want %v", got, want)
	}
	for _, c := range []struct {
		need  map[assay.Benchmark]int
		least int
		want  time.Duration
	}{
		{map[assay.Benchmark]int{a: 2, b: 10}, 0, 2*6*time.Second + 10*12*time.Second + 10*6*time.Second},
		{map[assay.Benchmark]int{a: 2}, 5, 5 * 12 * time.Second},
		{map[assay.Benchmark]int{a: -1}, -3, 0},
		{nil, 5, 5 * 6 * time.Second},
	} {
		if got := r.Until(c.need, c.least); got != c.want {
			t.Errorf("until %v have what they need, %d at least: %v, want %v", c.need, c.least, got, c.want)
		}
	}
}

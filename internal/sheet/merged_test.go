package sheet

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// machines are results of one study on some machines; the last of three is emulated.
func machines(names ...string) *assay.Merged {
	m := &assay.Merged{}
	for i, name := range names {
		r := resultOf([]string{"a", "b"})
		if i == 2 {
			r.Platform.Emulated = "qemu"
		}
		m.Machines = append(m.Machines, assay.Machine{Name: name, Result: *r})
	}
	return m
}

func value(x float64) assay.Value { return assay.Value{X: x, OK: true} }

// A table over machines has the base's value on each and its change from the first, in
// groups where there are several packages; what a machine lacks is missing.
func TestAcrossTable(t *testing.T) {
	m := machines("box", "pi")
	m.Across = []assay.Across{
		{Benchmark: assay.Benchmark{Package: "p", Name: "A"}, Metric: assay.MetricTime, Values: []assay.Value{value(2e-6), value(3e-6)},
			Changes: []assay.Value{{}, value(0.5)}},
		{Benchmark: assay.Benchmark{Package: "q", Name: "B"}, Metric: assay.MetricTime, Values: []assay.Value{value(1)}},
	}
	sameLines(t, "across", linesOf(AcrossTable(m, assay.MetricTime)), "# sec/op of a|box|pi", "pkg: p", "A|2.00 µs|3.00 µs|+50.0 %", "", "pkg: q", "B|1.00 s|–|–")
}

// head is a variant on machines, one comparison each.
func head(variant string, on ...assay.HeadOn) assay.MergedHead {
	return assay.MergedHead{Variant: variant, Metric: timeMetric, On: on, Of: len(on)}
}

func on(v assay.Verdict, change assay.Change, confirmed bool) assay.HeadOn {
	return assay.HeadOn{Comparison: changeOf("b", v, change, 0.01), Confirmed: confirmed}
}

// The table over machines has a line for each: the change, its verdict, and whether it
// holds among all machines; below them how the machines differ.
func TestOverTable(t *testing.T) {
	m := machines("box", "pi", "emu")
	m.Heads = []assay.MergedHead{head("b", on(assay.Slower, 0.1, true), on(assay.Slower, 0.05, false), on(assay.Slower, 0.2, true))}
	m.Interactions = []assay.Interaction{
		{Variant: "b", Metric: assay.MetricTime, Machines: [2]int{0, 1}, Change: -0.045, Interval: &assay.Interval{Lo: -0.055, Hi: -0.035},
			Verdict: assay.Changed, MayBeSmall: true},
		{Variant: "b", Metric: assay.MetricTime, Machines: [2]int{0, 2}, Verdict: assay.Unclear}, {Variant: "c", Metric: assay.MetricTime, Verdict: assay.Changed},
	}
	rows := []string{"# b on|sec/op vs a", "box|+10.0 %|[+9.0, +11.0]|slower|confirmed", "pi|+5.0 %|[+4.0, +6.0]|slower|not confirmed",
		"emu|+20.0 %|[+19.0, +21.0]|slower|emulated: not counted", "pi against box|−4.5 %|[−5.5, −3.5]|differs, may be small"}
	sameLines(t, "over machines", linesOf(OverTable(m, false)), rows...)
	sameLines(t, "with all", linesOf(OverTable(m, true)), append(rows, "emu against box|–||unclear")...)
	m.Machines, m.Heads[0].On, m.Interactions = m.Machines[:2], []assay.HeadOn{on(assay.Same, 0, false), {}}, m.Interactions[1:2]
	m.Interactions[0].Machines[1] = 1
	sameLines(t, "of two machines", linesOf(OverTable(m, false)), rows[0], "box|0.0 %|[−1.0, +1.0]|same", "pi|–||not measured", "pi against box|–||unclear")
	if got := OverTable(machines("box"), false); got != nil {
		t.Errorf("without a comparison: got %+v", got)
	}
}

// Of many variants those that are confirmed on most machines come first, and the others
// are counted unless all are wanted.
func TestOverTableOfMany(t *testing.T) {
	m := machines("box", "pi")
	for i := range mostOver + 2 {
		m.Heads = append(m.Heads, head(string(rune('a'+i)), on(assay.Slower, 0.1, i == mostOver), on(assay.Slower, 0.1, i >= mostOver)))
	}
	lines := linesOf(OverTable(m, false))
	if n := 1 + 3*mostOver + 1; len(lines) != n || lines[n-1] != "… 2 more (--all shows them)" {
		t.Errorf("%d lines, the last is %q, want %d", len(lines), lines[len(lines)-1], n)
	}
	sameLines(t, "the first ones", []string{lines[0], lines[1], lines[4], lines[7]}, "# variant and machine|vs a", "g: sec/op, confirmed on 2 of 2 machines",
		"h: sec/op, confirmed on 1 of 2 machines", "a: sec/op, confirmed on 0 of 2 machines")
	if got := len(linesOf(OverTable(m, true))); got != 1+3*len(m.Heads) {
		t.Errorf("with all: %d lines, want %d", got, 1+3*len(m.Heads))
	}
	if m.Heads[0].Variant != "a" {
		t.Error("the heads of the result were sorted, too")
	}
}

// Whether a variant's changes differ between machines is said with its doubts.
func TestDifferWord(t *testing.T) {
	for _, c := range []struct {
		x    assay.Interaction
		want string
	}{
		{assay.Interaction{Verdict: assay.Changed}, "differs"}, {assay.Interaction{Verdict: assay.Changed, MayBeSmall: true}, "differs, may be small"},
		{assay.Interaction{Verdict: assay.Invalid}, "no constant difference"}, {assay.Interaction{Verdict: assay.Same}, "same"},
	} {
		if got := DifferWord(c.x); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.x, got, c.want)
		}
	}
}

// raceResult is a race of n+1 variants that "b" has won.
func raceResult(n int, sure bool) *assay.Result {
	r := resultOf([]string{"a", "b"}, tableOf(assay.MetricTime, assay.Same))
	r.Race = &assay.Race{Metric: assay.MetricTime, Margin: 0.02, Winner: "b", Sure: sure}
	for i := range n {
		x := assay.Runner{Variant: string(rune('c' + i)), Left: 10 * i, Behind: assay.Change(i) / 10}
		if i > 0 {
			x.Interval = &assay.Interval{Lo: x.Behind - 0.01, Hi: x.Behind + 0.01}
		}
		r.Race.Runners = append(r.Race.Runners, x)
	}
	return r
}

// The winner of a race is sure, or it leads while others are still in it.
func TestRaceWinner(t *testing.T) {
	if got, want := RaceWinner(raceResult(3, true)), "b won: within 2 % of the best of 4 variants on sec/op, 99 % sure"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := "b leads 4 variants on sec/op, but is not sure to be within 2 % of the best: 1 other still in the race"
	if got := RaceWinner(raceResult(3, false)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// How long a race took is compared with one in which nobody leaves, if that is known.
func TestRaceTime(t *testing.T) {
	r := raceResult(1, true)
	for _, c := range []struct {
		took  time.Duration
		saved float64
		want  string
	}{
		{time.Minute, 2.5, "60 s; all variants in as many blocks: 2m30s, 2.5 times as long"}, {time.Minute, 0, ""}, {0, 2.5, ""},
		{time.Minute, math.Inf(1), ""}, {time.Minute, 1e18, ""},
	} {
		r.Spent.Time, r.Race.Saved = c.took, c.saved
		if got := RaceTime(r); got != c.want {
			t.Errorf("%v times %v: got %q, want %q", c.saved, c.took, got, c.want)
		}
	}
}

// The runners of a race say when they left and how far they are behind; those that left
// first are counted where there are too many.
func TestRaceTable(t *testing.T) {
	r := raceResult(3, true)
	sameLines(t, "runners", linesOf(New(r, false, false).RaceTable(false)), "# runner|left after|vs the winner",
		"c|at the end|–", "d|block 10|+10.0 %|[+9.0, +11.0]", "e|block 20|+20.0 %|[+19.0, +21.0]")
	r.Tables[0].Rows = append(r.Tables[0].Rows, benchRow("B", 1))
	sameLines(t, "half-widths of several benchmarks", linesOf(New(r, false, false).RaceTable(true))[2:], "d|block 10|+10.0 %|±1.0",
		"e|block 20|+20.0 %|±1.0", RaceEstimate)
	lines := linesOf(New(raceResult(MaxRows+3, true), false, false).RaceTable(false))
	if last := lines[len(lines)-1]; len(lines) != MaxRows+2 || last != "… 3 more that left earlier (assay show r1 --all)" {
		t.Errorf("of many: %d lines, the last is %q", len(lines), last)
	}
}

// How a benchmark was measured is said with the number and the length of its slices.
func TestGear(t *testing.T) {
	for _, c := range []struct {
		g    assay.GearOf
		want string
	}{
		{assay.GearOf{Gear: assay.GearSlices, Slices: 107, N: 724}, "107 short slices of 724 operations"},
		{assay.GearOf{Gear: assay.GearSlices, Long: true, Slices: 3, N: 1}, "3 long slices of 1 operation"},
		{assay.GearOf{Gear: assay.GearTurns}, "turns"}, {assay.GearOf{Gear: assay.GearProcesses, N: 1}, "processes"},
		{assay.GearOf{Gear: assay.GearProcesses, N: 20}, "processes of 20 operations"},
	} {
		if got := Gear(c.g); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	r := resultOf([]string{"a", "b"}, tableOf(assay.MetricTime, assay.Same))
	r.Gears = []assay.GearOf{{Benchmark: assay.Benchmark{Name: "B"}, Gear: assay.GearTurns}, {Benchmark: assay.Benchmark{Name: "A"}, Gear: assay.GearTurns}}
	sameLines(t, "of the benchmarks in the tables", linesOf(GearTable(r)), "measured in", "A: turns")
}

// A trade-off has its points with their places, those behind the front only while there is
// room; its base has no change.
func TestTradeTable(t *testing.T) {
	r := resultOf([]string{"a", "b", "c"})
	r.Tradeoff = &assay.Tradeoff{Metrics: [2]assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower}, {Name: assay.MetricRSS, Better: assay.BetterLower}},
		Points: []assay.TradeoffPoint{{Variant: "a", Values: [2]float64{1, 1 << 20}},
			{Variant: "b", Values: [2]float64{2, 2 << 20}, Changes: [2]assay.Change{1, 1}, Beaten: "a"},
			{Variant: "c", Values: [2]float64{0.5, 3 << 20}, Changes: [2]assay.Change{-0.5, 2}}}}
	sameLines(t, "trade-off", linesOf(New(r, false, false).TradeTable(true)), "# trade-off|sec/op|peak-RSS-bytes|place",
		"a|1.00 s|base|1.00 MiB|base|on the front", "b|2.00 s|+100.0 %|2.00 MiB|+100.0 %|beaten by a", "c|500 ms|−50.0 %|3.00 MiB|+200.0 %|on the front")
	for i := range MaxRows {
		r.Tradeoff.Points = append(r.Tradeoff.Points, assay.TradeoffPoint{Variant: "x", Values: [2]float64{3, float64(i+3) * (1 << 20)}, Beaten: "a"})
	}
	lines := linesOf(New(r, false, false).TradeTable(false))
	sameLines(t, "of many", []string{lines[1], lines[2], lines[3], lines[len(lines)-1]}, "a|1.00 s|1.00 MiB|on the front", "b|2.00 s|2.00 MiB|beaten by a",
		"c|500 ms|3.00 MiB|on the front", "… 3 more behind the front (assay show r1 --all)")
	if n := len(linesOf(New(r, true, false).TradeTable(false))); n != 1+len(r.Tradeoff.Points) {
		t.Errorf("with all: %d lines, want %d", n, 1+len(r.Tradeoff.Points))
	}
}

package sample

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A block yields one value, the logarithm of the ratio of the medians of its rounds, and
// keeps the ratio of each round. A round of one variant goes with that of the base.
func TestBlockOfRounds(t *testing.T) {
	set := NewSet(planOf([]string{"X"}, "a", "b", assay.ControlName))
	var block []assay.Trial
	for _, round := range []struct{ a, b, control float64 }{{10, 24, 6}, {20, 6, 12}, {12, 30, 8}} {
		block = append(block, took("b", "X", round.b), took("a", "X", round.a), took(assay.ControlName, "X", round.control))
	}
	set.Add(block)
	s := set.Sample(bench("X"), assay.MetricTime, "b")
	expect(t, "base", s.Base, 12)
	expect(t, "value", s.Value, 24)
	expect(t, "D", s.D, lns(2)...)
	expect(t, "rounds", s.Rounds[0], lns(2.4, 0.3, 2.5)...)
	expect(t, "control beside b", s.Control, lns(8./12)...)
	expect(t, "control", set.Sample(bench("X"), assay.MetricTime, assay.ControlName).D, lns(8./12)...)
	if set.Trials != 9 || set.Blocks != 1 || set.Benchmarks[0].Ran["b"] != 1 {
		t.Errorf("got %d trials, %d blocks, b ran in %d, want 9, 1 and 1", set.Trials, set.Blocks, set.Benchmarks[0].Ran["b"])
	}
	if s := set.Sample(bench("Y"), assay.MetricTime, "b"); s != nil {
		t.Errorf("a benchmark that is not planned has %v", s)
	}
}

// Blocks of a pilot, which older versions had, yield no value; those of an earlier run
// count, and are counted.
func TestPilotAndEarlierBlocks(t *testing.T) {
	set := NewSet(planOf([]string{"X"}, "a", "b"))
	for i, values := range [][]float64{{10, 20}, {10, 30}, {10, 40}} {
		block := []assay.Trial{took("a", "X", values[0]), took("b", "X", values[1])}
		for k := range block {
			block[k].Pilot = i == 0
			if i == 1 {
				block[k].Run = "earlier"
			}
		}
		set.Add(block)
	}
	if set.Blocks != 2 || set.Earlier != 1 {
		t.Errorf("got %d blocks, %d earlier, want 2 and 1", set.Blocks, set.Earlier)
	}
	s := set.Sample(bench("X"), assay.MetricTime, "b")
	expect(t, "D", s.D, lns(3, 4)...)
	if !slices.Equal(s.Blocks, []int{1, 2}) {
		t.Errorf("got blocks %v, want 1 and 2", s.Blocks)
	}
}

// A trial that traces the collector takes longer, so that only the collector's metrics of
// it count.
func TestTracedTrials(t *testing.T) {
	set := NewSet(planOf([]string{"X"}, "a", "b"))
	block := []assay.Trial{took("a", "X", 10), took("b", "X", 20)}
	for _, v := range []string{"a", "b"} {
		tr := took(v, "X", 900)
		tr.Traced, tr.Observations[assay.MetricGCMark] = true, map[string]float64{"a": 1, "b": 5}[v]
		block = append(block, tr)
	}
	set.Add(block)
	expect(t, "time", set.Sample(bench("X"), assay.MetricTime, "b").D, lns(2)...)
	expect(t, "marking", set.Sample(bench("X"), assay.MetricGCMark, "b").D, lns(5)...)
}

// Metrics that decide come first, in the order of the study, and the others by name.
// Without a value of the base there is no comparison.
func TestMetricsOfASet(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b")
	p.Study.Decide.Metrics = []string{"z", "y"}
	set := NewSet(p)
	both := map[string]float64{"b": 1, "z": 1, "a": 1, "y": 1}
	set.Add([]assay.Trial{{Variant: "a", Benchmark: bench("X"), Status: assay.StatusOK, Observations: both},
		{Variant: "b", Benchmark: bench("X"), Status: assay.StatusOK, Observations: map[string]float64{"b": 1, "z": 1, "a": 1, "y": 1, "only": 1}}})
	if want := []string{"z", "y", "a", "b", "only"}; !slices.Equal(set.Metrics, want) {
		t.Errorf("got %v, want %v", set.Metrics, want)
	}
	if s := set.Sample(bench("X"), "only", "b"); s != nil {
		t.Errorf("got %v of a metric that the base lacks", s)
	}
	if s := set.Sample(bench("X"), "z", "b"); s == nil || len(s.D) != 1 {
		t.Errorf("got %v, want one value", s)
	}
}

// The control comes last, and is not one of those that the study compares.
func TestVariantsOfASet(t *testing.T) {
	set := NewSet(planOf([]string{"X"}, "a", assay.ControlName, "b", "c"))
	if want := []string{"b", "c", assay.ControlName}; !slices.Equal(set.Variants, want) || set.Control != assay.ControlName {
		t.Errorf("got %v with the control %q, want %v", set.Variants, set.Control, want)
	}
	if want := []string{"b", "c"}; !slices.Equal(set.Others(), want) {
		t.Errorf("got %v, want %v", set.Others(), want)
	}
}

// A benchmark that the base lacks is excluded from the beginning.
func TestBenchmarkThatTheBaseLacks(t *testing.T) {
	p := planOf([]string{"X", "Y"}, "a", "b")
	p.Benchmarks[1].Missing = []string{"a"}
	set := NewSet(p)
	if got := named(set.Active()); got != "[X]" || set.Benchmarks[1].Failed != "not in a, which all are compared with" {
		t.Errorf("got %s, and %q of Y", got, set.Benchmarks[1].Failed)
	}
	set.Add([]assay.Trial{took("a", "Y", 1), took("b", "Y", 2)})
	if s := set.Sample(bench("Y"), assay.MetricTime, "b"); s != nil {
		t.Errorf("an excluded benchmark has %v", s)
	}
}

// Equality decides what never varied: after the blocks of any decision if the control
// agrees in each, else after 8 for 5. One trial with another value ends it for good,
// although the median of its block does not show it.
func TestExact(t *testing.T) {
	const from = 5
	for _, test := range []struct {
		name    string
		control []float64 // in each round
		base    []float64
		at      int // the block from which equality decides; 0 for never
	}{
		{"alone", nil, []float64{2}, 8},
		{"with a control", []float64{2}, []float64{2}, 5},
		{"a control that differs", []float64{3}, []float64{2}, 8},
		{"one trial of the base differs", nil, []float64{2, 2, 9}, 0},
	} {
		s := Sample{precision: precision{counted: true}}
		at := 0
		for block := 1; block <= 20; block++ {
			s.Add(block, test.base, []float64{1}, test.control)
			if s.Exact(from) != !s.Early(from) && !s.Varied {
				t.Errorf("%s, block %d: exact is %v, early is %v", test.name, block, s.Exact(from), s.Early(from))
			}
			if s.Exact(from) && at == 0 {
				at = block
			}
		}
		if at != test.at {
			t.Errorf("%s: equality decides at block %d, want %d", test.name, at, test.at)
		}
	}
}

// Where the control's values vary, those of a variant that did not so far are no exact
// number either.
func TestControlThatVaries(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b", assay.ControlName)
	set := filled(p, row{"a": 2, "b": 1, assay.ControlName: 2}, row{"a": 2, "b": 1, assay.ControlName: 2})
	b := set.Sample(bench("X"), assay.MetricTime, "b")
	if b.Varied {
		t.Error("equal values vary")
	}
	set = filled(p, row{"a": 2, "b": 1, assay.ControlName: 2}, row{"a": 2, "b": 1, assay.ControlName: 3})
	if b := set.Sample(bench("X"), assay.MetricTime, "b"); !b.Varied {
		t.Error("the control varies, but b does not")
	}
}

// To 0 there is no ratio: as soon as a value is 0, all values are differences, and so are
// those of the control.
func TestZero(t *testing.T) {
	var s Sample
	s.Add(1, []float64{2, 2}, []float64{4, 4}, []float64{3, 3})
	expect(t, "D before", s.D, lns(2)...)
	s.Add(2, []float64{0, 0}, []float64{1, 1}, []float64{0.5, 0.5})
	expect(t, "D", s.D, 2, 1)
	expect(t, "control", s.Control, 1, 0.5)
	if s.Rounds != nil || !s.Zero {
		t.Errorf("zero is %v, with ratios of rounds %v", s.Zero, s.Rounds)
	}
	if got := s.Floor(); got != 0.1 {
		t.Errorf("got the resolution %g, want that of 0.5 in its own unit", got)
	}
	s.Add(3, []float64{10, 10}, []float64{7, 7}, nil)
	expect(t, "D after", s.D, 2, 1, -3)
}

// The ratios of rounds exist only for as many positive values on both sides.
func TestLogRatios(t *testing.T) {
	for _, test := range []struct{ base, value, want []float64 }{
		{[]float64{1, 2}, []float64{2, 1}, lns(2, 0.5)},
		{[]float64{1, 2}, []float64{2}, nil},
		{[]float64{1, 0}, []float64{2, 1}, nil},
		{[]float64{1, 1}, []float64{2, -1}, nil},
		{nil, nil, nil},
	} {
		if got := logRatios(test.base, test.value); !near(got, test.want) || (got == nil) != (test.want == nil) {
			t.Errorf("%v and %v: got %v, want %v", test.base, test.value, got, test.want)
		}
	}
}

// A block without a control has none of a value, also where others had one.
func TestBlocksWithoutAControl(t *testing.T) {
	var s Sample
	s.Add(1, []float64{1}, []float64{2}, nil)
	if s.Control != nil {
		t.Errorf("got the control %v, want none", s.Control)
	}
	s.Add(2, []float64{1}, []float64{2}, []float64{4})
	s.Add(3, []float64{1}, []float64{2}, nil)
	expect(t, "control", s.Control, math.NaN(), math.Log(4), math.NaN())
	if x := s.controlAt(1); x != math.Log(4) {
		t.Errorf("got %g, want ln 4", x)
	}
}

// Blocks with all variants count for each. Where a block holds a choice of them, a variant
// still needs its own number of blocks.
func TestTooFewBlocks(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b", "c")
	set := filled(p, row{"a": 1, "b": 1})
	if b := set.Benchmarks[0]; b.TooFew("c") || b.NotYet("c") {
		t.Error("c is to be in every block, but waits for more")
	}
	p.Together = 2 // the base and one more
	set = NewSet(p)
	for i := range set.From {
		b := set.Benchmarks[0]
		if got := fmt.Sprint(b.TooFew("b"), b.NotYet("b"), b.TooFew("c"), b.NotYet("c")); got != fmt.Sprint(true, i == 0, true, true) {
			t.Errorf("after %d blocks with b: got %s", i, got)
		}
		set.Add([]assay.Trial{took("a", "X", 1), took("b", "X", 1)})
	}
	if b := set.Benchmarks[0]; b.TooFew("b") || !b.TooFew("c") {
		t.Errorf("after %d blocks b has too few: %v, c: %v, want c only", set.From, b.TooFew("b"), b.TooFew("c"))
	}
}

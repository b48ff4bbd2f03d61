package sample

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// pairs is a set of blocks of benchmarks, each of which has the times of the variants a
// and b. A block without a benchmark does not run it.
func pairs(p *assay.Plan, blocks ...map[string][2]float64) *Set {
	set := NewSet(p)
	for _, block := range blocks {
		var trials []assay.Trial
		for _, b := range p.Benchmarks {
			if x, ok := block[b.Name]; ok {
				trials = append(trials, took("a", b.Name, x[0]), took("b", b.Name, x[1]))
			}
		}
		set.Add(trials)
	}
	return set
}

// The geomean has a value for each block in which all benchmarks ran: twice and eight times
// as long are four times as long. It is no mean of the benchmarks' own means.
func TestGeomean(t *testing.T) {
	set := pairs(planOf([]string{"X", "Y"}, "a", "b"),
		map[string][2]float64{"X": {1, 2}, "Y": {100, 800}},
		map[string][2]float64{"X": {1, 64}},
		map[string][2]float64{"X": {4, 4}, "Y": {400, 100}})
	suite := set.Suite(assay.MetricTime)
	g := suite.Geomean("b")
	if !slices.Equal(g.Blocks, []int{1, 3}) {
		t.Errorf("got blocks %v, want 1 and 3", g.Blocks)
	}
	expect(t, "D", g.D, lns(4, 0.5)...)
	expect(t, "base", g.Base, 10, 40)
	expect(t, "value", g.Value, 40, 20)
	if g.Control != nil || !g.Varied {
		t.Errorf("got the control %v, varied %v, want none and true", g.Control, g.Varied)
	}
	if got := suite.Name(); got != Geomean {
		t.Errorf("got %v, want the geomean", got)
	}
	expect(t, "the base", []float64{suite.Base()}, 25)
	if suite.Sample("b") != g || suite.Sample("a") != nil {
		t.Error("the whole of b is not its geomean, or the base has one")
	}
	set.Add([]assay.Trial{took("a", "X", 1), took("b", "X", 4), took("a", "Y", 1), took("b", "Y", 9)})
	expect(t, "D after one more", set.Suite(assay.MetricTime).Geomean("b").D, lns(4, 0.5, 6)...)
}

// The control of the geomean is that of all benchmarks; where one lacks it there is none.
func TestControlOfTheGeomean(t *testing.T) {
	set := NewSet(planOf([]string{"X", "Y"}, "a", "b", assay.ControlName))
	block := func(x, y float64) (out []assay.Trial) {
		for name, control := range map[string]float64{"X": x, "Y": y} {
			out = append(out, took("a", name, 1), took("b", name, 1))
			if control > 0 {
				out = append(out, took(assay.ControlName, name, control))
			}
		}
		return out
	}
	set.Add(block(2, 8))
	set.Add(block(2, 0))
	expect(t, "control", set.Suite(assay.MetricTime).Geomean("b").Control, math.Log(4), math.NaN())
	if c := set.Suite(assay.MetricTime).Geomean(assay.ControlName); !slices.Equal(c.Blocks, []int{1}) {
		t.Errorf("got the control in blocks %v, want 1", c.Blocks)
	}
}

// Common benchmarks are those that every variant has, and whose values have ratios.
func TestCommonBenchmarks(t *testing.T) {
	set := func(change func(*assay.Plan), y [2]float64) *Set {
		p := planOf([]string{"X", "Y", "Z"}, "a", "b")
		change(p)
		return pairs(p, map[string][2]float64{"X": {1, 2}, "Y": y, "Z": {1, 2}})
	}
	nothing := func(*assay.Plan) {}
	for _, test := range []struct {
		name   string
		set    *Set
		common string
	}{
		{"all", set(nothing, [2]float64{1, 2}), "[X Y Z]"},
		{"a zero", set(nothing, [2]float64{0, 2}), "[X Z]"},
		{"missing in b", set(func(p *assay.Plan) { p.Benchmarks[1].Missing = []string{"b"} }, [2]float64{1, 2}), "[X Z]"},
		{"without Y", set(nothing, [2]float64{1, 2}).Without(bench("Y")), "[X Z]"},
	} {
		suite := test.set.Suite(assay.MetricTime)
		if got := named(suite.Common()); got != test.common {
			t.Errorf("%s: got %s, want %s", test.name, got, test.common)
		}
		if suite.Only() != nil || suite.Name() != Geomean {
			t.Errorf("%s: %v stands for the suite", test.name, suite.Name())
		}
	}
}

// The only benchmark is the whole suite, and one left out of two leaves the other. The set
// itself stays as it was.
func TestOnlyBenchmark(t *testing.T) {
	set := pairs(planOf([]string{"X", "Y"}, "a", "b"), map[string][2]float64{"X": {1, 2}, "Y": {3, 24}}, map[string][2]float64{"X": {1, 2}, "Y": {5, 40}})
	whole := set.Suite(assay.MetricTime).Sample("b").D
	one := set.Without(bench("X")).Suite(assay.MetricTime)
	if got := one.Name(); got != bench("Y") || one.Geomean("b") != nil {
		t.Errorf("got %v with the geomean %v, want Y without", got, one.Geomean("b"))
	}
	expect(t, "D of Y", one.Sample("b").D, lns(8, 8)...)
	expect(t, "base of Y", []float64{one.Base()}, 4)
	expect(t, "D of both", set.Suite(assay.MetricTime).Sample("b").D, whole...)
	expect(t, "D of both", whole, lns(4, 4)...)
	none := set.Without(bench("X")).Without(bench("Y")).Suite(assay.MetricTime)
	if none.Sample("b") != nil || none.Base() != 0 || none.Only() != nil {
		t.Error("a suite without benchmarks has a value")
	}
}

// The base of a benchmark is its median in the blocks of the variant that has most of
// them, the control being in all.
func TestBaseOfABenchmark(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b", assay.ControlName)
	set := filled(p, row{"a": 1, "b": 1, assay.ControlName: 1}, row{"a": 9, assay.ControlName: 1}, row{"a": 5, assay.ControlName: 1})
	if got := set.Benchmarks[0].Base(assay.MetricTime); got != 5 {
		t.Errorf("got %g, want 5, the median of three blocks", got)
	}
	if got := set.Benchmarks[0].Base("things"); got != 0 {
		t.Errorf("got %g of a metric without values", got)
	}
}

// Run charts have the blocks that carry verdicts, from the first one on. What may be 0 has
// no ratio and no chart.
func TestSeriesOfBlocks(t *testing.T) {
	p := planOf([]string{"X", "Y"}, "a", "b")
	p.Study.Decide.Metrics = []string{assay.MetricTime, "zeros"}
	at := func(seconds float64, pilot bool, x, y float64) (out []assay.Trial) {
		for i, v := range []string{"b", "a"} {
			for name, ratio := range map[string]float64{"X": x, "Y": y} {
				tr := took(v, name, []float64{ratio, 1}[i])
				tr.Pilot, tr.Start = pilot, time.Unix(0, 0).Add(time.Duration((seconds+float64(i))*float64(time.Second)))
				tr.Observations["zeros"] = 0
				out = append(out, tr)
			}
		}
		return out
	}
	list, left := BlockSeries(p, [][]assay.Trial{at(100, true, 9, 9), at(200, false, 2, 8), at(260.26, false, 1, 4)})
	if left != 0 || len(list) != 3 {
		t.Fatalf("got %d series with %d left out, want the geomean, X and Y", len(list), left)
	}
	for i, want := range []struct {
		benchmark assay.Benchmark
		ln        []float64
	}{{assay.Benchmark{}, []float64{1.38629, 0.69315}}, {bench("X"), []float64{0.69315, 0}}, {bench("Y"), []float64{2.07944, 1.38629}}} {
		s := list[i]
		if s.Benchmark != want.benchmark || s.Variant != "b" || s.Metric != assay.MetricTime || !slices.Equal(s.Block, []int{1, 2}) {
			t.Errorf("got %s of %v in blocks %v, want time of %v in 1 and 2", s.Metric, s.Benchmark, s.Block, want.benchmark)
		}
		expect(t, "ln", s.LN, want.ln...)
		expect(t, "starts", s.Start, 0, 60.3)
	}
}

// Of very many benchmarks the first 200 have charts, fewer if there are many blocks.
func TestSeriesAreBounded(t *testing.T) {
	var names []string
	for i := range 250 {
		names = append(names, "B"+string(rune('0'+i)))
	}
	p := planOf(names, "a", "b")
	var block []assay.Trial
	for _, name := range names {
		block = append(block, took("a", name, 1), took("b", name, 2))
	}
	if list, left := BlockSeries(p, [][]assay.Trial{block}); left != 50 || len(list) != 201 {
		t.Errorf("got %d series with %d left out, want 201 and 50", len(list), left)
	}
	many := make([][]assay.Trial, 400)
	for i := range many {
		many[i] = block[:4]
	}
	if list, left := BlockSeries(p, many); left != 150 || len(list) != 3 || len(list[0].Block) != 400 {
		t.Errorf("got %d series with %d left out, want 150 left out, and of the others the two that ran and their geomean", len(list), left)
	}
}

package sample

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// read is a set of the times of X in files, by variant: a block and a value in turn.
func read(p *assay.Plan, lists map[string][]float64) *Set {
	files := &assay.Samples{Base: p.Study.Base, Control: p.ControlVariant()}
	for _, v := range p.Variants {
		s := assay.Sample{Benchmark: bench("X"), Variant: v.Name, Metric: assay.MetricTime}
		for i, x := range lists[v.Name] {
			if i%2 == 0 {
				s.Blocks = append(s.Blocks, int(x))
			} else {
				s.Values = append(s.Values, x)
			}
		}
		files.Samples = append(files.Samples, s)
	}
	set := NewSet(p)
	set.Read(files)
	return set
}

// Values of files are paired with those of the base in their block, in whatever order they
// stand. Blocks count from 1 without gaps; one without the base yields nothing.
func TestReadPairsBlocks(t *testing.T) {
	set := read(planOf([]string{"X"}, "a", "b", assay.ControlName), map[string][]float64{
		"a":               {9, 5, 4, 1, 4, 3, 6, 4},
		"b":               {4, 8, 9, 10, 4, 4, 7, 99},
		assay.ControlName: {9, 20, 6, 8},
	})
	s := set.Sample(bench("X"), assay.MetricTime, "b")
	if set.Blocks != 4 || !slices.Equal(s.Blocks, []int{1, 4}) {
		t.Errorf("got %d blocks and those of b %v, want 4 and [1 4]", set.Blocks, s.Blocks)
	}
	expect(t, "base", s.Base, 2, 5)
	expect(t, "value", s.Value, 6, 10)
	expect(t, "D", s.D, lns(3, 2)...)
	expect(t, "control", s.Control, math.NaN(), math.Log(4))
	expect(t, "rounds", s.Rounds[0], lns(8, 4./3)...)
	c := set.Sample(bench("X"), assay.MetricTime, assay.ControlName)
	expect(t, "D of the control", c.D, lns(2, 4)...)
	if !s.Varied || set.Trials != 4 {
		t.Errorf("varied is %v after %d trials, want true and 4", s.Varied, set.Trials)
	}
}

// A variant without any value of the base is not compared.
func TestReadWithoutABase(t *testing.T) {
	set := read(planOf([]string{"X"}, "a", "b"), map[string][]float64{"a": {1, 5}, "b": {2, 8}})
	if s := set.Sample(bench("X"), assay.MetricTime, "b"); s != nil && len(s.D) > 0 {
		t.Errorf("got %v from different blocks", s.D)
	}
	files := &assay.Samples{Base: "a", Samples: []assay.Sample{{Benchmark: bench("X"), Variant: "b", Metric: assay.MetricTime, Blocks: []int{1}, Values: []float64{1}}}}
	set = NewSet(planOf([]string{"X"}, "a", "b"))
	set.Read(files)
	if s := set.Sample(bench("X"), assay.MetricTime, "b"); s != nil {
		t.Errorf("got %v without a base", s)
	}
}

// What is prepared in parallel is what is asked for later: the interval at the study's
// confidence.
func TestPrepare(t *testing.T) {
	var a, b []float64
	for block := 1; block <= 20; block++ {
		a, b = append(a, float64(block), 1), append(b, float64(block), 1+0.01*float64(block%3))
	}
	p := planOf([]string{"X"}, "a", "b")
	set := read(p, map[string][]float64{"a": a, "b": b})
	set.Prepare()
	s := set.Sample(bench("X"), assay.MetricTime, "b")
	if got, want := s.known.threshold, 1/p.Study.Decide.Alpha(); s.known.n != 20 || got != want {
		t.Errorf("prepared for %d blocks and the threshold %g, want 20 and %g", s.known.n, got, want)
	}
	if lo, hi, ok := s.Interval(1 / p.Study.Decide.Alpha()); !ok || lo > 0.01 || hi < 0.01 || hi-lo > 0.03 {
		t.Errorf("got [%g, %g], %v, want a narrow interval around 0.01", lo, hi, ok)
	}
}

package analysis

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// The control is part of the series of every comparison with the base: of a benchmark,
// of the suite, of the first step, of a pair with the base, turned round where the base
// is the variant. Nothing else has one beside it.
func TestControlStandsBesideTheBase(t *testing.T) {
	w := noisyWorld(3, []string{"X", "Y"}, map[string]float64{"b": 0.03, "c": 0.05}, "a", "b", "c", assay.ControlName)
	w.plan.Study.Steps = &assay.Steps{List: []assay.Step{{Variant: "b"}, {Variant: "c"}}}
	tr := NewTracker(w.plan, time.Hour)
	for range 12 {
		tr.Add(w.next(tr.Turns()))
	}
	m, x := assay.MetricTime, tr.set.Benchmarks[0]
	control := x.Samples[m][assay.ControlName]
	whole := tr.set.Suite(m).Geomean(assay.ControlName)
	for name, tc := range map[string]struct {
		s    *sample.Sample
		want []float64
		sign float64
	}{
		"benchmark":         {x.Samples[m]["b"], control.D, 1},
		"suite":             {tr.set.Suite(m).Geomean("c"), whole.D, 1},
		"first step":        {tr.set.Chain.Cell(x, m, tr.set.Chain.Links[0]), control.D, 1},
		"suite, first step": {tr.set.Chain.Whole(m, tr.set.Chain.Links[0]), whole.D, 1},
		"against the base":  {tr.set.Suite(m).Contrast(sample.Against(w.plan, "c", "a")), whole.D, 1},
		"the base against":  {tr.set.Suite(m).Contrast(sample.Against(w.plan, "a", "c")), whole.D, -1},
		"control":           {control, nil, 1},
		"second step":       {tr.set.Chain.Cell(x, m, tr.set.Chain.Links[1]), nil, 1},
		"two others":        {tr.set.Suite(m).Contrast(sample.Against(w.plan, "b", "c")), nil, 1},
	} {
		got := tc.s.Series()
		if len(got.D) != 12 || len(got.Control) != len(tc.want) {
			t.Errorf("%s: %d blocks, %d with a control, want 12 and %d", name, len(got.D), len(got.Control), len(tc.want))
			continue
		}
		for i, want := range tc.want {
			if math.Abs(got.Control[i]-tc.sign*want) > 1e-12 {
				t.Errorf("%s, block %d: control %g, want %g", name, i+1, got.Control[i], tc.sign*want)
			}
		}
	}
}

// A block whose control has no value is one of two arms; the others keep theirs.
func TestControlOfSomeBlocks(t *testing.T) {
	s := new(sample.Sample)
	for block := 1; block <= 6; block++ {
		var control []float64
		if block%3 == 0 {
			control = []float64{1.1}
		}
		s.Add(block, []float64{1}, []float64{1.2}, control)
	}
	got := s.Series()
	for i, c := range got.Control {
		if math.IsNaN(c) != (i%3 != 2) || i%3 == 2 && math.Abs(c-math.Log(1.1)) > 1e-12 {
			t.Errorf("block %d: control %g", i+1, c)
		}
	}
	if len(got.Control) != len(got.D) {
		t.Errorf("%d values of the control beside %d", len(got.Control), len(got.D))
	}
	s.Add(7, []float64{0}, []float64{1}, []float64{2}) // no ratio: differences from now on
	if got := s.Series(); got.Control[6] != 2 || math.Abs(got.Control[2]-0.1) > 1e-12 || !math.IsNaN(got.Control[0]) {
		t.Errorf("differences of the control are %v", got.Control)
	}
}

// An export has the control's blocks too: a cell read from it is the cell of the run.
func TestControlOfSamples(t *testing.T) {
	w := noisyWorld(5, []string{"X"}, map[string]float64{"b": 0.004}, "a", "b", assay.ControlName)
	tr := NewTracker(w.plan, time.Hour)
	s := &assay.Samples{Base: "a", Control: assay.ControlName, Variants: []string{"a", "b", assay.ControlName}, Metrics: w.plan.Metrics}
	at := map[string]int{}
	for range 14 {
		block := w.next(tr.Turns())
		tr.Add(block)
		for _, x := range block {
			i, ok := at[x.Variant]
			if !ok {
				i = len(s.Samples)
				at[x.Variant] = i
				s.Samples = append(s.Samples, assay.Sample{Benchmark: x.Benchmark, Variant: x.Variant, Metric: assay.MetricTime})
			}
			s.Samples[i].Blocks = append(s.Samples[i].Blocks, x.Block)
			s.Samples[i].Values = append(s.Samples[i].Values, x.Observations[assay.MetricTime])
		}
	}
	read := samplesTracker(s, w.plan.Study.Decide)
	get := func(t *Tracker) stats.Series { return t.set.Benchmarks[0].Samples[assay.MetricTime]["b"].Series() }
	lo, hi, _ := get(tr).Interval(100)
	gotLo, gotHi, _ := get(read).Interval(100)
	if get(read).Control == nil || gotLo != lo || gotHi != hi {
		t.Errorf("interval %g to %g from the export, %g to %g of the run", gotLo, gotHi, lo, hi)
	}
}

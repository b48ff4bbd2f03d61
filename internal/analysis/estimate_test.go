package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/slow"
)

// Values, difference and change never point different ways, in any comparison of
// any result: few blocks, wild noise, blocks that hold a choice of the variants,
// values that are 0 at times.
func TestOneEstimator(t *testing.T) { checkEstimator(t, 20) }

func TestSlowOneEstimator(t *testing.T) {
	slow.Test(t)
	checkEstimator(t, 60)
}

func checkEstimator(t *testing.T, studies int) {
	cells, apart := 0, 0
	for seed := range uint64(studies) {
		r := rand.New(rand.NewPCG(seed, 5))
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}[:2+r.IntN(8)]
		w := newWorld([]string{"X", "Y", "Z"}[:1+r.IntN(3)], append(names, assay.ControlName)...)
		w.plan.Study.Decide.Tradeoff = []string{assay.MetricTime, assay.MetricRSS}
		w.plan.Metrics = []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}, {Name: assay.MetricRSS, Better: assay.BetterLower, MinEffect: 0.01}}
		if len(names) > 6 {
			w.plan.Together = 4
		}
		w.f = func(v, _ string, _ int) map[string]float64 {
			return map[string]float64{
				assay.MetricTime: 2e-8 * math.Exp(r.NormFloat64()), assay.MetricRSS: 1e6 * math.Exp(0.3*r.NormFloat64()),
				assay.MetricAllocs: math.Floor(2 * r.Float64()), "count": float64(len(v)) + math.Floor(1.02*r.Float64()),
			}
		}
		tr := NewTracker(w.plan, time.Hour)
		for range 1 + r.IntN(30) {
			tr.Add(w.next(tr.Turns()))
		}
		res := tr.Result(assay.Platform{}, "")
		check := func(what string, base float64, c assay.Comparison) {
			if c.N == 0 || c.Verdict == assay.Invalid {
				return
			}
			cells++
			apart += btoi(c.Change != 0)
			if d := c.Value - base; disagree(d, c.Difference) || disagree(d, float64(c.Change)) || c.Interval != nil && !c.Interval.Covers(c.Change) {
				t.Errorf("seed %d: %s of %s on %s: base %g, value %g, difference %g, change %g %v", seed, what, c.Variant, c.Benchmark.Name, base, c.Value, c.Difference, float64(c.Change), c.Interval)
			}
		}
		for _, tab := range res.Tables {
			for _, row := range tab.Rows {
				for _, c := range row.Cells {
					check(tab.Metric.Name, row.Base, c)
				}
			}
			for _, c := range tab.Geomean {
				check(tab.Metric.Name, tab.GeomeanBase, c)
			}
		}
		if res.Tradeoff == nil {
			continue
		}
		for _, p := range res.Tradeoff.Points {
			for i, c := range p.Changes {
				if disagree(p.Values[i]-res.Tradeoff.Points[0].Values[i], float64(c)) {
					t.Errorf("seed %d: trade-off: %s at %v, %v", seed, p.Variant, p.Values, p.Changes)
				}
			}
		}
	}
	if cells < 2000*studies/60 || apart < cells/2 {
		t.Errorf("%d comparisons, %d of them with a change: this tests little", cells, apart)
	}
}

// disagree reports whether two numbers have different signs; 0 agrees with all.
func disagree(x, y float64) bool { return x*y < 0 || math.IsNaN(x) || math.IsNaN(y) }

// The medians of these blocks rise, from 29.0 to 48.7 µs, though the ratios fall, by
// 14.8 %: the value goes with the ratios.
func TestEstimateGoesByRatios(t *testing.T) {
	s := &sample.Sample{E: 1}
	for block, x := range [][2]float64{{29, 24.7}, {57.2, 48.7}, {20, 60}} {
		s.Add(block+1, []float64{x[0] * 1e-6}, []float64{x[1] * 1e-6}, nil)
	}
	c := judge{metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}, alpha: 0.01, from: 10}.compare(s, 29e-6)
	if want := 24.7/29 - 1; math.Abs(float64(c.Change)-want) > 1e-3 || math.Abs(c.Value-24.7e-6) > 1e-7 || math.Abs(c.Difference+4.3e-6) > 1e-7 {
		t.Errorf("got %g, value %g, difference %g; want %g, the value and the difference of it", float64(c.Change), c.Value, c.Difference, want)
	}
}

// A count that falls to nothing falls by all of it.
func TestExactToNothing(t *testing.T) {
	w := counts(func(v string, _ int) float64 { return map[string]float64{"a": 5, "b": 0}[v] }, "a", "b")
	c := w.blocks(NewTracker(w.plan, time.Hour), 10).Tables[0].Rows[0].Cells[0]
	if c.Verdict != assay.Less || c.Change != -1 || c.Value != 0 || c.Difference != -5 {
		t.Errorf("got %s %v, value %g, difference %g", c.Verdict, c.Change, c.Value, c.Difference)
	}
}

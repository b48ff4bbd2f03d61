package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// Values that follow those of the block before are told of, independent ones are not.
func TestFollow(t *testing.T) {
	for _, keeps := range []float64{0, 0.9} {
		rng := rand.New(rand.NewPCG(1, 1))
		w := newWorld([]string{"X"}, "a", "b")
		level := 0.0
		w.f = func(v, _ string, _ int) map[string]float64 {
			x := 0.001 * rng.NormFloat64()
			if v == "b" {
				level = keeps*level + 0.01*rng.NormFloat64()
				x += level
			}
			return map[string]float64{assay.MetricTime: math.Exp(x)}
		}
		tr := NewTracker(w.plan, time.Hour)
		for range 40 {
			tr.Add(w.next(tr.Turns()))
		}
		r := &assay.Result{Tables: []assay.Table{{Decides: true, Metric: assay.Metric{Name: assay.MetricTime},
			Rows: []assay.Row{{Cells: []assay.Comparison{{Benchmark: w.plan.Benchmarks[0].Benchmark, Variant: "b", Verdict: assay.Slower}}}}}}}
		got := follow(tr.set, r)
		if (len(got) > 0) != (keeps > 0) {
			t.Errorf("keeps %.0f %% of its level: warned: %v", 100*keeps, got)
		}
	}
}

// A variant that takes more in half of its slices is told of; one that a machine disturbs as
// it does the base is not, nor one that is slower in all of them.
func TestUneven(t *testing.T) {
	for name, c := range map[string]struct {
		always, often float64
		want          bool
	}{
		"the same": {0, 0, false}, "slower": {0.05, 0, false}, "slower in two slices of three": {0, 0.05, true},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		w := newWorld([]string{"X"}, "a", "b")
		w.plan.Study.Decide.MinEffect = 0.01
		tr := NewTracker(w.plan, time.Hour)
		x := w.plan.Benchmarks[0].Benchmark
		for block := range 12 {
			var trials []assay.Trial
			for _, v := range []string{"a", "b"} {
				one := assay.Trial{Block: block + 1, Round: 1, Benchmark: x, Variant: v, Status: assay.StatusOK,
					Observations: map[string]float64{assay.MetricTime: 1}} // of the fastest slices
				if v == "b" {
					one.Observations[assay.MetricTime] += c.always
				}
				for range 101 {
					y := 100 * math.Exp(0.001*rng.NormFloat64())
					if rng.Float64() < 0.7 {
						y *= math.Exp(0.1 * rng.ExpFloat64())
					}
					if v == "b" {
						y *= 1 + c.always
						if rng.Float64() < 0.67 {
							y *= 1 + c.often
						}
					}
					one.Slices = append(one.Slices, y)
				}
				trials = append(trials, one)
			}
			tr.Add(trials)
		}
		r := &assay.Result{Command: "assay compare a b -- -bench=X", Tables: []assay.Table{{Decides: true, Metric: assay.Metric{Name: assay.MetricTime},
			Rows: []assay.Row{{Cells: []assay.Comparison{{Benchmark: x, Variant: "b", Verdict: assay.Same}}}}}}}
		got := uneven(tr.set, r)
		if (len(got) > 0) != c.want {
			t.Errorf("%s: warned: %v", name, got)
		}
		if len(got) > 0 && (!strings.HasSuffix(got[0].Text, ": X in b +4.0 % and 0.0 %") || !strings.Contains(got[0].Advice, "-benchtime=")) {
			t.Errorf("warning %q %q", got[0].Text, got[0].Try)
		}
	}
}

package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

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
		s := &sample{}
		set := &Set{plan: &assay.Plan{Study: assay.Study{Base: "a"}}, variants: []string{"a", "b"}}
		b := &benchmark{plan: assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: "X"}},
			samples: map[string]map[string]*sample{assay.MetricTime: {"b": s}}}
		for block := range 12 {
			var trials []assay.Trial
			for _, v := range set.variants {
				one := assay.Trial{Benchmark: b.plan.Benchmark, Variant: v}
				for range 101 {
					x := 100 * math.Exp(0.001*rng.NormFloat64())
					if rng.Float64() < 0.7 {
						x *= math.Exp(0.1 * rng.ExpFloat64())
					}
					if v == "b" {
						x *= 1 + c.always
						if rng.Float64() < 0.67 {
							x *= 1 + c.often
						}
					}
					one.Slices = append(one.Slices, x)
				}
				trials = append(trials, one)
			}
			set.blocks = block
			s.blocks = append(s.blocks, block)
			s.d = append(s.d, 0)
			set.addSlices(b, trials)
		}
		if len(s.middle) != 12 {
			t.Fatalf("%s: %d blocks", name, len(s.middle))
		}
		if by, ok := s.uneven(0.01); ok != c.want {
			t.Errorf("%s: differs by %.4f, told: %v", name, by, ok)
		}
		if !c.want {
			continue
		}
		set.index = map[assay.Benchmark]*benchmark{b.plan.Benchmark: b}
		set.plan.Study.Decide.MinEffect = 0.01
		r := &assay.Result{Command: "assay compare a b -- -bench=X", Tables: []assay.Table{{Decides: true, Metric: assay.Metric{Name: assay.MetricTime},
			Rows: []assay.Row{{Cells: []assay.Comparison{{Benchmark: b.plan.Benchmark, Variant: "b", Verdict: assay.Same}}}}}}}
		w, ok := uneven(set, r)
		if !ok || !strings.HasSuffix(w.Text, ": X in b +3.2 % and +0.0 %") || w.Try != "assay compare --pair turns a b -- -bench=X" {
			t.Errorf("warning %v %q %q", ok, w.Text, w.Try)
		}
	}
}

// Two blocks that happen to agree are no proof.
func TestUnevenOfFewBlocks(t *testing.T) {
	if by, ok := (&sample{middle: []float64{-0.0100, -0.0105}}).uneven(0.01); ok {
		t.Errorf("told of %v after two blocks", by)
	}
}

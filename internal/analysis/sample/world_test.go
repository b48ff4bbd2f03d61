package sample

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// planOf compares variants with the first of them on benchmarks.
func planOf(benchmarks []string, variants ...string) *assay.Plan {
	p := &assay.Plan{Schema: assay.PlanSchema, Run: "k2vf", Study: assay.Study{Base: variants[0], Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}}
	p.Study.SetDefaults()
	for _, v := range variants {
		p.Variants = append(p.Variants, assay.Variant{Name: v, Control: v == assay.ControlName})
		if v != assay.ControlName {
			p.Study.Variants = append(p.Study.Variants, assay.Variant{Name: v})
		}
	}
	for _, b := range benchmarks {
		p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Benchmark: bench(b), N: 1})
	}
	return p
}

func bench(name string) assay.Benchmark { return assay.Benchmark{Name: name} }

// of is a trial of a variant on a benchmark with a value of a metric.
func of(variant, benchmark, metric string, value float64) assay.Trial {
	return assay.Trial{Variant: variant, Benchmark: bench(benchmark), Status: assay.StatusOK, N: 1, Observations: map[string]float64{metric: value}}
}

// took is a trial that took so many seconds.
func took(variant, benchmark string, seconds float64) assay.Trial {
	return of(variant, benchmark, assay.MetricTime, seconds)
}

// A row has the times of benchmark X in a block, by variant.
type row map[string]float64

// filled is a set of these blocks of benchmark X.
func filled(p *assay.Plan, blocks ...row) *Set {
	set := NewSet(p)
	for i, block := range blocks {
		var trials []assay.Trial
		for _, v := range p.Variants {
			if x, ok := block[v.Name]; ok {
				tr := took(v.Name, "X", x)
				tr.Block = i + 1
				trials = append(trials, tr)
			}
		}
		set.Add(trials)
	}
	return set
}

// near reports whether two lists are equal up to rounding; NaN is equal to itself.
func near(got, want []float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i, x := range got {
		if math.IsNaN(x) != math.IsNaN(want[i]) || math.Abs(x-want[i]) > 1e-9 {
			return false
		}
	}
	return true
}

// expect compares numbers up to rounding.
func expect(t *testing.T, what string, got []float64, want ...float64) {
	t.Helper()
	if !near(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// lns are the logarithms of ratios.
func lns(ratios ...float64) (out []float64) {
	for _, x := range ratios {
		out = append(out, math.Log(x))
	}
	return out
}

// named are the names of benchmarks, in order.
func named(bs []*Benchmark) string {
	out := []string{}
	for _, b := range bs {
		out = append(out, b.Plan.Name)
	}
	return fmt.Sprint(out)
}

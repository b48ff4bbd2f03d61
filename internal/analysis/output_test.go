package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// commandPlan compares two variants of a command that must print the same.
func commandPlan(expect string) *assay.Plan {
	s := assay.Study{Name: "s", Base: "a", Variants: []assay.Variant{{Name: "a"}, {Name: "b"}},
		Workloads: []assay.Workload{{Kind: assay.KindCommand, Names: []string{"x"}, Run: []string{"x"}, Expect: expect}}}
	s.SetDefaults()
	return &assay.Plan{Study: s, Variants: []assay.Variant{{Name: "a"}, {Name: "b"}, {Name: assay.ControlName, Control: true}},
		Benchmarks: []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Name: "x"}, N: 1, Trial: time.Second}}}
}

// printed is a block whose trials printed these outputs, by variant in order.
func printed(block int, outputs ...[2]string) []assay.Trial {
	var out []assay.Trial
	for i, o := range outputs {
		out = append(out, assay.Trial{ID: 10*block + i, Block: block, Attempt: 1, Of: len(outputs), Position: i + 1, Round: 1,
			Variant: o[0], Benchmark: assay.Benchmark{Name: "x"}, N: 1, Duration: time.Second, Status: assay.StatusOK, Output: o[1],
			Observations: map[string]float64{assay.MetricTime: 1 + float64(i)/100}})
	}
	return out
}

func TestOutputsOfVariants(t *testing.T) {
	a, b, c := func(o string) [2]string { return [2]string{"a", o} }, func(o string) [2]string { return [2]string{"b", o} },
		func(o string) [2]string { return [2]string{assay.ControlName, o} }
	for _, test := range []struct {
		name, expect string
		blocks       [][]assay.Trial
		excluded     bool
		warning      string
	}{
		{"all the same", "", [][]assay.Trial{printed(1, b("1"), a("1"), c("1"))}, false, ""},
		{"a wrong answer before the base's", "", [][]assay.Trial{printed(1, b("2"), a("1"), c("1"))}, true, "wrong-output"},
		{"a wrong answer after it", "same", [][]assay.Trial{printed(1, a("1"), b("2"), c("1"))}, true, "wrong-output"},
		{"later", "", [][]assay.Trial{printed(1, a("1"), b("1"), c("1")), printed(2, a("1"), c("1"), b("2"))}, true, "wrong-output"},
		{"the base varies", "", [][]assay.Trial{printed(1, b("3"), a("1"), c("2"))}, false, "output-varies"},
		{"the base seen once only", "", [][]assay.Trial{printed(1, a("1"), b("2"))}, false, ""},
		{"then again", "", [][]assay.Trial{printed(1, a("1"), b("2")), printed(2, a("1"), b("1"))}, true, "wrong-output"},
		{"nobody looks", assay.ExpectAny, [][]assay.Trial{printed(1, b("2"), a("1"), c("1"))}, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			tr := NewTracker(commandPlan(test.expect), time.Hour)
			for _, block := range test.blocks {
				tr.Add(block)
			}
			if got := tr.set.Benchmarks[0].Failed != ""; got != test.excluded {
				t.Errorf("excluded is %v (%s)", got, tr.set.Benchmarks[0].Failed)
			}
			var got strings.Builder
			for _, w := range tr.set.Warnings {
				got.WriteString(string(w.Code))
			}
			if got.String() != test.warning {
				t.Errorf("got warnings %q, want %q", got.String(), test.warning)
			}
		})
	}
}

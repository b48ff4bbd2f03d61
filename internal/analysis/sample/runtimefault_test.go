package sample

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// faultyPlan compares a with b on benchmarks X and Y.
func faultyPlan() *assay.Plan {
	p := &assay.Plan{Run: "k2vf", Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}, Benchmarks: []assay.PlannedBenchmark{
		{Benchmark: assay.Benchmark{Name: "X"}, N: 1}, {Benchmark: assay.Benchmark{Name: "Y"}, N: 1}}}
	p.Study = assay.Study{Base: "a", Variants: p.Variants, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	p.Study.SetDefaults()
	return p
}

// faultyBlock is a block in which X fails in b for a reason, "" for none. The trial of a
// follows, and is skipped then.
func faultyBlock(block int, reason, fault string) (out []assay.Trial) {
	for _, bench := range []string{"X", "Y"} {
		for i, variant := range []string{"b", "a"} {
			tr := assay.Trial{ID: 4*block + 2*i, Block: block, Variant: variant, Benchmark: assay.Benchmark{Name: bench}, N: 1,
				Status: assay.StatusOK, Observations: map[string]float64{assay.MetricTime: 1 + float64(block)/100}}
			switch {
			case reason == "" || bench == "Y":
			case variant == "b":
				tr.Status, tr.Reason, tr.RuntimeFault, tr.Observations = assay.StatusFailed, reason, fault, nil
			default:
				tr.Status, tr.Observations = assay.StatusSkipped, nil
			}
			out = append(out, tr)
		}
	}
	return out
}

// A fault of the Go runtime costs a benchmark its block. More than one block in three,
// and three at least, cost the benchmark, and so does any other failure.
func TestRuntimeFault(t *testing.T) {
	const checkdead, spinning, broken = "checkdead: runnable g", "startm: m is spinning", ""
	for _, test := range []struct {
		name   string
		fault  string
		fails  []int
		blocks int
		left   int // blocks of X; 0 if it is excluded
		code   string
		text   []string // of the last warning
	}{
		{"one", checkdead, []int{4}, 20, 19, "runtime-fault", []string{"BenchmarkX died of a fault of the Go runtime in 1 of 20 blocks",
			`block 4, "b": failed: fatal error: checkdead: runnable g`, "golang/go#63761", "assay leaves block 4 out of every comparison"}},
		{"the first", checkdead, []int{1}, 1, 0, "runtime-fault", nil},
		{"another", spinning, []int{4, 5}, 20, 18, "runtime-fault", []string{"blocks 4 and 5"}},
		{"two of three blocks", checkdead, []int{1, 2}, 3, 1, "runtime-fault", nil},
		{"one block in three", checkdead, []int{3, 6, 9}, 9, 6, "runtime-fault", nil},
		{"more", checkdead, []int{3, 6, 8}, 8, 0, "bench-failed", []string{"in 3 of 8 blocks", "excluded from the comparison for every variant", "cgo"}},
		{"the program's", broken, []int{4}, 5, 0, "bench-failed", []string{`BenchmarkX failed in "b", block 4`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := NewSet(faultyPlan())
			for block := 1; block <= test.blocks; block++ {
				reason := ""
				if slices.Contains(test.fails, block) {
					reason = "fatal error: " + test.fault
				}
				set.Add(faultyBlock(block, reason, test.fault))
			}
			x, y := set.Benchmarks[0], set.Benchmarks[1]
			if excluded := strings.HasPrefix(test.code, "bench-failed"); excluded != (x.Failed != "") {
				t.Errorf("excluded: %q", x.Failed)
			} else if got := x.Ran["b"]; !excluded && got != test.left {
				t.Errorf("got %d blocks of X, want %d", got, test.left)
			}
			if got := y.Ran["b"]; got != test.blocks || y.Failed != "" {
				t.Errorf("got %d blocks of Y, want %d (%s)", got, test.blocks, y.Failed)
			}
			ws := slices.Concat(set.Warnings, set.LostBlocks())
			if len(ws) != 1 || string(ws[0].Code) != test.code {
				t.Fatalf("got warnings %v, want %s", ws, test.code)
			}
			all := strings.Join(append([]string{ws[0].Text}, ws[0].Facts...), "\n")
			for _, part := range test.text {
				if !strings.Contains(all, part) {
					t.Errorf("got %s\nwithout %q", all, part)
				}
			}
			if test.fault != checkdead && strings.Contains(all, checkdeadIssue) {
				t.Errorf("another fault has the issue of checkdead: %s", all)
			}
		})
	}
}

// After faults of the runtime a benchmark can still break by itself: no warning then says
// that its other blocks count.
func TestRuntimeFaultThenFailure(t *testing.T) {
	set := NewSet(faultyPlan())
	set.Add(faultyBlock(1, "fatal error: checkdead: runnable g", "checkdead: runnable g"))
	set.Add(faultyBlock(2, "panic: mine", ""))
	ws := slices.Concat(set.Warnings, set.LostBlocks())
	if len(ws) != 2 || ws[0].Code != assay.CodeBenchFailed || ws[1].Code != assay.CodeRuntimeFault {
		t.Fatalf("got %v", ws)
	}
	if text := strings.Join(ws[1].Facts, "\n"); strings.Contains(text, "others count") || set.Benchmarks[0].Failed != "failed: panic: mine" {
		t.Errorf("excluded by %q, and %s", set.Benchmarks[0].Failed, text)
	}
}

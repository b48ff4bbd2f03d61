package survey

import (
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Variants of the same code are reported with what becomes of them; where nothing is left to
// compare, with how to measure them nevertheless.
func TestSameCode(t *testing.T) {
	three := []assay.Variant{{Name: "old"}, {Name: "new"}, {Name: "newer"}}
	for _, c := range []struct {
		name     string
		variants []assay.Variant
		same     []assay.SameCode
		command  string
		want     []string
	}{
		{"all", three[:2], []assay.SameCode{{Variant: "new", As: "old", Functions: 7}}, "assay compare old new", []string{
			"\"old\" and \"new\" build to the same code   [same-code]\n  all 7 functions are equal\n  nothing is measured: any difference between them would be noise\n" +
				"  try: assay compare --force old new"}},
		{"all, with flags of go test", three[:2], []assay.SameCode{{Variant: "new", As: "old", Functions: 7}}, "assay compare old new -- -bench=X", []string{
			"\"old\" and \"new\" build to the same code   [same-code]\n  all 7 functions are equal\n  nothing is measured: any difference between them would be noise\n" +
				"  try: assay compare --force old new -- -bench=X"}},
		{"as control", three, []assay.SameCode{{Variant: "new", As: "old", Functions: 7, Control: true}}, "", []string{
			"\"old\" and \"new\" build to the same code   [same-code]\n  all 7 functions are equal\n  kept as a control: any difference between them is noise"}},
		{"of two others", three, []assay.SameCode{{Variant: "newer", As: "new", Functions: 7}}, "", []string{
			"\"new\" and \"newer\" build to the same code   [same-code]\n  all 7 functions are equal\n  \"newer\" is not measured"}},
		{"none", three, nil, "", nil},
	} {
		p := &assay.Plan{Study: assay.Study{Variants: c.variants}, Same: c.same}
		var got []string
		for _, w := range sameCode(p, nil, c.command) {
			got = append(got, w.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOtherFiles(t *testing.T) {
	for want, files := range map[string][]string{
		`"a" and "b" have the same functions, but testdata/in.bin differs, which the benchmark may read: measured`:   {"testdata/in.bin"},
		`"a" and "b" have the same functions, but 1, 2, 3 and 2 more differ, which the benchmark may read: measured`: {"1", "2", "3", "4", "5"},
		`"a" and "b" have the same functions, but x y differs, which the benchmark may read: measured`:               {"x\x1b[31m\ny"},
	} {
		if got := otherFiles([]lab.Unlike{{Variant: "b", As: "a", Files: files}}); len(got) != 1 || got[0].Text != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A key of sub-benchmarks makes the variants of the plan: the first is the base unless the
// study names another. Benchmarks that lack a variant are left out.
func TestPlanBy(t *testing.T) {
	vs := []assay.Variant{{Name: "slow"}, {Name: "fast"}}
	both, one := map[string]string{"slow": "X/slow", "fast": "X/fast"}, map[string]string{"slow": "Y/slow"}
	for base, want := range map[string]string{"": "slow", "build": "slow", "fast": "fast"} {
		s := assay.Study{Base: base, By: &assay.By{Key: "/x"}, Variants: []assay.Variant{{Name: "build"}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
		s.Decide = oldNew().Decide
		p := &assay.Plan{Study: s}
		got, err := planBy(p, vs, []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Name: "X"}, Names: both}, {Benchmark: assay.Benchmark{Name: "Y"}, Names: one}})
		if err != nil || got.Name != want || p.Study.Base != want || len(p.Variants) != 3 || p.ControlVariant() != assay.ControlName {
			t.Errorf("base %q: got %q of %v, %v; want %q with a control", base, got.Name, p.Variants, err, want)
		}
		if len(p.Benchmarks) != 1 || p.Benchmarks[0].Name != "X" {
			t.Errorf("base %q: planned %v, want X, which both have", base, p.Benchmarks)
		}
	}
}

// A plan of benchmarks that break on the base has the others, and says why; if none is left
// that is the error.
func TestBrokenOnBase(t *testing.T) {
	broken := map[string]bool{"A": true}
	m := &made{run: func(r lab.RunRequest) trial.Outcome {
		if len(r.Names) == 0 {
			return result(1e-6, 1, "A", "B")
		}
		if broken[r.Names[0]] && r.Variant.Name == "old" {
			return trial.Outcome{Status: assay.StatusFailed, Reason: "panic: boom"}
		}
		return result(1e-6, r.N, r.Names[0])
	}, links: []time.Duration{time.Millisecond}}
	y := surveyed(t, oldNew(), m, shelf{})
	var told []string
	y.Events = func(e lab.Event) { told = append(told, e.Text) }
	p, err := Prepare(t.Context(), y.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Benchmarks) != 1 || p.Wanted != 2 || p.Benchmarks[0].Name != "B" || !slices.Equal(told, []string{"B"}) {
		t.Errorf("planned %v of %d and told %v, want B of 2", p.Benchmarks, p.Wanted, told)
	}
	if want := []string{`BenchmarkA failed in "old" before the first block`}; !slices.Equal(texts(p.Warnings), want) {
		t.Errorf("got warnings %q, want %q", texts(p.Warnings), want)
	}
	broken["B"] = true
	_, err = Prepare(t.Context(), y.Setup)
	text := errortest.Want(t, err, assay.CodeBenchFailed, assay.ExitBuild)
	wantText(t, "all broken", text, "every benchmark failed on the base old   [bench-failed]\n  BenchmarkA failed in \"old\" before the first block\n  panic: boom\n"+
		"  excluded from the comparison for every variant\n  BenchmarkB failed in \"old\" before the first block\n  panic: boom\n"+
		"  excluded from the comparison for every variant")
}

// A plan has the metrics of all variants, with directions from whoever prints them, and the
// minimum effect of each.
func TestMetricsOfPlan(t *testing.T) {
	m := &made{run: func(r lab.RunRequest) trial.Outcome {
		out := result(1e-6, max(r.N, 1), "X")
		if out.Readings[0].Values["widgets"] = 3; r.Variant.Name == "new" {
			out.Better = map[string]assay.Better{"widgets": assay.BetterHigher}
		}
		return out
	}, links: []time.Duration{time.Millisecond}}
	s := oldNew()
	s.Decide.MinEffects = map[string]float64{"widgets": 0.2}
	p, err := Prepare(t.Context(), surveyed(t, s, m, shelf{}).Setup)
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}, {Name: "widgets", Better: assay.BetterHigher, MinEffect: 0.2}}
	if !slices.Equal(p.Metrics, want) {
		t.Errorf("got %+v, want %+v", p.Metrics, want)
	}
	if p.Study.Measure.GOMAXPROCS != 2 || s.Measure.GOMAXPROCS != 0 {
		t.Errorf("all CPUs are %d in the plan and %d in the study, want 2 and 0", p.Study.Measure.GOMAXPROCS, s.Measure.GOMAXPROCS)
	}
}

// That the benchmarks of a tree are copied over every variant is noted in the plan.
func TestOverlayNote(t *testing.T) {
	s := oldNew()
	s.Source.BenchmarksFrom = "."
	s.Variants = s.Variants[:1]
	m := &made{run: func(r lab.RunRequest) trial.Outcome { return result(1e-6, max(r.N, 1), "X") }, links: []time.Duration{time.Millisecond}}
	p, err := Prepare(t.Context(), surveyed(t, s, m, shelf{}).Setup)
	if err != nil || len(p.Warnings) == 0 || p.Warnings[0].Text != "the benchmarks of your tree are copied over every variant" {
		t.Errorf("got %v, %v; want a note on the overlay", p, err)
	}
}

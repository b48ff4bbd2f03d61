package survey

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A mistyped pattern stands for the benchmark with the nearest name, with its sub-benchmarks
// or without; if none is near, all are meant.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		pattern string
		names   []string
		want    string
	}{
		{"Sun", []string{"Fill", "Sum"}, "Sum"},
		{"^BenchmarkSun$", []string{"Fill", "Sum"}, "Sum"},
		{"Decod", []string{"Decode/large", "Other"}, "Decode"},
		{"Decode/lrge", []string{"Decode/large", "Decode/small"}, "Decode/large"},
		{"Zzzz", []string{"Fill", "Sum"}, "."},
		{"Sun", nil, "."},
	} {
		if got := nearest(c.pattern, c.names); got != c.want {
			t.Errorf("-bench=%s of %q: got %q, want %q", c.pattern, c.names, got, c.want)
		}
	}
}

// The right pattern stands in the command if the wrong one did, else it is said where it
// belongs.
func TestWithPattern(t *testing.T) {
	for command, want := range map[string]string{
		"assay compare old new -- -bench=Sun -count=2": "assay compare old new -- -bench=Sum -count=2",
		"assay run study.toml":                         `-bench=Sum, in a study file bench = "Sum"`,
	} {
		wantText(t, command, withPattern(command, "Sun", "Sum"), want)
	}
}

// The packages of all workloads are named, the first few of many.
func TestPackages(t *testing.T) {
	for _, c := range []struct {
		ws   []assay.Workload
		want string
	}{
		{[]assay.Workload{{}}, "."},
		{[]assay.Workload{{Packages: []string{"./a"}}, {Packages: []string{"./b", "./c"}}}, "./a, ./b, ./c"},
		{[]assay.Workload{{Packages: []string{"./1", "./2", "./3", "./4", "./5", "./6", "./7"}}}, "./1, ./2, ./3, ./4, ./5 and 2 more"},
	} {
		wantText(t, "packages", packages(&assay.Study{Workloads: c.ws}), c.want)
	}
}

// A pattern that matches nothing is answered with what there is, benchmarks that fail
// included, and with what was meant. The study keeps its pattern.
func TestNoBenchmarkMatches(t *testing.T) {
	s := oldNew()
	s.Workloads[0].Bench, s.Workloads[0].Packages = "Sun", []string{"./a"}
	m := &made{run: func(r lab.RunRequest) trial.Outcome {
		if r.Pattern != "." || r.Study.Workloads[0].Bench != "." {
			t.Errorf("asked for -bench=%s, want all", r.Pattern)
		}
		if r.Skip == "" {
			return trial.Outcome{Status: assay.StatusFailed, Broken: map[string]string{"Broken": "panic"}}
		}
		return result(1e-6, 1, "Fill", "Sum")
	}}
	y := surveyed(t, s, m, shelf{})
	y.Command = "assay compare old new -- -bench=Sun ./a"
	text := errortest.Want(t, y.noBenchmarks(t.Context(), y.base()), assay.CodeNoBenchmarks, assay.ExitBuild)
	wantText(t, "an error", text, "no benchmark matches -bench=Sun in ./a   [no-benchmarks]\n"+
		"  1 package has 3 benchmarks: Fill, Sum, Broken\n  try: assay compare old new -- -bench=Sum ./a")
	if s.Workloads[0].Bench != "Sun" {
		t.Errorf("the pattern of the study is now %q", s.Workloads[0].Bench)
	}

	text = noMatch(s, "", nil, 0).Error()
	if !strings.Contains(text, "there is no benchmark that runs, whatever the pattern") || strings.Contains(text, "try:") {
		t.Errorf("without any benchmark: got %s", text)
	}
	y = surveyed(t, s, m, shelf{of: map[string][]lab.Artifact{"old": nil}})
	text = errortest.Want(t, y.noBenchmarks(t.Context(), y.base()), assay.CodeNoBenchmarks, assay.ExitBuild)
	wantText(t, "no package", text, "no package with benchmarks in ./a   [no-benchmarks]")
}

// A benchmark that the base lacks is probably as new as the code: the error says which
// variant has it, and how to measure it in all. One that the base skips is no such thing.
func TestNoneInBase(t *testing.T) {
	s := oldNew()
	s.Variants[0].Rev = "v1"
	s.Variants[1].Name = "."
	y := surveyed(t, s, &made{}, shelf{})
	y.Command = "assay compare v1 ."
	listed := listings(map[string]listing{".": {Names: []string{"New", "Newer"}}})
	text := errortest.Want(t, y.noneInBase(t.Context(), y.base(), listed), assay.CodeNoBenchmarks, assay.ExitBuild)
	wantText(t, "an error", text, "New, Newer are in your tree and not in old   [no-benchmarks]\n"+
		"  --overlay measures the benchmarks of your tree in every variant\n  try: assay compare --overlay . v1 .")

	s.Source.Overlay = "bench"
	text = errortest.Want(t, y.noneInBase(t.Context(), y.base(), listings(map[string]listing{".": {Names: []string{"New"}}})), assay.CodeNoBenchmarks, assay.ExitBuild)
	wantText(t, "with an overlay", text, "New is in your tree and not in old   [no-benchmarks]")

	listed["old"] = listings(map[string]listing{"old": {Skipped: map[string]string{"New": "too old"}}})["old"]
	text = errortest.Want(t, y.noneInBase(t.Context(), y.base(), listed), assay.CodeSkipped, assay.ExitBuild)
	wantText(t, "skipped", text, "BenchmarkNew is skipped: too old   [skipped]")
}

// What is advised to overlay is the tree that has the benchmarks, if that is another one and
// nothing is laid over it yet.
func TestOverlay(t *testing.T) {
	const compare = "assay compare --budget=5m v1 v2"
	v1, v2, tree := assay.Variant{Rev: "v1"}, assay.Variant{Rev: "v2"}, assay.Variant{}
	module := assay.Variant{Module: "example.com/m@v2.0.0"}
	for _, c := range []struct {
		has, lacks assay.Variant
		source     assay.Source
		command    string
		want       string
	}{
		{v2, v1, assay.Source{}, compare, "assay compare --overlay v2 --budget=5m v1 v2"},
		{tree, v1, assay.Source{}, compare, "assay compare --overlay . --budget=5m v1 v2"},
		{module, tree, assay.Source{}, "assay run study.toml", `[source] benchmarks_from = "example.com/m@v2.0.0"`},
		{tree, tree, assay.Source{}, compare, ""},
		{v2, v1, assay.Source{Overlay: "bench"}, compare, ""},
		{v2, v1, assay.Source{BenchmarksFrom: "v2"}, compare, ""},
		{v2, v1, assay.Source{Suite: "suite"}, compare, ""},
	} {
		s := &surveyor{Setup: Setup{Study: &assay.Study{Source: c.source}, Command: c.command}}
		wantText(t, "overlay", s.overlay(t.Context(), nil, c.has, c.lacks), c.want)
	}
}

// If nothing is left to measure, the error is the most helpful of the warnings.
func TestNoneLeft(t *testing.T) {
	differ := assay.Warning{Code: assay.CodeBenchmarkSetsDiffer, Text: "1 of 1 differs", Try: "assay compare --overlay v2 v1 v2"}
	skipped := assay.Warning{Code: assay.CodeSkipped, Text: "BenchmarkX is skipped: no reason"}
	failed := assay.Warning{Code: assay.CodeBenchFailed, Text: "BenchmarkY failed", Facts: []string{"panic"}}
	for _, c := range []struct {
		ws   []assay.Warning
		code assay.Code
		want string
	}{
		{[]assay.Warning{failed, skipped, differ}, assay.CodeNoBenchmarks, "no benchmark is in every variant   [no-benchmarks]\n" +
			"  BenchmarkY failed\n  panic\n  BenchmarkX is skipped: no reason\n  1 of 1 differs\n  try: assay compare --overlay v2 v1 v2"},
		{[]assay.Warning{failed, skipped}, assay.CodeSkipped, "BenchmarkX is skipped: no reason   [skipped]"},
		{[]assay.Warning{failed}, assay.CodeBenchFailed, "BenchmarkY failed   [bench-failed]\n  panic"},
		{[]assay.Warning{failed, failed}, assay.CodeBenchFailed, "every benchmark failed in some variant   [bench-failed]\n  BenchmarkY failed\n  panic\n  BenchmarkY failed\n  panic"},
	} {
		wantText(t, "an error", errortest.Want(t, (&surveyor{}).noneLeft(c.ws), c.code, assay.ExitBuild), c.want)
	}
}

package survey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// listOnce lists the only package of the base on a machine.
func listOnce(t *testing.T, m *made) (listing, error) {
	t.Helper()
	s := surveyed(t, oldNew(), m, shelf{})
	return s.list(t.Context(), s.base(), s.Builds.Of("old")[0])
}

// A benchmark that ends its process is excluded with the reason, and the others run again
// without it: what comes behind it is found.
func TestListGoesOnAfterACrash(t *testing.T) {
	m := &made{run: func(r lab.RunRequest) trial.Outcome {
		if r.Skip == "" {
			out := result(1e-6, 1, "A")
			out.Status, out.Broken = assay.StatusFailed, map[string]string{"B/x": "panic: boom"}
			return out
		}
		out := result(1e-6, 1, "A", "C")
		out.Skipped = map[string]string{"S": "needs root"}
		out.Readings[1].Values["widgets/s"] = 3
		out.Better = map[string]assay.Better{"widgets/s": assay.BetterHigher, "gadgets": assay.BetterLower}
		return out
	}}
	l, err := listOnce(t, m)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(l.Names, []string{"A", "C"}) || !maps.Equal(l.Failed, map[string]string{"B/x": "panic: boom"}) ||
		!maps.Equal(l.Skipped, map[string]string{"S": "needs root"}) {
		t.Errorf("got %+v, want A and C, the failed B/x and the skipped S", l)
	}
	if want := map[string]assay.Better{assay.MetricTime: assay.BetterLower, "widgets/s": assay.BetterHigher}; !maps.Equal(l.Metrics, want) {
		t.Errorf("got metrics %v, want %v", l.Metrics, want)
	}
	if len(m.ran) != 2 || m.ran[1].Skip != trial.Select("B/x") || m.ran[1].N != 1 || m.ran[1].Pattern != "." {
		t.Errorf("ran %+v, want the second run without B/x alone", m.ran)
	}
}

// Every crash costs a run, so they end at some number, however many benchmarks crash.
func TestListEnds(t *testing.T) {
	runs := 0
	l, err := listOnce(t, &made{run: func(lab.RunRequest) trial.Outcome {
		runs++
		return trial.Outcome{Status: assay.StatusFailed, Broken: map[string]string{fmt.Sprint("B", runs): "panic"}}
	}})
	if err != nil || runs != maxSkips || len(l.Failed) != maxSkips {
		t.Errorf("%d runs, %d failed, %v; want %d", runs, len(l.Failed), err, maxSkips)
	}
}

// A process that ends early fails the study where nothing was found before, and else the
// benchmark behind the last one. No benchmark at all is no failure.
func TestListOfADeadProcess(t *testing.T) {
	for _, c := range []struct {
		name   string
		out    trial.Outcome
		failed map[string]string
		dead   bool
	}{
		{"before the first", trial.Outcome{Status: assay.StatusFailed, Reason: "exit status 2"}, nil, true},
		{"no time for the first", trial.Outcome{Status: assay.StatusTimeout, Reason: "timeout"}, nil, true},
		{"without PASS", trial.Outcome{Status: assay.StatusNoResult, Reason: "exited with status 0"}, nil, true},
		{"without benchmarks", trial.Outcome{Status: assay.StatusNoResult, Passed: true}, nil, false},
		{"behind one", func() trial.Outcome {
			out := result(1e-6, 1, "A", "B")
			out.Status, out.Reason = assay.StatusTimeout, "timeout"
			return out
		}(), map[string]string{"B or what follows it": "timeout"}, false},
	} {
		l, err := listOnce(t, &made{run: func(lab.RunRequest) trial.Outcome { return c.out }})
		if c.dead {
			text := errortest.Want(t, err, assay.CodeBenchFailed, assay.ExitBuild)
			if want := `the test binary of p ends before its first benchmark in "old"`; !strings.HasPrefix(text, want) || !strings.Contains(text, c.out.Reason) {
				t.Errorf("%s: got %s, want %s and the reason", c.name, text, want)
			}
			continue
		}
		if err != nil || !maps.Equal(l.Failed, c.failed) {
			t.Errorf("%s: got %v, %v; want %v", c.name, l.Failed, err, c.failed)
		}
	}
}

// A fault of the Go runtime says nothing about a benchmark: it runs once more, and no more
// often.
func TestRunOrRetry(t *testing.T) {
	for faults, want := range map[int]int{0: 1, 1: 2, 2: 2} {
		m := &made{}
		m.run = func(lab.RunRequest) trial.Outcome {
			if len(m.ran) <= faults {
				return trial.Outcome{Status: assay.StatusFailed, RuntimeFault: "fatal error: found bad pointer"}
			}
			return result(1, 1, "X")
		}
		out, err := surveyed(t, oldNew(), m, shelf{}).runOrRetry(t.Context(), lab.RunRequest{})
		if err != nil || len(m.ran) != want || (out.Status == assay.StatusOK) != (faults < 2) {
			t.Errorf("%d faults: %d runs, %s, %v; want %d runs", faults, len(m.ran), out.Status, err, want)
		}
	}
}

// The command that shows a failure without assay has what the variant changes, and runs where
// its source is.
func TestGoTestCommand(t *testing.T) {
	for _, c := range []struct {
		name     string
		variant  assay.Variant
		workload assay.Workload
		want     string
	}{
		{"plain", assay.Variant{Name: "old"}, assay.Workload{}, "go test '-run=^$' -bench=. -benchtime=1x p"},
		{"everything", assay.Variant{Name: "old", Go: "go1.26.8", Experiment: []string{"jsonv2", "synctest"}, Build: map[string]string{"GOAMD64": "v3"},
			Env: map[string]string{"GOGC": "50", "A": "x y"}, Secrets: map[string]string{"TOKEN": "ci"}, GCFlags: []string{"-l"}},
			assay.Workload{Bench: "X", BuildFlags: []string{"-race"}, TestFlags: []string{"-short"}, Args: []string{"-v=1", "a b"}},
			"GOTOOLCHAIN=go1.26.8 GOEXPERIMENT=jsonv2,synctest GOAMD64=v3 A='x y' GOGC=50 TOKEN='[secret ci]' " +
				"go test -race -gcflags=-l '-run=^$' -bench=X -benchtime=1x -short p -args -v=1 'a b'"},
		{"a toolchain by its folder", assay.Variant{Name: "old", Go: "path:/goroot"}, assay.Workload{}, "go test '-run=^$' -bench=. -benchtime=1x p"},
		{"a revision", assay.Variant{Name: "old", Rev: "v1"}, assay.Workload{}, "cd /src/p && go test '-run=^$' -bench=. -benchtime=1x p"},
	} {
		s := oldNew()
		c.workload.Kind = assay.KindGoTest
		s.Variants[0], s.Workloads[0] = c.variant, c.workload
		y := surveyed(t, s, &made{}, shelf{})
		wantText(t, c.name, y.goTest(y.Builds.Of("old")[0], c.variant), c.want)
	}
}

// A key names a part name=value of a benchmark's name, or is a pattern whose group is the
// value.
func TestByKey(t *testing.T) {
	for _, c := range []struct{ key, full, name, value string }{
		{"/impl", "Sum/impl=fast/n=10", "Sum/n=10", "fast"},
		{"/impl", "Sum/n=10", "", ""},
		{"/a.b", "Sum/a.b=1", "Sum", "1"},
		{"/a.b", "Sum/axb=1", "", ""},
		{"/func_([a-z]+)", "Path/func_append/deep", "Path/deep", "append"},
		{"(Fast|Slow)", "SumFast", "Sum", "Fast"},
	} {
		split, err := byKey(&assay.By{Key: c.key})
		if err != nil {
			t.Fatalf("key %q: %v", c.key, err)
		}
		name, value, ok := split(c.full)
		if name != c.name || value != c.value || ok != (c.value != "") {
			t.Errorf("key %q splits %q into %q and %q, %t; want %q and %q", c.key, c.full, name, value, ok, c.name, c.value)
		}
	}
	for _, key := range []string{"(", "(a)(b)", "()("} {
		if _, err := byKey(&assay.By{Key: key}); err == nil {
			t.Errorf("key %q has no error", key)
		}
	}
}

// Values of the key become variants in the order of their appearance, with the settings of
// the study's only one; a benchmark of another package is another one.
func TestVariantsBy(t *testing.T) {
	s := &assay.Study{By: &assay.By{Key: "/v", Names: []string{"one"}}, Variants: []assay.Variant{{Name: "build", Env: map[string]string{"GOGC": "50"}}}}
	pkgs := []artifactListing{
		{listing{Names: []string{"X/v=1", "Other", "X/v=2", "Y/v=1"}}, lab.Artifact{Package: "p"}},
		{listing{Names: []string{"X/v=2"}}, lab.Artifact{Package: "q", Workload: 1}},
	}
	vs, bs, err := variantsBy(s, pkgs)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range vs {
		got = append(got, v.Name+" is "+v.Select+" with GOGC="+v.Env["GOGC"])
	}
	for _, b := range bs {
		got = append(got, fmt.Sprintf("%s %d %v", b.Benchmark, b.Workload, b.Names))
	}
	want := []string{"one is 1 with GOGC=50", "2 is 2 with GOGC=50", "p.X 0 map[2:X/v=2 one:X/v=1]", "p.Y 0 map[one:Y/v=1]", "q.X 1 map[2:X/v=2]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, _, err := variantsBy(s, pkgs[1:]); err == nil || !strings.Contains(err.Error(), "finds 1 values") {
		t.Errorf("one value alone: got error %v", err)
	}
}

// Only what all variants have is compared. What one lacks is reported with the command that
// has all measure it; what it skips is not lacking.
func TestCommon(t *testing.T) {
	p, q := lab.Artifact{Package: "p"}, lab.Artifact{Package: "q"}
	s := oldNew()
	s.Variants[0].Rev, s.Variants[1].Rev = "v1", "v2"
	y := surveyed(t, s, &made{}, shelf{})
	y.Command = "assay compare v1 v2"
	base := []artifactListing{{listing{Names: []string{"A", "B", "C", "S"}, Skipped: map[string]string{"T": ""}}, p}, {listing{Names: []string{"Q"}}, q}}
	other := []artifactListing{{listing{Names: []string{"C", "A", "D", "T", "Q"}, Skipped: map[string]string{"S": ""}}, p}}
	bs, ws := y.common(t.Context(), base, map[string][]artifactListing{"new": other})
	var names []string
	for _, b := range bs {
		names = append(names, b.String())
	}
	if want := []string{"p.A", "p.C"}; !slices.Equal(names, want) {
		t.Errorf("common are %v, want %v", names, want)
	}
	want := []string{
		"2 of 4 benchmarks exist only in \"old\"   [benchmark-sets-differ]\n" +
			"  not in \"new\": B, Q\n  geomean is over the 2 common ones\n  try: assay compare --overlay v1 v1 v2",
		"2 of 4 benchmarks exist only in \"new\"   [benchmark-sets-differ]\n" +
			"  not in \"old\": D, Q\n  geomean is over the 2 common ones\n  try: assay compare --overlay v2 v1 v2",
	}
	if got := fmt.Sprint(ws); got != fmt.Sprint(want) {
		t.Errorf("got warnings %s\nwant %s", got, want)
	}
}

// One that fails in a variant is there: the failure says so, and no overlay is of help. Its
// parts, and what a process did not reach that ended early, are not lacking either.
func TestFailedIsNotMissing(t *testing.T) {
	y := surveyed(t, oldNew(), &made{}, shelf{})
	p, q := lab.Artifact{Package: "p"}, lab.Artifact{Package: "q"}
	fails := map[string]string{"A": "boom", "B/x": "boom"}
	all := []artifactListing{{listing{Names: []string{"A/1", "A/2", "B/x", "C"}}, p}, {listing{Names: []string{"Q", "R"}}, q}}
	some := []artifactListing{{listing{Names: []string{"C"}, Failed: fails}, p}, {listing{Names: []string{"Q"}, Failed: map[string]string{"Q" + orFollows: "exit"}}, q}}
	for i, pair := range [][2][]artifactListing{{all, some}, {some, all}} {
		if bs, ws := y.common(t.Context(), pair[0], map[string][]artifactListing{"new": pair[1]}); len(bs) != 2 || len(ws) != 0 {
			t.Errorf("%d: %d in common, warnings %v; want C and Q, and none", i, len(bs), ws)
		}
	}
}

// broken is a shelf whose builds with benchmarks of another tree fail.
type broken struct{ shelf }

func (b broken) Build(ctx context.Context, r lab.BuildRequest) ([]lab.Artifact, error) {
	if w := r.Study.Workloads[r.Workload]; r.Study.Source.BenchmarksFrom == "v1" && r.Dry && slices.Equal(w.Packages, []string{"p"}) {
		return nil, errors.New("undefined: New")
	}
	return b.shelf.Build(ctx, r)
}

// An overlay is suggested only where every variant builds with it.
func TestOverlayThatDoesNotBuild(t *testing.T) {
	s := oldNew()
	s.Variants[0].Rev, s.Variants[1].Rev = "v1", "v2"
	y := surveyed(t, s, &made{}, shelf{})
	y.Builds.Builder = broken{}
	base := []artifactListing{{listing{Names: []string{"A"}}, lab.Artifact{Package: "p"}}}
	if _, ws := y.common(t.Context(), base, map[string][]artifactListing{"new": nil}); len(ws) != 1 || ws[0].Remedy() != "" {
		t.Errorf("got %v, want a warning without a command", ws)
	}
}

// Of several variants the one that lacks a benchmark is named. Where nothing is in common
// there is no geomean to speak of.
func TestSetsDifferAmongThree(t *testing.T) {
	s := oldNew()
	s.Variants = append(s.Variants, assay.Variant{Name: "newer"})
	y := surveyed(t, s, &made{}, shelf{})
	a := lab.Artifact{Package: "p"}
	bs, ws := y.common(t.Context(), []artifactListing{{listing{Names: []string{"A"}}, a}}, map[string][]artifactListing{
		"new": {{listing{Names: []string{"A"}}, a}}, "newer": nil})
	if len(bs) != 0 || len(ws) != 1 {
		t.Fatalf("common %v, warnings %v; want none, and one", bs, ws)
	}
	wantText(t, "the only benchmark", ws[0].String(), "1 of 1 benchmarks are not in \"newer\"   [benchmark-sets-differ]\n  not in \"newer\": A")
}

package inquiry

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/session"
)

// A difference holds across links only if it is proved over enough of them; only "same"
// over as many says that it does not hold.
func TestLayoutVerdict(t *testing.T) {
	interval := &assay.Interval{Lo: 0.04, Hi: 0.06}
	for _, c := range []struct {
		name     string
		verdict  assay.Verdict
		n        int
		interval *assay.Interval
		survives bool
		layouts  int
		text     string
	}{
		{"proved", assay.Slower, 12, interval, true, 12, "it holds across 12 relinked builds of each variant: +5.0 % [+4.0, +6.0], slower"},
		{"just enough", assay.Faster, 10, nil, true, 10, "it holds across 10 relinked builds of each variant: faster"},
		{"too few", assay.Slower, 9, interval, false, 9, "undecided across 9 relinked builds"},
		{"more", assay.Slower, 40, nil, true, 40, "it holds across 40 relinked builds"},
		{"the same", assay.Same, 12, nil, false, 12, "it does not hold across 12 relinked builds of each variant: same; the run measured the layout"},
		{"the same of few", assay.Same, 8, nil, false, 8, "undecided across 8"},
		{"unclear", assay.Unclear, 12, nil, false, 12, "undecided across 12"},
	} {
		x := cell("Sum", "new", 0.05, c.verdict)
		x.N, x.Interval, x.LayoutShare = c.n, c.interval, 0.25
		memory := assay.Table{Metric: assay.Metric{Name: assay.MetricBytes}, Rows: []assay.Row{row(cell("Sum", "new", 9, assay.More))}}
		got := layoutVerdict(aResult(inTime(row(x, cell("Sum", "other", 0, assay.Same))), memory), new(assay.Plan), cell("Sum", "new", 0, ""))
		if got.Survives != c.survives || got.Layouts != c.layouts || !strings.HasPrefix(got.Text, c.text) || got.Share != 0.25 || got.Run != "7k2m" {
			t.Errorf("%s: got %+v, want %t over %d: %s", c.name, got, c.survives, c.layouts, c.text)
		}
	}
}

// layoutDifference returns the difference of a benchmark of an old study, for a check of its layout.
func layoutDifference(s assay.Study, planned assay.PlannedBenchmark) *difference {
	plan := &assay.Plan{Study: s, Variants: s.Variants}
	x := &explainer{ses: &session.Session{}, plan: plan, request: Request{Layouts: 12, Budget: time.Minute}}
	return &difference{x: x, planned: planned, cell: assay.Comparison{Variant: "new"}, m: &explain.Material{Metric: assay.Metric{Name: assay.MetricTime}}}
}

// The check measures the one benchmark of the two variants, in so many blocks, and
// asks no more than whether they differ.
func TestLayoutStudy(t *testing.T) {
	old := *twoVariants("/d", assay.Workload{Kind: assay.KindGoTest, Packages: []string{"./..."}, Bench: "."})
	old.Variants = append(old.Variants, assay.Variant{Name: "third"})
	old.Variants[1].Levels = map[string]string{"gc": "on"}
	old.Decide.MaxBlocks, old.Decide.Gate, old.Decide.Race, old.Decide.Tradeoff = 5, 0.1, true, []string{"a", "b"}
	old.Measure.Collect = []string{assay.CollectGC}
	planned := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "p/codec", Name: "Decode/a.b"}}
	s, err := layoutDifference(old, planned).layoutStudy()
	if err != nil {
		t.Fatal(err)
	}
	w, d := s.Workloads[0], s.Decide
	if !slices.Equal(w.Packages, []string{"p/codec"}) || w.Bench != `^BenchmarkDecode$/^a\.b$` || s.Dir != "/d" || s.Name != "m-layout" {
		t.Errorf("got %+v in %q, want the one benchmark", w, s.Dir)
	}
	if len(s.Variants) != 2 || s.Variants[0].Name != "old" || s.Variants[1].Name != "new" || s.Variants[1].Levels != nil {
		t.Errorf("got variants %+v, want old and new", s.Variants)
	}
	if s.Measure.Layouts != 0 || s.Measure.Collect != nil || d.MinBlocks != 12 || d.MaxBlocks != 12 || d.Budget != time.Minute || d.Gate != 0 ||
		d.Race || d.Tradeoff != nil {
		t.Errorf("got %+v and %+v, want 12 blocks in a minute and no other question", s.Measure, d)
	}
	if old.Variants[1].Levels == nil || old.Workloads[0].Bench != "." {
		t.Errorf("the study of the run became %+v", old)
	}
}

// What has no links of its own is not checked, and the explanation says why.
func TestNoLayoutCheck(t *testing.T) {
	service := *twoVariants("", assay.Workload{Kind: assay.KindService, Names: []string{"x"}})
	by := *twoVariants("", assay.Workload{Kind: assay.KindGoTest})
	by.By = &assay.By{Key: "/x"}
	for want, s := range map[string]assay.Study{"services are not measured over links": service, "the variants are in one binary": by} {
		d := layoutDifference(s, assay.PlannedBenchmark{})
		if err := d.layout(t.Context()); err != nil || len(d.m.Warnings) != 0 {
			t.Errorf("nobody asked: got %v, %+v", err, d.m.Warnings)
		}
		d.x.request.CheckLayout = true
		if err := d.layout(t.Context()); err != nil || len(d.m.Warnings) != 1 || d.m.Warnings[0].Code != assay.CodeNoLayoutCheck ||
			!strings.HasSuffix(d.m.Warnings[0].Text, want) {
			t.Errorf("got %v, %+v, want %s", err, d.m.Warnings, want)
		}
	}
}

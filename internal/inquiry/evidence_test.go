package inquiry

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
)

// After its verdicts a run looks at the binaries, and at allocations where the variants are in
// one, unless the study says what to look at, the variants are steps, or assay did not build
// them. The collector is traced
// only beside other evidence.
func TestEvidenceOfARun(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*assay.Study)
		want   []string
	}{
		{"nothing said", func(*assay.Study) {}, []string{"code"}},
		{"nothing wanted", func(s *assay.Study) { s.Measure.Collect = []string{} }, nil},
		{"some", func(s *assay.Study) { s.Measure.Collect = []string{"mem", "gc", "cpu"} }, []string{"cpu", "mem", "gc"}},
		{"collector alone", func(s *assay.Study) { s.Measure.Collect = []string{"gc"} }, nil},
		{"steps", func(s *assay.Study) { s.Steps = &assay.Steps{} }, nil},
		{"steps, asked for", func(s *assay.Study) { s.Steps, s.Measure.Collect = &assay.Steps{}, []string{"code"} }, []string{"code"}},
		{"one binary", func(s *assay.Study) { s.By = &assay.By{Key: "/x"} }, []string{"code", "mem"}},
		{"services", func(s *assay.Study) { s.Workloads[0].Kind = assay.KindService }, nil},
		{"given programs", func(s *assay.Study) { s.Variants[1].Run = []string{"./new"} }, nil},
	} {
		s := twoVariants("", assay.Workload{Kind: assay.KindGoTest})
		c.change(s)
		if got := kindsOfRun(&assay.Plan{Study: *s}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The allocations that size the profiles are those of the variant that makes most.
func TestAllocsOf(t *testing.T) {
	with := func(name string, base, value float64) assay.Row {
		x := cell(name, "new", 0, assay.Same)
		x.Value = value
		r := row(x)
		r.Base = base
		return r
	}
	r := aResult(inTime(with("Sum", 100, 900)), assay.Table{Metric: assay.Metric{Name: assay.MetricAllocs}, Rows: []assay.Row{with("Sum", 3, 5), with("More", 9, 2)}})
	for name, want := range map[string]float64{"Sum": 5, "More": 9, "None": 0} {
		if got := allocsOf(r, assay.Benchmark{Package: "p", Name: name}); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// Few samples are called so, with what they may lack: (1 - 0.03)^100 is 5 %.
func TestFewSamples(t *testing.T) {
	if got, want := fewSamples(100).Text, "time is explained from 100 samples of one side: functions with less than 3 % of it may be missing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Only counts that never varied are those of an explanation.
func TestCountedAllocs(t *testing.T) {
	exact := cell("Sum", "new", 0, assay.More)
	exact.Value, exact.Exact = 1, true
	about := exact
	about.Exact = false
	for _, c := range []struct {
		cell assay.Comparison
		want *[2]float64
	}{{exact, &[2]float64{1e-6, 1}}, {about, nil}} {
		r := aResult(inTime(row(about)), assay.Table{Metric: assay.Metric{Name: assay.MetricAllocs}, Rows: []assay.Row{row(c.cell)}})
		if got := countedAllocs(r, about); !reflect.DeepEqual(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}

// A comparison has as many links as blocks, or one; only one with a new
// link in each block shows what holds across links.
func TestLinksOfAComparison(t *testing.T) {
	for _, c := range []struct {
		layouts int
		link    int
		verdict assay.Verdict
		links   int
		fresh   bool
	}{
		{0, 1, assay.Slower, 10, true},
		{0, 1, assay.Same, 10, false},
		{0, 0, assay.Slower, 10, false}, // a toolchain that cannot draw layouts
		{1, 0, assay.Slower, 1, false},
	} {
		p := &assay.Plan{Study: assay.Study{Measure: assay.Measure{Layouts: c.layouts}}}
		if c.link > 0 {
			p.Link = 1
		}
		x := &explainer{plan: p}
		of := cell("Sum", "new", 0.05, c.verdict)
		fresh := x.fresh(of)
		if got := design.LinksBehind(p, of.N); got != c.links || (fresh != nil) != c.fresh || fresh != nil && (fresh.Layouts != 10 || !fresh.Survives || fresh.Run != "") {
			t.Errorf("%+v: got %d links and %+v", c, got, fresh)
		}
	}
}

// The compiler is asked about the benchmark's own package and those of hot functions, few of
// them and never the standard library.
func TestPackagesOfDecisions(t *testing.T) {
	s := &difference{planned: assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "example.com/m"}}}
	for _, name := range []string{"example.com/m.F", "strings.Index", "example.com/m/a.(*T).G", "main.main", "example.com/m/a.H", "example.org/b_test.I"} {
		s.hot = append(s.hot, cputime.Hot{Name: name})
	}
	if got, want := s.packages(), []string{"example.com/m", "example.com/m/a", "example.org/b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, c := range "cdefghi" {
		s.hot = append(s.hot, cputime.Hot{Name: "example.org/" + string(c) + ".F"})
	}
	if got := s.packages(); len(got) != mostPackages || got[mostPackages-1] != "example.org/e" {
		t.Errorf("got %q, want the first %d", got, mostPackages)
	}
}

// The collections of a measured trial follow from those of an operation, and are unknown
// without a trace.
func TestCycles(t *testing.T) {
	s := &difference{planned: assay.PlannedBenchmark{N: 2000}, m: &explain.Material{}}
	if got := s.cycles(); got != -1 {
		t.Errorf("without a trace: got %v, want -1", got)
	}
	s.m.GC = &assay.GCChange{Rows: []assay.GCChangeRow{{Metric: assay.MetricGCMarkOp, Base: 7}}}
	if got := s.cycles(); got != -1 {
		t.Errorf("without their number: got %v, want -1", got)
	}
	s.m.GC.Rows = append(s.m.GC.Rows, assay.GCChangeRow{Metric: assay.MetricGCCyclesOp, Base: 0.0015})
	if got := s.cycles(); got != 3 {
		t.Errorf("got %v, want 3 in 2000 operations", got)
	}
}

// A remark on another machine names it, and how to look for the causes there.
func TestElsewhere(t *testing.T) {
	run := &runs.Found{Run: &record.Run{Platform: assay.Platform{GOOS: "linux", GOARCH: "arm64", CPU: "Ampere"}}, Ref: "7k2m"}
	got := elsewhere(run, aResult())
	if got != "assay: run 7k2m was measured on another machine: linux/arm64 Ampere" {
		t.Errorf("got %q", got)
	}
	r := aResult()
	r.Machine, r.Command = "bench1", "assay compare --on=bench1 old new"
	if got := elsewhere(run, r); !strings.HasPrefix(got, "assay: run 7k2m was measured on another machine: bench1, linux/arm64 Ampere") ||
		!strings.Contains(got, "--on=bench1") {
		t.Errorf("got %q, want the machine and --on", got)
	}
}

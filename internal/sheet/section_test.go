package sheet

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// sectionLines are the titles, labels, tails and facts of sections.
func sectionLines(sections []Section) (out []string) {
	for _, sec := range sections {
		out = append(out, "# "+JoinWords(" ", sec.Title, sec.Aside))
		for _, e := range sec.Entries {
			out = append(out, JoinWords(" | ", e.Heading, e.Label))
		}
		for _, f := range sec.Facts {
			if f.Short {
				f.Text += " (short)"
			}
			out = append(out, f.Lead+": "+f.Text)
		}
		if sec.Tail != "" {
			out = append(out, sec.Tail)
		}
	}
	return out
}

// tableOf is a table of a metric with a row a verdict, the benchmarks being A, B and so on.
func tableOf(metric string, verdicts ...assay.Verdict) assay.Table {
	t := assay.Table{Metric: assay.Metric{Name: metric, Better: assay.KnownBetter(metric)}, Decides: metric == assay.MetricTime}
	for i, v := range verdicts {
		change := assay.Change(0)
		if v.Differs() {
			change = 0.1
		}
		t.Rows = append(t.Rows, benchRow(string(rune('A'+i)), 1, changeOf("b", v, change, 0.02)))
	}
	return t
}

// whole gives a table a geomean of a verdict.
func whole(t assay.Table, v assay.Verdict) assay.Table {
	c := changeOf("b", v, 0.05, 0.02)
	c.Benchmark = assay.Benchmark{Name: GeomeanWord}
	t.Geomean, t.Common, t.GeomeanBase = []assay.Comparison{c}, len(t.Rows), 1
	return t
}

func exactRows(metric string, values ...float64) assay.Table {
	t := tableOf(metric)
	for i, v := range values {
		t.Rows = append(t.Rows, benchRow(string(rune('A'+i)), 1, exactly("b", 1, v)))
	}
	return t
}

// Metrics that decide come in full, allocations where they differ, CPU and memory as their
// geomeans, and of what nobody asked for only that nothing is shown.
func TestSections(t *testing.T) {
	early := tableOf("widgets/op", assay.Unclear, assay.Unclear)
	for i := range early.Rows {
		early.Rows[i].Cells[0].Interval, early.Rows[i].Cells[0].N = nil, 3
	}
	r := resultOf([]string{"a", "b"}, whole(tableOf(assay.MetricTime, assay.Same, assay.Slower), assay.Slower),
		exactRows(assay.MetricAllocs, 1, 1), exactRows(assay.MetricBytes, 1, 2), early,
		whole(tableOf(assay.MetricUser, assay.Unclear, assay.Slower), assay.Unclear), whole(tableOf(assay.MetricRSS, assay.More, assay.More), assay.More),
		tableOf(assay.MetricSys, assay.Unclear, assay.More))
	const all = " (short)"
	sameLines(t, "sections", sectionLines(New(r, false, false).Sections()),
		"# sec/op", "A", "B", "geomean of 2",
		"# B/op", "B", "… 1 more, unchanged (exact)",
		"# geomean", "peak-RSS-bytes",
		"# ", "allocs/op: unchanged in all 2 (exact)", "widgets/op: no interval yet in all 2"+all, "user-sec/op: 1 slower, 1 within ±2.0 %"+all, "sys-sec/op: 1 more, 1 within ±2.0 %"+all)
	sections := New(r, true, false).Sections()
	if len(sections) != len(r.Tables) {
		t.Fatalf("with all: %d sections of %d tables", len(sections), len(r.Tables))
	}
	for i, sec := range sections {
		want := len(r.Tables[i].Rows) + min(1, len(r.Tables[i].Geomean))
		if sec.Title != r.Tables[i].Metric.Name || len(sec.Entries) != want || sec.Tail != "" || sec.Decides != (i == 0) {
			t.Errorf("with all: %q has %d entries and the tail %q, want %d of %s", sec.Title, len(sec.Entries), sec.Tail, want, r.Tables[i].Metric.Name)
		}
	}
}

// Rows without a change are called exact only where none of them has any variance.
func TestUnchangedRowsAreCounted(t *testing.T) {
	table := exactRows(assay.MetricBytes, 1, 2, 1)
	r := resultOf([]string{"a", "b"}, tableOf(assay.MetricTime, assay.Same, assay.Same, assay.Same), table)
	sameLines(t, "exact", sectionLines(New(r, false, false).Sections())[4:], "# B/op", "B", "… 2 more, unchanged (exact)")
	for i, value := range []float64{1, 2, 1} {
		table.Rows[i].Cells[0] = exactSoFar("b", 1, value)
	}
	sameLines(t, "exact so far", sectionLines(New(r, false, false).Sections())[4:], "# B/op", "B", "… 2 more, unchanged so far (exact)")
	table.Rows[1].Cells[0] = exactSoFar("b", 1, 1)
	sameLines(t, "all exact so far", sectionLines(New(r, false, false).Sections())[4:], "# ", "B/op: unchanged so far in all 3 (exact)")
	table.Rows[0].Cells[0], table.Rows[1].Cells[0], table.Rows[2].Cells[0] = exactly("b", 1, 1), exactly("b", 1, 2), exactly("b", 1, 1)
	table.Rows[0].Cells[0].Exact = false
	sameLines(t, "not exact", sectionLines(New(r, false, false).Sections())[4:], "# B/op", "B", "… 2 more, unchanged")
}

// Facts that hold for several metrics name all of them in one line.
func TestFactsOfSeveralMetrics(t *testing.T) {
	r := resultOf([]string{"a", "b"}, tableOf(assay.MetricTime, assay.Same, assay.Same), exactRows(assay.MetricAllocs, 1, 1), exactRows(assay.MetricBytes, 1, 1))
	sameLines(t, "sections", sectionLines(New(r, false, false).Sections()), "# sec/op", "A", "B", "# ", "allocs/op, B/op: unchanged in all 2 (exact)")
}

// The rows of packages stand together under their headings, in the order of the record,
// and the geomean says that it is of all.
func TestPackagesAreGrouped(t *testing.T) {
	table := whole(assay.Table{Metric: timeMetric, Decides: true, Rows: []assay.Row{benchRow("q.A", 1, changeOf("b", assay.Same, 0, 0.01)),
		benchRow("p.A", 1, changeOf("b", assay.Same, 0, 0.01)), benchRow("q.B", 1, changeOf("b", assay.Same, 0, 0.01))}}, assay.Same)
	r := resultOf([]string{"a", "b"}, table)
	sameLines(t, "sections", sectionLines(New(r, false, false).Sections()),
		"# sec/op", "pkg: q | A", "B", "pkg: p | A", "all packages | geomean of 3")
	for i, want := range []string{"q.A", "p.A", "q.B"} {
		if got := RowName(table, table.Rows[i]); got != want {
			t.Errorf("row %d is called %q, want %q", i, got, want)
		}
	}
}

// Of one benchmark the metrics are the rows; what nobody asked for is no row.
func TestSingleSections(t *testing.T) {
	r := resultOf([]string{"a", "b"}, tableOf(assay.MetricTime, assay.Slower), exactRows(assay.MetricAllocs, 1), tableOf(assay.MetricUser, assay.Unclear),
		tableOf(assay.MetricRSS, assay.More), tableOf(assay.MetricGCMarkCPU, assay.More), tableOf(assay.MetricGCIdleCPU, assay.Unclear))
	s := New(r, false, false)
	if !s.Single() {
		t.Fatal("a result with one benchmark is not single")
	}
	sameLines(t, "sections", sectionLines(s.Sections()),
		"# A", "sec/op", "allocs/op", "peak-RSS-bytes", "# ", "user-sec/op: no change shown (short)",
		"# garbage collector (gctrace, all cycles but forced ones)", "mark, CPU", "1 more metric (assay show r1 --all)")
	sameLines(t, "with all", sectionLines(New(r, true, false).Sections()), "# A", "sec/op", "allocs/op", "user-sec/op", "peak-RSS-bytes",
		"# garbage collector (gctrace, all cycles but forced ones)", "mark, CPU", "mark CPU, idle")
	r.Tables[1].Rows[0].Benchmark.Name = "B"
	if New(r, false, false).Single() {
		t.Error("a result with two benchmarks is single")
	}
}

// The metrics of the collector are a section of their own, in the order of a cycle: their
// geomeans, or what holds for all benchmarks. It says how they were measured.
func TestCollectorSection(t *testing.T) {
	r := resultOf([]string{"a", "b"}, tableOf(assay.MetricTime, assay.Same, assay.Same), whole(tableOf(assay.MetricGCShare, assay.More, assay.Same), assay.More),
		whole(tableOf(assay.MetricGCMarkCPU, assay.More, assay.Same), assay.More), tableOf(assay.MetricGCMarkPause, assay.Same, assay.Same),
		tableOf(assay.MetricGCSweepPause, assay.Unclear, assay.Same), tableOf(assay.MetricGCLive, assay.More, assay.More))
	r.GCs = []assay.GC{{Benchmark: assay.Benchmark{Name: "A"}, Inside: true}}
	got := sectionLines(New(r, false, false).Sections())
	const all = " (short)"
	sameLines(t, "sections", got[3:], "# garbage collector, geomean (gctrace, all cycles but forced ones)", "mark, CPU", "share of CPU time",
		"pause, mark end: unchanged in all 2", "pause, sweep end: 1 same, 1 within ±2.0 %"+all,
		"traced inside the measured trials, for all variants alike; a share's change is relative, not in points; 1 more metric (assay show r1 --all)")
	r.GCs[0].Inside = false
	if got := New(r, false, false).gcNote(Section{}, assay.Benchmark{}); got != "traced in trials of their own" {
		t.Errorf("got %q", got)
	}
	if got := New(r, false, false).gcNote(Section{}, assay.Benchmark{Name: "B"}); got != "" {
		t.Errorf("of a benchmark without a trace: got %q", got)
	}
}

// Rows of which nothing is known yet are left out but for a few, and counted; those that
// are known stay.
func TestUnknownRowsFold(t *testing.T) {
	rows := slices.Concat(Rows(maxUnknown+3, assay.Unclear, 0.1), Rows(2, assay.Slower, 0.1))
	for i := range maxUnknown + 3 {
		rows[i].Cells[0].N = 2
	}
	rows[maxUnknown+2].Cells[0].Change = 2.27 // the last of them, and the largest change so far
	s := choice{New(resultOf([]string{"a", "b"}), false, false)}
	kept, tail := s.fold(rows, MaxRows)
	if want := "… 3 more without an interval yet (assay show r1 --all)"; len(kept) != maxUnknown+2 || tail != want {
		t.Errorf("%d rows are kept, and the tail is %q, want %d and %q", len(kept), tail, maxUnknown+2, want)
	}
	if got := kept[maxUnknown-1].Cells[0].Change; got != 2.27 {
		t.Errorf("got %v, want the largest change, in its place", got)
	}
	kept, tail = s.fold(slices.Concat(rows, Rows(MaxRows, assay.Faster, -0.1)), MaxRows)
	if want := "… 2 faster, 8 unclear (assay show r1 --all); 3 more without an interval yet (assay show r1 --all)"; len(kept) != MaxRows || tail != want {
		t.Errorf("of too many: %d rows are kept, and the tail is %q, want %d and %q", len(kept), tail, MaxRows, want)
	}
}

// The rows that prove a change come the worse first, then the better and the others, each
// kind by size.
func TestChangedRows(t *testing.T) {
	table := assay.Table{}
	for i, c := range []assay.Comparison{changeOf("b", assay.Faster, -0.5, 0.01), changeOf("b", assay.Slower, 0.1, 0.01), changeOf("b", assay.Unclear, 0.9, 0.99),
		changeOf("b", assay.Changed, 0.7, 0.01), changeOf("b", assay.Slower, 0.3, 0.01), changeOf("b", assay.Faster, -0.1, 0.01)} {
		table.Rows = append(table.Rows, benchRow(fmt.Sprint(i), 1, c))
	}
	var got []string
	for _, row := range ChangedRows(table) {
		got = append(got, row.Benchmark.Name)
	}
	if want := []string{"4", "1", "0", "5", "3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if table.Rows[0].Benchmark.Name != "0" {
		t.Error("the rows of the table were sorted, too")
	}
}

// A result with some variants keeps its base and their comparisons, and the whole result
// stays as it is.
func TestOnly(t *testing.T) {
	r := manyVariants(3)
	r.Tables[0].Geomean = []assay.Comparison{changeOf("v0", assay.Same, 0, 0.01), changeOf("v2", assay.Same, 0, 0.01)}
	r.Tables[0].Effects = []assay.Effect{{}}
	s := New(r, false, false).Only([]string{"v2"})
	table := s.Result.Tables[0]
	if len(s.Result.Variants) != 2 || s.Result.Variants[0].Name != "base" || s.Result.Variants[1].Name != "v2" || !slices.Equal(s.Shown, []string{"v2"}) {
		t.Errorf("got the variants %+v, shown %q", s.Result.Variants, s.Shown)
	}
	if c := table.Rows[0].Cells; len(c) != 1 || c[0].Variant != "v2" || len(table.Geomean) != 1 || table.Geomean[0].Variant != "v2" || table.Effects != nil {
		t.Errorf("got %+v", table)
	}
	if len(r.Tables[0].Rows[0].Cells) != 3 || len(r.Tables[0].Geomean) != 2 || len(r.Variants) != 4 {
		t.Errorf("the whole result has changed: %+v", r)
	}
}

// Variants that are the base, the same code as another or a step that did not build have
// no column.
func TestShown(t *testing.T) {
	r := resultOf([]string{"a", "b", "c", "d"}, tableOf(assay.MetricTime, assay.Same))
	r.Variants[2].SameAs = &assay.SameCode{As: "a"}
	r.Arc = &assay.Arc{Steps: []assay.StepResult{{Step: assay.Step{Variant: "b"}}, {Step: assay.Step{Variant: "d"}, Gap: &assay.Gap{}}}}
	if got := New(r, false, false).Shown; !slices.Equal(got, []string{"b"}) {
		t.Errorf("got %q, want b", got)
	}
}

// Results that were not measured together have no verdict; one of a step that lacks a
// benchmark was.
func TestForeign(t *testing.T) {
	r := resultOf([]string{"a", "b"}, tableOf(assay.MetricTime, assay.Withheld))
	r.Tables[0].Rows[0].Cells[0].Interval = nil
	if !New(r, false, false).Foreign {
		t.Error("a result without verdicts is not foreign")
	}
	r.Arc = &assay.Arc{}
	if New(r, false, false).Foreign {
		t.Error("a result of steps is foreign")
	}
}

// What was left out is seen by the hint of the writer, by the run, or by the flag where
// there is no run.
func TestShowAll(t *testing.T) {
	for _, c := range []struct{ run, ref, hint, want string }{
		{"r1", "", "", "(assay show r1 --all)"}, {"r1", "runs/x", "", "(assay show runs/x --all)"}, {"", "", "", "(--all shows them)"}, {"r1", "", "(click)", "(click)"},
	} {
		s := New(&assay.Result{Run: c.run, Ref: c.ref}, false, false)
		s.Hint = c.hint
		if got := s.ShowAll(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

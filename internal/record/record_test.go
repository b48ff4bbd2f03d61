package record

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

func testPlan() *assay.Plan {
	s := assay.Study{Name: "demo", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	s.SetDefaults()
	s.Measure.Layouts = 1
	return &assay.Plan{
		Schema: assay.PlanSchema, Run: "abcd", Study: s, StudyHash: design.StudyHash(&s), Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Variants:   []assay.Variant{{Name: "old"}, {Name: "new"}, {Name: "control", Control: true}},
		Benchmarks: []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Package: "p", Name: "X/a-2"}, N: 100}},
		Metrics:    []assay.Metric{{Name: "things", Better: assay.BetterHigher}},
	}
}

// testTrial is trial id of a record in which every block has three trials.
func testTrial(id int) assay.Trial {
	p := testPlan()
	return assay.Trial{ID: id, Block: (id-1)/3 + 1, Attempt: 1, Of: 3, Position: (id-1)%3 + 1, Round: 1,
		Variant: p.Variants[(id-1)%3].Name, Benchmark: p.Benchmarks[0].Benchmark, N: 100, Status: assay.StatusOK,
		Start: p.Created.Add(time.Duration(id) * time.Minute), Duration: time.Second,
		Observations: map[string]float64{assay.MetricTime: (712 + float64(id)) / 1e11, assay.MetricRate: 1.5e6, "things": 3}}
}

func create(t *testing.T, trials int) *Record {
	t.Helper()
	r, err := Create(t.TempDir(), testPlan(), assay.Platform{GOOS: "linux", CPU: "c"}, []byte("name = \"demo\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	for id := 1; id <= trials; id++ {
		if err := r.Append(testTrial(id), Raw{Stdout: []byte("out")}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	r := create(t, 7)
	run, err := Read(os.DirFS(r.Dir))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(run.Trials), 7; got != want {
		t.Fatalf("got %d trials, want %d", got, want)
	}
	want := testTrial(5)
	want.Printed = run.Trials[4].Printed
	if !reflect.DeepEqual(run.Trials[4], want) {
		t.Errorf("got %+v, want %+v", run.Trials[4], want)
	}
	if got := len(run.Blocks()); got != 2 {
		t.Errorf("got %d complete blocks, want 2: the third is torn", got)
	}
	if raw, err := run.Printed(3); err != nil || string(raw.Stdout) != "out" {
		t.Errorf("raw output: %q, %v", raw.Stdout, err)
	}
}

func TestTornLineIsCutAndTold(t *testing.T) {
	r := create(t, 4)
	r.Close()
	f, err := os.OpenFile(filepath.Join(r.Dir, TrialsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"trial":5,"blo`)
	f.Close()
	again, err := Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Cut != 15 || again.NextID() != 5 {
		t.Errorf("cut %d bytes, next is %d; want 15 and 5", again.Cut, again.NextID())
	}
	if err := again.Append(testTrial(5), Raw{}); err != nil {
		t.Fatal(err)
	}
	if run, err := Read(os.DirFS(r.Dir)); err != nil || len(run.Trials) != 5 || run.Torn {
		t.Errorf("after going on: %v, torn %v", err, run.Torn)
	}
}

func TestBrokenLineIsNamed(t *testing.T) {
	r := create(t, 3)
	name := filepath.Join(r.Dir, TrialsFile)
	data, _ := os.ReadFile(name)
	lines := bytes.SplitAfter(data, []byte("\n"))
	lines[1] = []byte("not json\n")
	os.WriteFile(name, bytes.Join(lines, nil), 0o666)
	if _, err := Read(os.DirFS(r.Dir)); err == nil || !strings.Contains(err.Error(), "trials.jsonl:2:") {
		t.Errorf("got %v, want an error that names trials.jsonl:2", err)
	}
}

func TestNewerRecordIsRefused(t *testing.T) {
	r := create(t, 0)
	replaceIn(t, filepath.Join(r.Dir, PlanFile), `"schema": 3`, `"schema": 99`)
	if _, err := Read(os.DirFS(r.Dir)); err == nil || !strings.Contains(err.Error(), "newer assay") {
		t.Errorf("got %v, want it to say that a newer assay wrote it", err)
	}
}

// replaceIn replaces the first occurrence of a text in a file, which must be there.
func replaceIn(t *testing.T, name, old, text string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s has no %q: %v", name, old, err)
	}
	if err := os.WriteFile(name, bytes.Replace(data, []byte(old), []byte(text), 1), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestAppendRefusesAGap(t *testing.T) {
	r := create(t, 2)
	if err := r.Append(testTrial(4), Raw{}); err == nil {
		t.Error("trial 4 was taken after trial 2")
	}
}

func TestResultIsOutdatedByNewTrials(t *testing.T) {
	r := create(t, 3)
	finish(t, r)
	store := filepath.Dir(r.Dir)
	finished := func() bool {
		runs, err := List(store)
		if err != nil || len(runs) != 1 {
			t.Fatalf("list: %v, %v", runs, err)
		}
		return runs[0].Finished
	}
	if !finished() {
		t.Error("a run with its result is not finished")
	}
	if err := r.Append(testTrial(4), Raw{}); err != nil {
		t.Fatal(err)
	}
	if finished() {
		t.Error("a run is finished though trials came after its result")
	}
}

// finish ends a run as one that was decided.
func finish(t *testing.T, r *Record) {
	t.Helper()
	if err := r.WriteEnd(assay.End{Stop: "decided", Noise: []string{"a fan"}}); err != nil {
		t.Fatal(err)
	}
	res := &assay.Result{Schema: assay.ResultSchema, Record: r.Run().Head(), Spent: assay.Spent{Stop: "decided"}}
	if err := r.WriteResult(res); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	store := t.TempDir()
	for i, id := range []string{"aaaa", "bbbb", "cccc"} {
		p := testPlan()
		p.Run, p.Created = id, p.Created.Add(time.Duration(i)*time.Hour)
		p.Study.Name = []string{"one", "two", "one"}[i]
		p.StudyHash = design.StudyHash(&p.Study)
		r, err := Create(store, p, assay.Platform{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	for name, want := range map[string]string{"": "cccc", "last": "cccc", "last~2": "aaaa", "bbbb": "bbbb", "one": "cccc", "two": "bbbb",
		filepath.Join(store, "aaaa"): "aaaa", "last~3": "", "nope": "", "/nowhere/else": ""} {
		e, err := Find(store, name)
		if e.Run != want || (err != nil) != (want == "") {
			t.Errorf("Find(%q) = %q, %v; want %q", name, e.Run, err, want)
		}
	}
}

// What is exported comes back with the same digits, blocks and directions.
func TestExportImport(t *testing.T) {
	r := create(t, 9)
	var buf bytes.Buffer
	run := r.Run()
	if err := run.Export(&buf); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(buf.String(), "7.13 ns/op") {
		t.Errorf("times are not exact:\n%s", buf.String())
	}
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "results.txt"), buf.Bytes(), 0o666)
	s, err := Import(os.DirFS(dir), Files("results.txt"), Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Mixed != nil || s.Base != "old" || s.Control != "control" {
		t.Errorf("got base %q, control %q, mixed %v", s.Base, s.Control, s.Mixed)
	}
	for _, x := range s.Samples {
		if x.Variant != "new" || x.Metric != assay.MetricTime {
			continue
		}
		if got, want := fmt.Sprint(x.Values, x.Blocks, x.Benchmark), fmt.Sprint([]float64{7.14e-9, 7.17e-9, 7.2e-9}, []int{1, 2, 3}, testPlan().Benchmarks[0].Benchmark); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, m := range s.Metrics {
		if m.Name == "things" && m.Better != assay.BetterHigher {
			t.Errorf("direction of things is %q", m.Better)
		}
	}
}

// A benchmark's own units stay as they were printed, as a run keeps them: benchfmt
// makes p99-sec of p99-ns, and bytes of MB-heap.
func TestImportKeepsUnits(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old.txt", "new.txt"} {
		os.WriteFile(filepath.Join(dir, name), []byte("Unit p99-ns better=lower\nBenchmarkX-2 10 7.12 ns/op 1.5 MB/s 25311 p99-ns 12.5 MB-heap 8 B/op\n"), 0o666)
	}
	s, err := Import(os.DirFS(dir), Files("old.txt", "new.txt"), Selection{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, x := range s.Samples {
		got[x.Metric] = x.Values[0]
	}
	want := map[string]float64{assay.MetricTime: 7.12e-9, assay.MetricRate: 1.5e6, "p99-ns": 25311, "MB-heap": 12.5, assay.MetricBytes: 8}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	i := slices.IndexFunc(s.Metrics, func(m assay.Metric) bool { return m.Name == "p99-ns" })
	if i < 0 || s.Metrics[i].Better != assay.BetterLower {
		t.Errorf("metrics %+v: p99-ns is better when it is lower", s.Metrics)
	}
}

func TestImportOfOthers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666) }
	write("old.txt", "goos: linux\nlevel: info\nBenchmarkX-2 10 5 ns/op\n"+strings.Repeat("x", 100_000)+"\nBenchmarkX-2 10 6 ns/op\n")
	write("new.txt", "cpu: other\nBenchmarkX-2 10 7 ns/op 3 B/op\nBenchmarkY/func_a-2 1 2 ns/op\nBenchmarkY/func_b-2 1 3 ns/op\n")
	write("empty.txt", "nothing here\n")
	s, err := Import(os.DirFS(dir), Files("old.txt", "new.txt"), Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(s.Variants) != "[old.txt new.txt]" || len(s.Mixed) == 0 || len(s.Samples[0].Values) != 2 {
		t.Errorf("got variants %v, mixed %v, %d values; the long line must not end the file", s.Variants, s.Mixed, len(s.Samples[0].Values))
	}
	s, err = Import(os.DirFS(dir), Files("new.txt"), Selection{By: "/func_(.)"})
	if err != nil || fmt.Sprint(s.Variants) != "[a b]" || s.Samples[0].Benchmark.Name != "Y-2" {
		t.Errorf("by regexp: %v, %+v", err, s)
	}
	for _, bad := range []struct {
		names []string
		sel   Selection
	}{
		{[]string{"empty.txt", "old.txt"}, Selection{}},
		{[]string{"missing.txt"}, Selection{}},
		{[]string{"old.txt"}, Selection{}},
		{[]string{"old.txt", "new.txt"}, Selection{Filter: "((("}},
		{[]string{"old.txt", "new.txt"}, Selection{Filter: "pkg:nosuch"}},
		{[]string{"old.txt", "new.txt"}, Selection{By: "/f(o)(o)"}},
	} {
		if _, err := Import(os.DirFS(dir), Files(bad.names...), bad.sel); err == nil {
			t.Errorf("%v %+v: no error", Files(bad.names...), bad.sel)
		}
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte("variant: a\n# block: 1\nBenchmarkX 1 2 ns/op\nvariant: b\nBenchmarkX 1 3 ns/op\n"))
	f.Add([]byte("Unit x better=higher\nBenchmarkX 1 2 x\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		os.WriteFile(filepath.Join(dir, "f.txt"), data, 0o666)
		s, err := Import(os.DirFS(dir), Files("f.txt"), Selection{})
		if err == nil && len(s.Variants) < 2 {
			t.Errorf("import took %d variants", len(s.Variants))
		}
	})
}

func TestLocked(t *testing.T) {
	r := create(t, 1)
	if _, err := Open(r.Dir); !errors.Is(err, ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
}

// TestRunIsNotOverwritten: nothing measured is ever lost, whatever draws the id twice.
func TestRunIsNotOverwritten(t *testing.T) {
	r := create(t, 3)
	r.Close()
	store, p := filepath.Dir(r.Dir), testPlan()
	earlier := create(t, 3).Run()
	for name, again := range map[string]func() (*Record, error){
		"create": func() (*Record, error) { return Create(store, p, assay.Platform{}, nil) },
		"extend": func() (*Record, error) { return Extend(store, p, assay.Platform{}, nil, earlier) },
	} {
		if _, err := again(); err == nil || !strings.Contains(err.Error(), "holds a run already") {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
	if run, err := Read(Folder(r.Dir)); err != nil || len(run.Trials) != 3 {
		t.Errorf("the run is not what it was: %v", err)
	}
}

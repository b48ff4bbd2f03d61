package runs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/record"
)

// demo is the plan of a run of a store, on the day of its number.
func demo(run string, number int) *assay.Plan {
	s := assay.Study{Name: "demo", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	s.SetDefaults()
	s.Measure.Layouts = 1
	return &assay.Plan{Schema: assay.PlanSchema, Run: run, Number: number, Study: s, Command: "assay run demo", Created: time.Date(2026, 1, number, 0, 0, 0, 0, time.UTC),
		Variants:   []assay.Variant{{Name: "old"}, {Name: "new"}, {Name: assay.ControlName, Control: true}},
		Benchmarks: []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Package: "p", Name: "Encode"}, N: 100}},
		Metrics:    []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}}}
}

// keep measures a plan of demo, in which "new" takes a tenth less time than "old": 15 blocks
// if it is ended, else 3. It returns the run folder.
func keep(t *testing.T, store string, p *assay.Plan, ended bool) string {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	p.StudyHash = design.StudyHash(&p.Study)
	r, err := record.Create(store, p, assay.Platform{ID: p.Machine, GOOS: "linux", CPU: "CPU of " + p.Machine}, []byte("name = \"demo\"\n"))
	check(err)
	defer r.Close()
	blocks, rnd := 3, rand.New(rand.NewPCG(uint64(p.Number), 2))
	if ended {
		blocks = 15
	}
	for block := 1; block <= blocks; block++ {
		for i, v := range p.Variants {
			sec := 1e-7 * math.Exp(0.005*rnd.NormFloat64())
			if v.Name == "new" {
				sec *= 0.9
			}
			id := r.NextID()
			check(r.Append(assay.Trial{ID: id, Block: block, Attempt: 1, Of: len(p.Variants), Position: i + 1, Round: 1, Variant: v.Name, Benchmark: p.Benchmarks[0].Benchmark,
				N: 100, Status: assay.StatusOK, Start: p.Created.Add(time.Duration(id) * time.Minute), Duration: time.Second,
				Observations: map[string]float64{assay.MetricTime: sec}}, record.Raw{Stdout: fmt.Appendf(nil, "\x1b[31mtrial %d\n\n", id), Server: []byte("up")}))
		}
	}
	if !ended {
		return r.Dir
	}
	check(r.WriteEnd(assay.End{Stop: assay.StopDecided, Budget: time.Hour}))
	res, err := Derive(r.Run(), *r.Run().End)
	check(err)
	check(r.WriteResult(res))
	return r.Dir
}

// edit replaces a text in a file.
func edit(t *testing.T, name, old, new string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q: %v", name, old, err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(data), old, new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The list has the runs in the order in which they were made, each with its verdict or
// what to type.
func TestLines(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	damaged := keep(t, store, demo("aaaa", 3), true)
	edit(t, filepath.Join(damaged, record.StudyFile), "demo", "other")
	keep(t, store, demo("bbbb", 2), false)
	done := keep(t, store, demo("cccc", 1), true)
	now := time.Date(2026, 1, 3, 3, 0, 0, 0, time.UTC)
	holds := func(verdict string) {
		t.Helper()
		lines, err := Lines(store, now)
		if err != nil || len(lines) != 4 {
			t.Fatalf("got %q, %v, want a head and three runs", lines, err)
		}
		for i, want := range [][]string{{"run age study variants benchmarks verdict"}, {"cccc 2 days demo old, new .", verdict},
			{"bbbb 27 h demo old, new .", "cut off: run it again to go on"}, {"aaaa 3 h demo old, new .", "damaged: assay verify aaaa"}} {
			if got := strings.Join(strings.Fields(lines[i]), " "); got != strings.Join(want, " ") {
				t.Errorf("line %d: got %q, want %q", i, got, want)
			}
		}
	}
	holds("use new (not checked)")
	f, err := Read(done, "cccc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Result(); err != nil {
		t.Fatal(err)
	}
	holds("use new")
	if lines, err := Lines(t.TempDir(), now); err != nil || lines != nil {
		t.Errorf("an empty store: got %q, %v", lines, err)
	}
}

// A shell can complete the newest run, every run, groups and studies.
func TestNames(t *testing.T) {
	store := t.TempDir()
	grouped := func(run string, number int, machine string) {
		p := demo(run, number)
		p.Machine, p.Group, p.Machines = machine, "g1", 2
		keep(t, store, p, false)
	}
	grouped("bbbb", 2, "alpha")
	grouped("cccc", 3, "beta")
	keep(t, store, demo("aaaa", 1), true)
	want := [][2]string{{"last", "the newest run"}, {"aaaa", "demo, 2026-01-01 00:00"}, {"bbbb", "demo, 2026-01-02 00:00, not finished"},
		{"cccc", "demo, 2026-01-03 00:00, not finished"},
		{"g1", "the runs of demo on several machines"}, {"demo", "the newest run of this study"}}
	if got := Names(store); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := Names(t.TempDir()); got != nil {
		t.Errorf("got %q of an empty store", got)
	}
}

// A run in the list has its answer in a word or two.
func TestVerdictWord(t *testing.T) {
	for want, a := range map[string]assay.Answer{
		"use new":       {Use: "new", Decided: true, Verdict: assay.Faster},
		"use your tree": {Use: ".", Verdict: assay.Mixed},
		"not decided":   {Verdict: assay.Unclear},
		"same code":     {Verdict: assay.SameCoded},
		"same":          {Decided: true, Verdict: assay.Same},
		"mixed":         {Decided: true, Verdict: assay.Mixed},
		"trade-off":     {Decided: true, Verdict: assay.Mixed, Asks: assay.AskOf(assay.AskTradeoff, "sec/op", "peak-RSS-bytes")},
		"slower":        {Decided: true, Verdict: assay.Slower, Asks: assay.AskOf(assay.AskTradeoff, "sec/op", "peak-RSS-bytes")},
	} {
		if got := verdictWord(record.Entry{Answer: a}); got != want {
			t.Errorf("%+v: got %q, want %q", a, got, want)
		}
	}
}

// What is wrong with a run comes before its verdict, with what to type.
func TestVerdictOfFaultyRun(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	done := assay.Answer{Use: "new", Decided: true}
	for _, x := range []struct {
		fault    error
		finished bool
		want     string
	}{
		{&record.Fault{Unsealed: true}, true, "not sealed: made by an older assay"},
		{fmt.Errorf("read: %w", record.ErrNewer), false, "made by a newer assay: upgrade this one"},
		{&record.Fault{Text: "changed"}, true, "damaged: assay verify 7k2m"},
		{errors.New("a disk error"), false, "damaged: assay verify 7k2m"},
		{nil, false, "cut off: run it again to go on"},
		{nil, true, "use new (not checked)"},
	} {
		if got := verdictOf(record.Entry{Run: "7k2m", Fault: x.fault, Finished: x.finished, Answer: done}); got != x.want {
			t.Errorf("%v, finished %t: got %q, want %q", x.fault, x.finished, got, x.want)
		}
	}
}

// A column has the first names, how many more there are, and no more than its width.
func TestFirstNames(t *testing.T) {
	list := []string{"a", "b", "c", "d", "e"}
	for _, x := range []struct {
		names []string
		most  int
		want  string
	}{
		{nil, 3, ""}, {list[:3], 3, "a, b, c"}, {list, 3, "a, b, c, … 2 more"}, {[]string{strings.Repeat("x", 60)}, 3, strings.Repeat("x", widest-1) + "…"},
	} {
		if got := firstNames(x.names, x.most); got != x.want {
			t.Errorf("%q: got %q, want %q", x.names, got, x.want)
		}
	}
	if list[3] != "d" {
		t.Errorf("the list is now %q", list)
	}
}

// Benchmarks go by their pattern and packages, commands and services by their names.
func TestBenchmarksOf(t *testing.T) {
	got := benchmarksOf([]assay.Workload{{Kind: assay.KindGoTest}, {Kind: assay.KindGoTest, Bench: "^X$", Packages: []string{"./a", "./b"}},
		{Kind: assay.KindCommand, Names: []string{"sieve", "trees"}, Bench: "unused"}})
	if want := []string{".", "^X$ ./a ./b", "sieve", "trees"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A run goes by its id in the usual store, by a path elsewhere, and what cannot be found
// is an error that says what to type.
func TestFind(t *testing.T) {
	t.Chdir(t.TempDir())
	keep(t, DefaultStore, demo("aaaa", 1), true)
	keep(t, "mine", demo("bbbb", 1), true)
	for _, x := range []struct{ store, name, ref string }{
		{DefaultStore, "aaaa", "aaaa"}, {DefaultStore, "last", "aaaa"}, {DefaultStore, "demo", "aaaa"},
		{DefaultStore, ".assay/aaaa", ".assay/aaaa"}, {DefaultStore, "./mine", "mine/bbbb"},
		{"mine", "bbbb", "mine/bbbb"}, {"mine", "", "mine/bbbb"},
	} {
		f, err := Find(x.store, x.name)
		if err != nil || f.Ref != x.ref || len(f.Trials) != 45 {
			t.Errorf("%q in %s: got %+v, %v, want the run %s", x.name, x.store, f, err, x.ref)
		}
	}
	for store, try := range map[string]string{DefaultStore: "assay list", "none": "assay compare --help"} {
		_, err := Find(store, "zzzz")
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoRun || e.Try != try {
			t.Errorf("in %s: got %v, want to try %q", store, err, try)
		}
	}
}

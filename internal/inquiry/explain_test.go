package inquiry_test

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/inquiry"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/session/sessiontest"
)

// program builds a program that calls sim.BenchmarkX, whose work is a statement.
func program(t *testing.T, statement string) (file string) {
	t.Helper()
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.mod": "module sim\n\ngo 1.23\n",
		"cmd/main.go": "package main\n\nimport \"sim\"\n\nfunc main() { println(sim.BenchmarkX(10)) }\n",
		"sim.go": "package sim\n\n//go:noinline\nfunc work(n int) (s int) {\n\tfor i := range n {\n\t\t" + statement + "\n\t}\n\treturn s\n}\n\n" +
			"//go:noinline\nfunc BenchmarkX(n int) int { return work(n) + 1 }\n"})
	file = filepath.Join(dir, "out")
	cmd := exec.Command("go", "build", "-o", file, "./cmd")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "GOEXPERIMENT=", "CGO_ENABLED=0", "GOOS=", "GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return file
}

// slowerX is a benchmark of which "new" takes half as much again, all of it in sim.work, and
// allocates twice as often.
func slowerX() labtest.Benchmark {
	b := sessiontest.Bench("X", map[string]float64{"new": 0.5})
	b.Bytes, b.Allocs, b.AllocEffects = 32, 2, map[string]float64{"new": 2}
	b.Profile = func(kind, variant string, n int) []byte {
		if kind == assay.CollectMem {
			return labtest.ProfileOf(kind, map[string]float64{"runtime.mallocgc<sim.work<sim.BenchmarkX": map[string]float64{"old": 2, "new": 4}[variant]}, n)
		}
		return labtest.ProfileOf(kind, map[string]float64{"sim.work<sim.BenchmarkX": map[string]float64{"old": 1e-6, "new": 1.5e-6}[variant]}, n)
	}
	return b
}

// explain explains the first run of the rig.
func explain(t *testing.T, r *sessiontest.Rig, q inquiry.Request) (*assay.Result, []assay.Explanation, error) {
	t.Helper()
	return inquiry.Explain(t.Context(), r.Config(nil), r.Found(t, "run1"), q)
}

// hasCode reports whether there is a warning of a code.
func hasCode(list []assay.Warning, code assay.Code) bool {
	return slices.ContainsFunc(list, func(w assay.Warning) bool { return w.Code == code })
}

// An explanation has what each kind of evidence shows: the function whose code differs, the
// time that it takes, and the objects that it allocates. It is kept with the run, where a
// second one takes its place.
func TestExplain(t *testing.T) {
	r := sessiontest.New(t, slowerX(), sessiontest.Bench("Y", nil))
	r.Files = map[string]string{"sim-old-0": program(t, "s += i"), "sim-new-0": program(t, "s += i * i % 7")}
	r.Measure(t, sessiontest.Blocks(8, "old", "new"))
	for range 2 {
		got, made, err := explain(t, r, inquiry.Request{Collect: []string{assay.CollectCode, assay.CollectCPU, assay.CollectMem}, Blocks: 3, Trial: 100 * time.Millisecond})
		if err != nil || len(made) != 1 || made[0].Benchmark.Name != "X" || made[0].Variant != "new" {
			t.Fatalf("got %+v, %v, want one of X", made, err)
		}
		e := made[0]
		if e.Code == nil || e.Code.Differ != 1 || e.SameCode || len(e.Code.Functions) != 1 || !strings.Contains(e.Code.Functions[0].Name, "work") {
			t.Errorf("got code %+v, want sim.work alone", e.Code)
		}
		if e.CPU == nil || e.CPU.Functions[0].Name != "sim.work" || math.Abs(float64(e.CPU.Functions[0].Change)-0.5) > 0.05 || e.CPU.Blocks != 3 ||
			!strings.HasPrefix(e.CPU.Command, "go tool pprof -top -diff_base=") {
			t.Errorf("got time %+v, want half as much again in sim.work", e.CPU)
		}
		if !hasCode(e.Warnings, assay.CodeNoSamples) { // 30 of the base
			t.Errorf("got warnings %+v, want one of few samples", e.Warnings)
		}
		if a := e.Allocs; a == nil || a.BaseObjects != 2 || a.VariantObjects != 4 || len(a.Sites) != 1 || a.Sites[0].Function != "sim.work" {
			t.Errorf("got allocations %+v, want 2 and 4 in sim.work", e.Allocs)
		}
		if kept, err := r.Found(t, "run1").Result(); err != nil || len(kept.Explanations) != 1 || len(got.Explanations) != 1 || kept.Explanations[0].CPU == nil {
			t.Errorf("got %d explanations kept, %v, want the one", len(kept.Explanations), err)
		}
	}
	if !slices.Contains(r.Teller.Lines, "explain: explaining X, 1 of 1") {
		t.Errorf("told %q", r.Teller.Lines)
	}
}

// An explanation has the allocations that the table has: two objects of 8 bytes share a block,
// and the profile sees half a block where the run has counted one object.
func TestExplainCountsObjects(t *testing.T) {
	b := slowerX()
	b.Allocs = 1
	b.Profile = func(kind, variant string, n int) []byte {
		per := map[string]float64{"runtime.mallocgc<sim.work<sim.BenchmarkX": 1}
		if variant == "new" {
			per["runtime.mallocgc<sim.more<sim.BenchmarkX"] = 0.5
		}
		return labtest.ProfileOf(kind, per, n)
	}
	r := sessiontest.New(t, b)
	r.Measure(t, sessiontest.Blocks(8, "old", "new"))
	_, made, err := explain(t, r, inquiry.Request{Collect: []string{assay.CollectMem}})
	if err != nil || len(made) != 1 || made[0].Allocs == nil {
		t.Fatalf("got %+v, %v, want one", made, err)
	}
	a := made[0].Allocs
	if a.BaseObjects != 1 || a.VariantObjects != 2 || len(a.Sites) != 1 || a.Sites[0].VariantObjects != 1 || !strings.HasPrefix(made[0].Causes[0].Text, "1 allocation, 8 B more") {
		t.Errorf("got %+v and %q, want 1 and 2 objects, the other in sim.more", a, made[0].Causes[0].Text)
	}
}

// A run explains its largest changes by the binaries, unasked and without any doubts; what
// the study collects is looked into as well.
func TestRunExplainsItself(t *testing.T) {
	r := sessiontest.New(t, slowerX())
	r.Files = map[string]string{"sim-old-0": program(t, "s += i"), "sim-new-0": program(t, "s += i * i % 7")}
	got := r.Measure(t, sessiontest.Blocks(8, "old", "new"))
	if es := got.Explanations; len(es) != 1 || es[0].Code == nil || es[0].Code.Differ != 1 || es[0].CPU != nil || len(es[0].Warnings) != 0 {
		t.Errorf("got %+v, want one by the code", es)
	}
	s := sessiontest.Blocks(9, "old", "new")
	s.Measure.Collect = []string{assay.CollectCPU}
	if es := r.Measure(t, s).Explanations; len(es) != 1 || es[0].Code != nil || es[0].CPU == nil {
		t.Errorf("got %+v, want one by the time", es)
	}
	s = sessiontest.Blocks(10, "old", "new")
	s.Measure.Collect = []string{}
	if es := r.Measure(t, s).Explanations; len(es) != 0 {
		t.Errorf("got %+v where nothing is collected", es)
	}
}

// What cannot be read leaves a warning, not an error: there is the time, and no code.
func TestExplainWithoutBinaries(t *testing.T) {
	r := sessiontest.New(t, slowerX())
	if es := r.Measure(t, sessiontest.Blocks(8, "old", "new")).Explanations; len(es) != 1 || es[0].Code != nil || len(es[0].Warnings) != 0 {
		t.Errorf("got %+v, want no warning of a run that nobody asked to explain itself", es)
	}
	r.BuiltAs = map[string]string{"new": "edited"}
	_, made, err := explain(t, r, inquiry.Request{Collect: []string{assay.CollectCode, assay.CollectCPU}, Blocks: 3})
	if err != nil || len(made) != 1 {
		t.Fatalf("got %+v, %v", made, err)
	}
	if e := made[0]; e.Code != nil || e.CPU == nil || !hasCode(e.Warnings, assay.CodeNoCode) || !hasCode(e.Warnings, assay.CodeChangedSince) {
		t.Errorf("got %+v, want the time, and that there is no code, of a build that changed", e)
	}
}

// A run that was cut off is explained by what it has, and that becomes its result.
func TestExplainInterrupted(t *testing.T) {
	r := sessiontest.New(t, slowerX())
	r.EndAt(9, func() error { return errors.New("the power is gone") })
	if _, _, err := session.Measure(t.Context(), r.Config(sessiontest.Blocks(20, "old", "new"))); err == nil {
		t.Fatal("the run was not cut off")
	}
	r.Host = "another"
	got, made, err := explain(t, r, inquiry.Request{Collect: []string{assay.CollectCPU}, Blocks: 3})
	if err != nil || len(made) != 1 || got.Spent.Stop != assay.StopInterrupted || got.Spent.Blocks != 8 {
		t.Fatalf("got %+v, %v, want 8 blocks and an interruption", got, err)
	}
	if kept, err := r.Found(t, "run1").Result(); err != nil || kept.Spent.Blocks != 8 || len(kept.Explanations) != 1 {
		t.Errorf("kept %+v, %v", kept, err)
	}
	if r.Teller.Heard("was measured on another machine") {
		t.Errorf("said %q: a machine that gives no name is not another one", r.Teller.Said)
	}
}

// The user hears where a run was measured if that is another machine.
func TestExplainElsewhere(t *testing.T) {
	r := sessiontest.New(t, slowerX())
	r.Host = "one"
	r.Measure(t, sessiontest.Blocks(8, "old", "new"))
	r.Host = "two"
	if _, _, err := explain(t, r, inquiry.Request{Collect: []string{assay.CollectCPU}, Blocks: 3}); err != nil {
		t.Fatal(err)
	}
	if !r.Teller.Heard("assay: run run1 was measured on another machine: linux/amd64 simulated") {
		t.Errorf("said %q", r.Teller.Said)
	}
}

// Nothing is explained of a run in which nothing changed, of a folder that is not here, or
// of a run that somebody else made: its plan names programs to run.
func TestExplainRefuses(t *testing.T) {
	r := sessiontest.New(t, slowerX())
	r.Measure(t, sessiontest.Blocks(8, "old", "new"))
	_, _, err := explain(t, r, inquiry.Request{Benchmark: "Z"})
	errortest.Want(t, err, assay.CodeNoBenchmarks, assay.ExitUsage)
	_, _, err = explain(t, r, inquiry.Request{Dir: filepath.Join(r.Store, "gone")})
	errortest.Want(t, err, assay.CodeNoStudy, assay.ExitUsage)
	cfg := r.Config(nil)
	cfg.Trust = false
	_, _, err = inquiry.Explain(t.Context(), cfg, r.Found(t, "run1"), inquiry.Request{})
	if text := errortest.Want(t, err, assay.CodeNotMadeHere, assay.ExitRefused); !strings.Contains(text, "benchmarks: .") ||
		!strings.Contains(text, "assay explain --trust run1") {
		t.Errorf("got %s, want the programs and how to trust them", text)
	}
}

// A difference that every link has holds in the check of the layout, which is a run of its
// own over as many links.
func TestCheckLayout(t *testing.T) {
	r := sessiontest.New(t, slowerX())
	r.Layout = 0.002
	s := sessiontest.Blocks(8, "old", "new")
	s.Measure.Layouts = 1
	r.Measure(t, s)
	_, made, err := explain(t, r, inquiry.Request{Collect: []string{assay.CollectCPU}, Blocks: 3, CheckLayout: true, Layouts: 12, Budget: time.Minute})
	if err != nil || len(made) != 1 || made[0].Layout == nil {
		t.Fatalf("got %+v, %v", made, err)
	}
	if l := made[0].Layout; !l.Survives || l.Layouts != 12 || l.Run == "run1" || !strings.HasPrefix(l.Text, "it holds across 12 relinked builds of each variant: +") {
		t.Errorf("got %+v, want that it holds across 12", l)
	}
	if got := r.Runs(t); len(got) != 2 || !strings.HasSuffix(got[1], " 12") {
		t.Errorf("got runs %q, want a second one of 12 blocks", got)
	}
}

// Two binaries are compared without a run: what differs, and that nothing does.
func TestFiles(t *testing.T) {
	one, other := program(t, "s += i"), program(t, "s += i * i % 7")
	got, err := inquiry.Files(one, other, []*regexp.Regexp{regexp.MustCompile(`BenchmarkX$`)})
	if err != nil {
		t.Fatal(err)
	}
	e := got.Explanations[0]
	if e.SameCode || e.Code.Differ != 1 || e.Base != one || e.Variant != other || got.Command != "assay explain "+one+" "+other+" --func 'BenchmarkX$'" {
		t.Errorf("got %+v by %q, want one function that differs", e.Code, got.Command)
	}
	got, err = inquiry.Files(one, one, nil)
	if err != nil || !got.Explanations[0].SameCode {
		t.Errorf("with itself: got %+v, %v, want the same code", got, err)
	}
	text := filepath.Join(t.TempDir(), "text")
	disktest.Write(t, filepath.Dir(text), map[string]string{"text": "no binary"})
	for _, pair := range [][2]string{{text, one}, {one, text}, {one, text + ".gone"}} {
		_, err := inquiry.Files(pair[0], pair[1], nil)
		errortest.Want(t, err, assay.CodeNoCode, assay.ExitUsage)
	}
}

// A request says what of its flags cannot be.
func TestReadRequest(t *testing.T) {
	fit := inquiry.Request{Trial: time.Second, Budget: time.Minute, Layouts: 10}
	q := fit
	if err := q.Read("code,gc", []string{"^a", "b$"}); err != nil || !slices.Equal(q.Collect, []string{"code", "gc"}) || len(q.Named) != 2 {
		t.Errorf("got %+v, %v", q, err)
	}
	for _, c := range []struct {
		change    func(*inquiry.Request)
		collect   string
		functions []string
		want      string
	}{
		{nil, "all", nil, "all"},
		{func(q *inquiry.Request) { q.Blocks = -1 }, "code", nil, "-1 is below 0"},
		{func(q *inquiry.Request) { q.Trial = 0 }, "code", nil, "0s is not above 0"},
		{func(q *inquiry.Request) { q.Budget = -time.Second }, "code", nil, "-1s is not above 0"},
		{func(q *inquiry.Request) { q.Layouts = 9 }, "code", nil, "takes 10 links"},
		{nil, "code", []string{"("}, "--func ("},
	} {
		q := fit
		if c.change != nil {
			c.change(&q)
		}
		if text := errortest.Want(t, q.Read(c.collect, c.functions), assay.CodeFlags, assay.ExitUsage); !strings.Contains(text, c.want) {
			t.Errorf("got %s, want %s", text, c.want)
		}
	}
}

// A benchmark so short that it may measure nothing has a doubt in the result, whether or not
// it changed.
func TestDoubts(t *testing.T) {
	empty := sessiontest.Bench("X", map[string]float64{"old": -0.9, "new": -0.9})
	empty.Time, empty.Bytes, empty.Allocs = time.Nanosecond, 0, 0
	for _, short := range []bool{true, false} {
		r := sessiontest.New(t, empty)
		if !short {
			r.Benchmarks[0].Time = time.Microsecond
		}
		file := program(t, "s += i")
		r.Files = map[string]string{"sim-old-0": file, "sim-new-0": file}
		if got := r.Measure(t, sessiontest.Blocks(6, "old", "new")); hasCode(got.Warnings, assay.CodeSubNanosecond) != short || len(got.Explanations) != 0 {
			t.Errorf("short: %t: got %+v and %d explanations", short, got.Warnings, len(got.Explanations))
		}
	}
}

package bisect_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/bisect"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/session/sessiontest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// TestMain lets the test binary stand for assay where cmd/bisect runs it.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "bisect" && os.Args[2] == "--target" {
		os.Exit(answerBisect(os.Args[3]))
	}
	os.Exit(m.Run())
}

// placeVariable names the place that matters, as it stands in a pattern, for answerBisect.
const placeVariable = "ASSAY_TEST_PLACE"

// cacheVariable names the cache that the builds of answerBisect are in.
const cacheVariable = "ASSAY_TEST_CACHE"

// answerBisect answers cmd/bisect by a simulated machine on which one place matters, and
// returns the exit status.
func answerBisect(job string) int {
	r := knobRig(labtest.Benchmark{Name: "Sum", Time: time.Microsecond, Bytes: 48, Allocs: 2})
	r.Prefix, r.Teller, r.Store = fmt.Sprint("p", os.Getpid(), "x"), &sessiontest.Teller{}, ""
	cfg := session.Config{Lease: &session.Lease{}, Stop: session.NewStop(), Cache: os.Getenv(cacheVariable), Simulation: r.Simulation}
	places, on, err := bisect.AnswerPattern(context.Background(), cfg, job)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	for _, p := range places {
		fmt.Println(p)
	}
	if on {
		return 1
	}
	return 0
}

// knobRig is a machine on which a build allocates twice as often if the place is on.
func knobRig(b labtest.Benchmark) *sessiontest.Rig {
	b.AllocEffects = map[string]float64{"on": 2}
	r := &sessiontest.Rig{Simulator: &labtest.Simulator{Seed: 1, Start: time.Millisecond, Benchmarks: []labtest.Benchmark{b}}}
	r.Simulation = &session.Simulation{Builder: r, Machine: r, Seed: 1, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	place := os.Getenv(placeVariable)
	r.Hook = func(q lab.RunRequest) error {
		if q.Variant.Name == bisect.VariantSome {
			b.AllocEffects[bisect.VariantSome] = 1
			if flags := strings.Join(q.Variant.GCFlags, " "); place == "" || strings.Contains(flags, place) {
				b.AllocEffects[bisect.VariantSome] = 2
			}
		}
		return nil
	}
	return r
}

// makes is a program with two calls of make, on lines 6 and 9, each of which has two places
// of variablemake.
var makes = map[string]string{"go.mod": "module example.com/makes\n\ngo 1.26\n", "main.go": `package main

var n = 3

func main() {
	a := make([]byte, n)
	a[0] = 1
	println(a[n-1])
	b := make([]int, n)
	println(b[n-1])
}
`}

// aKnobJob is a search of variablemake in that program.
func aKnobJob(t *testing.T, store string) bisect.KnobJob {
	t.Helper()
	dir := t.TempDir()
	disktest.Write(t, dir, makes)
	s := &assay.Study{Name: "makes", Dir: dir, Base: ".", Variants: []assay.Variant{{Name: "."}},
		Workloads: []assay.Workload{{Kind: assay.KindCommand, Names: []string{"Sum"}, Run: []string{"{bin}"}}}}
	s.SetDefaults()
	s.Measure.Trial, s.Measure.Inner, s.Measure.Layouts, s.Decide.Budget, s.Decide.Confidence = 10*time.Millisecond, 1, 1, 20*time.Second, 0.95
	return bisect.KnobJob{Knob: bisect.Knob{Key: "variablemake"}, Metric: bisect.KnobMetricAuto, Study: s, Dir: dir, Base: ".", Store: store,
		Command: "assay bisect --knob=variablemake ."}
}

// bisectKnob searches by one session.
func bisectKnob(t *testing.T, r *sessiontest.Rig, job bisect.KnobJob) (*bisect.KnobResult, error) {
	t.Helper()
	s := *job.Study
	job.Study = &s
	return bisect.FindLines(t.Context(), r.Config(&s), &job, 8, false)
}

// A knob that the compiler cannot search is answered with those that it can.
func TestUnknownKnob(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	job := aKnobJob(t, r.Store)
	job.Knob.Key = "variablemak"
	_, err := bisectKnob(t, r, job)
	if text := errortest.Want(t, err, assay.CodeBisectKnob, assay.ExitUsage); !strings.Contains(text, "--knob=variablemake") || strings.Contains(text, "gossa") {
		t.Errorf("got %s, want variablemake and no switch for the authors of the compiler", text)
	}
}

// Where the ends are the same there is nothing to search, and the same line again measures
// nothing.
func TestKnobThatDoesNotMatter(t *testing.T) {
	r := sessiontest.New(t, sessiontest.Bench("Sum", nil))
	job := aKnobJob(t, r.Store)
	for i := range 2 {
		trials := len(r.Log())
		got, err := bisectKnob(t, r, job)
		if err != nil {
			t.Fatal(err)
		}
		if got.Found() || got.Places != 4 || !strings.HasPrefix(got.Go, "go1.") || (i == 0) != (len(r.Log()) > trials) {
			t.Errorf("got %+v after %d trials, want four places that do not matter", got, len(r.Log())-trials)
		}
	}
	if !r.Teller.Heard("assay: the bisection resumes after 2 builds") {
		t.Errorf("said %q", r.Teller.Said)
	}
}

// fakeBisect takes the place of golang.org/x/tools/cmd/bisect: it runs the target with the
// knob nowhere, everywhere, and at two places alone, and says which of them failed. The
// place that matters is the last one. It imports little, so that it links fast.
const fakeBisect = `package main

import (
	"io"
	"os"
	"strings"
)

func main() {
	args, key := os.Args[1:], ""
	for strings.HasPrefix(args[0], "-") {
		if k, ok := strings.CutPrefix(args[0], "-compile="); ok {
			key = k
		}
		args = args[1:]
	}
	run := func(pattern string) (places []string, failed bool) {
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		p, err := os.StartProcess(args[0], args, &os.ProcAttr{Env: append(os.Environ(), "GOCOMPILEDEBUG="+key+"hash="+pattern), Files: []*os.File{nil, w, os.Stderr}})
		if err != nil {
			panic(err)
		}
		w.Close()
		out, _ := io.ReadAll(r)
		state, _ := p.Wait()
		for _, line := range strings.Split(string(out), "\n") {
			if _, id, ok := strings.Cut(line, "[bisect-match 0"); ok {
				places = append(places, strings.TrimSuffix(id, "]"))
			}
		}
		end := "ok"
		if !state.Success() {
			end = "FAIL"
		}
		os.Stderr.WriteString("bisect: run: GOCOMPILEDEBUG=" + key + "hash=" + pattern + " " + args[0] + "... " + end + " (" + string(rune('0'+len(places))) + " matches)\n")
		return places, end == "FAIL"
	}
	run("n")
	places, _ := run("y")
	if len(places) < 2 {
		os.Stderr.WriteString("bisect: fatal error: target failed without printing any matches\n")
		os.Exit(1)
	}
	os.Setenv("` + placeVariable + `", places[len(places)-1])
	for _, p := range places[len(places)-2:] {
		if _, failed := run("v+" + p); failed {
			os.Stderr.WriteString("bisect: FOUND failing change set\n")
		}
	}
}
`

// The line where a knob matters is found by the builds of the compiler, the program that
// chooses the patterns, and the process that answers it; each build is measured once.
func TestBisectKnob(t *testing.T) {
	sourcetest.Proxy(t, map[string]map[string]string{"golang.org/x/tools@v0.52.0": {"go.mod": "module golang.org/x/tools\n\ngo 1.23\n", "cmd/bisect/main.go": fakeBisect}})
	r := knobRig(sessiontest.Bench("Sum", map[string]float64{"on": 0.3, "some": 0.3}))
	r.Teller, r.Store = &sessiontest.Teller{}, t.TempDir()
	t.Setenv(cacheVariable, r.Store+".cache")
	got, err := bisectKnob(t, r, aKnobJob(t, r.Store))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Found() || len(got.Sets) != 1 || len(got.Sets[0].Lines) != 1 || got.By != assay.MetricAllocs || got.Places != 4 {
		t.Fatalf("got %+v, said %q, want one line by allocs/op", got, r.Teller.Said)
	}
	if l := got.Sets[0].Lines[0]; l.File != "main.go" || l.Line != 9 || l.Source != "b := make([]int, n)" {
		t.Errorf("got %+v, want line 9 of main.go", l)
	}
	for _, want := range []string{"assay: ends: nowhere against everywhere: changed, by allocs/op", ": on, by allocs/op", ": off, by allocs/op",
		"assay: these places alone"} {
		if !r.Teller.Heard(want) {
			t.Errorf("said %q, want %q", r.Teller.Said, want)
		}
	}
	if got := r.Runs(t); len(got) != 4 {
		t.Errorf("got runs %q, want those of the ends, two places, and what was found", got)
	}
}

// Without a network and the program that searches, the error says how to get it.
func TestNoBisectTool(t *testing.T) {
	sourcetest.Proxy(t)
	r := knobRig(sessiontest.Bench("Sum", map[string]float64{"on": 0.3}))
	r.Teller, r.Store = &sessiontest.Teller{}, t.TempDir()
	t.Setenv(cacheVariable, r.Store+".cache")
	_, err := bisectKnob(t, r, aKnobJob(t, r.Store))
	if text := errortest.Want(t, err, assay.CodeBisectKnob, assay.ExitRefused); !strings.Contains(text, "go install golang.org/x/tools/cmd/bisect@") {
		t.Errorf("got %s, want how to install it", text)
	}
}

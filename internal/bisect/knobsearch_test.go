package bisect

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/session/sessiontest"
)

// aKnobSearch is a search of variablemake with an open log, whose progress is heard.
func aKnobSearch(t *testing.T) (*knobSearch, *sessiontest.Teller) {
	t.Helper()
	h := &sessiontest.Teller{}
	s := &assay.Study{Name: "m", Variants: []assay.Variant{{Name: "."}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	job := &KnobJob{Knob: Knob{Key: "variablemake"}, Study: s, Store: t.TempDir(), Command: "assay bisect --knob=variablemake .",
		Asked: Question{Hash: "0123456789abcdef"}}
	k := &knobSearch{ses: &session.Session{Config: session.Config{Study: s, Progress: session.NewProgress(h)}}, job: job}
	if err := k.open(false); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.log.Close() })
	return k, h
}

// The ends and what lies between are the same build but for the pattern, each under the
// name that the rule of the search knows it by.
func TestKnobVariants(t *testing.T) {
	k, _ := aKnobSearch(t)
	k.ses.Config.Study.Measure.GOARCH = "386"
	vs, err := k.variants(PatternOff, "v+x7", PatternOn)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ name, flag string }{
		{"off", "all=-d=variablemakehash=vn"}, {"some", "all=-d=variablemakehash=v+x7"}, {"on", "all=-d=variablemakehash=vy"},
	} {
		if v := vs[i]; v.Name != want.name || v.GCFlags[0] != want.flag || v.Build["GOARCH"] != "386" {
			t.Errorf("got %+v, want %s with %s for 386", v, want.name, want.flag)
		}
	}
	k.ses.Config.Study.Variants[0].Build = map[string]string{"GOARCH": "arm"}
	if vs, err := k.variants(PatternOn); err != nil || vs[0].Build["GOARCH"] != "arm" {
		t.Errorf("got %+v, %v, want the variant's own arm", vs, err)
	}
	k.ses.Config.Study.Variants[0].GCFlags = []string{"./a=-l"}
	_, err = k.variants(PatternOn)
	errortest.Want(t, err, assay.CodeBisectKnob, assay.ExitUsage)
}

// A place that two packages were compiled with counts once, at its first appearance.
func TestUniqueMatches(t *testing.T) {
	got := unique([]Match{{ID: 7, Text: "a"}, {ID: 8}, {ID: 7, Text: "b"}, {ID: 9}, {ID: 8}})
	if want := []Match{{ID: 7, Text: "a"}, {ID: 8}, {ID: 9}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Builds without a place, or of the same code, need no measurement to be the same.
func TestKnobEndsAlike(t *testing.T) {
	k, _ := aKnobSearch(t)
	place := []Match{{ID: 7}}
	for _, c := range []struct {
		off, on builtKnob
		why     string
	}{
		{builtKnob{code: "a"}, builtKnob{code: "b"}, "there is no place for it in what is searched"},
		{builtKnob{code: "a", matches: place}, builtKnob{code: "a", matches: place}, "same code"},
	} {
		f, err := k.measureEnds(t.Context(), c.off, c.on)
		if err != nil || f.Place != PlaceSame || f.Why != c.why || f.Kind != KnobEnds {
			t.Errorf("got %+v, %v, want the same: %s", f, err, c.why)
		}
	}
}

// Progress tells of each finding what decided it; a change only where time did, and that
// an undecided build counts as off.
func TestKnobFindingText(t *testing.T) {
	tenth := &Estimate{Change: 0.1, Interval: &assay.Interval{Lo: 0.09, Hi: 0.11}}
	for _, c := range []struct {
		what string
		f    KnobFinding
		want string
	}{
		{"probe 1", KnobFinding{Kind: KnobProbe, Pattern: "v+0-x43e2", Matches: 22, Place: PlaceOn,
			By: assay.MetricAllocs, Change: tenth, Blocks: 8, Took: time.Second},
			"assay: probe 1: 22 places of +0-x43e2: on, by allocs/op, 8 blocks, 1s"},
		{"probe 2", KnobFinding{Kind: KnobProbe, Pattern: "v+1", Matches: 1, Place: PlaceUndecided,
			By: assay.MetricTime, Change: tenth, Whole: tenth, Blocks: 30, Took: time.Minute},
			"assay: probe 2: 1 place of +1: undecided, by sec/op, +10.0 % [+9.0, +11.0]; the ends differ by +10.0 %, counts as off, 30 blocks, 1m0s"},
		{"ends", KnobFinding{Kind: KnobEnds, Pattern: PatternOn, Place: PlaceUndecided, Change: tenth, Whole: tenth, Blocks: 5},
			"assay: ends: undecided, +10.0 % [+9.0, +11.0], 5 blocks, 0s"},
		{"probe 3", KnobFinding{Kind: KnobProbe, Pattern: "v" + strings.Repeat("+x0123456789", 4), Place: PlaceOff, Why: "same code as vn"},
			"assay: probe 3: 0 places of " + strings.Repeat("+x0123456789", 4)[:40] + "...: off, same code as vn, 0s"},
	} {
		k, h := aKnobSearch(t)
		if k.tell(c.what, c.f); len(h.Said) != 1 || h.Said[0] != c.want || h.Cleared != 1 {
			t.Errorf("got  %q\nwant %q", h.Said, c.want)
		}
	}
}

// A file is called as a reader finds it: in the module, in the standard library, or by the
// module and version in the module cache.
func TestDisplayFile(t *testing.T) {
	tree := build.Tree{Dir: filepath.FromSlash("/work/m"), GOROOT: filepath.FromSlash("/usr/go")}
	for file, want := range map[string]string{
		"./a/b.go":                             "a/b.go",
		"/work/m/a.go":                         "a.go",
		"/work/mm/a.go":                        "/work/mm/a.go",
		"/usr/go/src/strings/x.go":             "$GOROOT/src/strings/x.go",
		"/usr/go/x.go":                         "/usr/go/x.go",
		"/h/pkg/mod/example.com/l@v1.0.0/l.go": "example.com/l@v1.0.0/l.go",
		"../other/a.go":                        "/work/other/a.go",
	} {
		if got := displayFile(tree, filepath.FromSlash(file)); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}

// A line of the source is shown without its indentation; there is none past the end, or in
// a file that is not there.
func TestSourceLine(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"a.go": "package a\n\n\tx := make([]byte, n)\n"})
	for _, c := range []struct {
		file string
		line int
		want string
	}{{"a.go", 1, "package a"}, {"a.go", 2, ""}, {"a.go", 3, "x := make([]byte, n)"}, {"a.go", 4, ""}, {"a.go", 0, ""}, {"b.go", 1, ""}} {
		if got := sourceLine(filepath.Join(dir, c.file), c.line); got != c.want {
			t.Errorf("line %d of %s: got %q, want %q", c.line, c.file, got, c.want)
		}
	}
}

// cmd/bisect is followed line by line: each new finding of the log is told once, and a set
// is that of the pattern before it was confirmed.
func TestKnobWatch(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	k, h := aKnobSearch(t)
	for _, p := range []string{"vn", "vy", "v+0", "v+x7"} {
		if err := k.log.Append(KnobFinding{Kind: KnobProbe, Pattern: p, Place: PlaceOn, Matches: 1}); err != nil {
			t.Fatal(err)
		}
	}
	w := &knobWatch{k: k, known: 2}
	err = w.follow(exec.Command(sh, "-c", `for p in +0 v+x7; do
		echo "bisect: run: GOCOMPILEDEBUG=variablemakehash=$p a b... FAIL (1 matches)" >&2; done
		echo "bisect: FOUND failing change set" >&2; echo "bisect: run: GOCOMPILEDEBUG=variablemakehash=-x7 a b... ok (3 matches)" >&2
		echo "bisect: fatal error: out of room" >&2; echo ignored; exit 1`))
	if err == nil || w.fatal != "out of room" || !reflect.DeepEqual(w.sets, []string{"v+x7"}) {
		t.Errorf("got %v, fatal %q, sets %q, want an error, %q and v+x7", err, w.fatal, w.sets, "out of room")
	}
	if len(h.Said) != 2 || !strings.HasPrefix(h.Said[0], "assay: probe 1: 1 place of +0: on") || !strings.HasPrefix(h.Said[1], "assay: probe 2: 1 place of +x7: on") {
		t.Errorf("told %q, want the two findings that were new", h.Said)
	}
}

// The end of cmd/bisect is that of the target if it left an error, no error where no small
// set is enough, and else what cmd/bisect said.
func TestKnobFatal(t *testing.T) {
	k, _ := aKnobSearch(t)
	job := filepath.Join(t.TempDir(), "target.json")
	var out betweenEnds
	if err := k.fatal(job, "cannot find any failing change sets of size ≤ 8", &out); err != nil || out.why != "no 8 places make half of it" {
		t.Errorf("got %v, %q, want why nothing was found", err, out.why)
	}
	text := errortest.Want(t, k.fatal(job, "target failed", &out), assay.CodeBisectKnob, assay.ExitRefused)
	if !strings.Contains(text, "cmd/bisect gave up: target failed") || !strings.Contains(text, "assay bisect --knob=variablemake . --again") {
		t.Errorf("got %s, want the text and how to begin anew", text)
	}
	disktest.Write(t, filepath.Dir(job), map[string]string{"target.json.err": `{"code":"build-failed","text":"it does not build","exit":4}`})
	errortest.Want(t, k.fatal(job, "target failed", &out), assay.CodeBuildFailed, assay.ExitBuild)
}

// The program behind cmd/bisect answers only for a job of a bisection, and with a pattern;
// the search finds its error beside the job.
func TestAnswerKnobRefuses(t *testing.T) {
	const job = `{"knob":{"key":"variablemake"},"study":{"variants":[{"name":"."}],"workloads":[{"kind":"go-test"}]},"asked":{"question":"0123456789abcdef"}}`
	for _, c := range []struct{ name, job, pattern, want string }{
		{"no file", "", "variablemakehash=y", "read bisection's job"},
		{"no JSON", "{", "variablemakehash=y", "does not belong to assay bisect --knob"},
		{"no study", `{"asked":{"question":"0123456789abcdef"}}`, "variablemakehash=y", "does not belong to assay bisect --knob"},
		{"short question", strings.Replace(job, "0123456789abcdef", "01", 1), "variablemakehash=y", "does not belong to assay bisect --knob"},
		{"no pattern", job, "", "only golang.org/x/tools/cmd/bisect runs this"},
		{"another knob", job, "fmahash=y", "only golang.org/x/tools/cmd/bisect runs this"},
	} {
		t.Setenv("GOCOMPILEDEBUG", c.pattern)
		name := filepath.Join(t.TempDir(), "target.json")
		if c.job != "" {
			disktest.Write(t, filepath.Dir(name), map[string]string{"target.json": c.job})
		}
		places, on, err := AnswerPattern(t.Context(), session.Config{Lease: &session.Lease{}}, name)
		if text := errortest.Want(t, err, assay.CodeBisectKnob, assay.ExitRefused); !strings.Contains(text, c.want) || places != nil || on {
			t.Errorf("%s: got %v, %t, %s, want %s", c.name, places, on, text, c.want)
		}
		kept, err := os.ReadFile(name + ".err")
		if err != nil || !strings.Contains(string(kept), `"bisect-knob"`) {
			t.Errorf("%s: kept %s, %v, want the error", c.name, kept, err)
		}
	}
}

// A bisection of commits takes two ends, one of a knob a single variant.
func TestHowManyVariants(t *testing.T) {
	var line session.Line
	for _, n := range []int{0, 1, 3} {
		line.Variants = strings.Fields("HEAD~1 HEAD HEAD~2")[:n]
		_, err := ReadEnds(t.Context(), line)
		if text := errortest.Want(t, err, assay.CodeBisect, assay.ExitUsage); !strings.Contains(text, strconv.Itoa(n)+" are named") {
			t.Errorf("%d ends: got %s", n, text)
		}
	}
	for _, n := range []int{0, 2} {
		line.Variants = strings.Fields("HEAD~1 HEAD")[:n]
		_, err := ReadKnob(t.Context(), line, "fma", "")
		if text := errortest.Want(t, err, assay.CodeBisectKnob, assay.ExitUsage); !strings.Contains(text, strconv.Itoa(n)+" are named") ||
			!strings.Contains(text, "--knob=fma") {
			t.Errorf("%d variants: got %s", n, text)
		}
	}
}

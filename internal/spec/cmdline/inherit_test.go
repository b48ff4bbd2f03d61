package cmdline

import (
	"errors"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// callerOf is a caller with these settings in the environment.
func callerOf(env map[string]string) Caller {
	return Caller{Go: env, Env: func(name string) string { return env[name] }}
}

func TestInherit(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		line Line
		want func(s *assay.Study)
	}{
		{nil, Line{}, func(*assay.Study) {}},
		// As if typed before what was typed.
		{map[string]string{"GOFLAGS": "-tags=x -race -bench=. -v -benchtime=2s"}, Line{Dashed: []string{"-bench=Decode", "-tags=typed", "-short", "./x"}}, func(s *assay.Study) {
			w := &s.Workloads[0]
			w.BuildFlags, w.TestFlags, w.BenchTime = []string{"-tags=x", "-race", "-tags=typed"}, []string{"-v", "-short"}, 2*time.Second
			s.Inherited = []string{"GOFLAGS=-tags=x -race -bench=. -v -benchtime=2s"}
		}},
		{map[string]string{"GOFLAGS": `  '-ldflags=-s -w' --timeout=5m "-gcflags=-d='x'" `}, Line{}, func(s *assay.Study) {
			s.Workloads[0].BuildFlags, s.Measure.Timeout = []string{"-ldflags=-s -w", "-gcflags=-d='x'"}, 5*time.Minute
			s.Inherited = []string{`GOFLAGS='-ldflags=-s -w' -timeout=5m "-gcflags=-d='x'"`}
		}},
		// What changes nothing, and what is for other go commands.
		{map[string]string{"GOFLAGS": "-buildvcs=false -modcacherw -p=4 -vet=off -u -insecure"}, Line{}, func(*assay.Study) {}},
		// Variants override build variables one by one, experiments and GODEBUG by key.
		{map[string]string{"GOAMD64": "v3", "GOEXPERIMENT": "jsonv2,greenteagc", "GODEBUG": "a=1,b=2", "GOGC": "50"},
			Line{Variants: []string{".", "GOAMD64=v1 GOEXPERIMENT=nogreenteagc GODEBUG=b=3 GOGC=200"}}, func(s *assay.Study) {
				s.Variants[0].Build, s.Variants[0].Experiment = map[string]string{"GOAMD64": "v3"}, []string{"jsonv2", "greenteagc"}
				s.Variants[0].Env = map[string]string{"GODEBUG": "a=1,b=2", "GOGC": "50"}
				s.Variants[1].Experiment, s.Variants[1].Env = []string{"jsonv2", "nogreenteagc"}, map[string]string{"GODEBUG": "a=1,b=3", "GOGC": "200"}
				s.Inherited = []string{"GOEXPERIMENT=jsonv2,greenteagc", "GOAMD64=v3", "GODEBUG=a=1,b=2", "GOGC=50"}
			}},
		// The platform's; a GOMAXPROCS that the run time would pass over is none.
		{map[string]string{"GOARCH": "386", "GOMAXPROCS": "1"}, Line{}, func(s *assay.Study) {
			s.Measure.GOARCH, s.Measure.GOMAXPROCS, s.Inherited = "386", 1, []string{"GOARCH=386", "GOMAXPROCS=1"}
		}},
		{map[string]string{"GOMAXPROCS": "many", "PATH": "/bin", "GOPROXY": "off"}, Line{}, func(*assay.Study) {}},
		// Programs: go build passes over flags of go test; their variables are the workload's.
		{map[string]string{"GOFLAGS": "-count=3 -short -trimpath", "GOGC": "50"}, Line{Commands: []string{"{bin} x"}}, func(s *assay.Study) {
			s.Workloads[0].BuildFlags, s.Workloads[0].Env = []string{"-trimpath"}, map[string]string{"GOGC": "50"}
			s.Inherited = []string{"GOFLAGS=-trimpath", "GOGC=50"}
		}},
		// Nothing is built.
		{map[string]string{"GOFLAGS": "-trimpath", "GOAMD64": "v3", "GOARCH": "386", "GODEBUG": "a=1"}, Line{Variants: []string{}, A: "./old", B: "./new"}, func(s *assay.Study) {
			s.Workloads[0].Env, s.Inherited = map[string]string{"GODEBUG": "a=1"}, []string{"GODEBUG=a=1"}
		}},
	} {
		if test.line.Variants == nil {
			test.line.Variants = []string{"HEAD~1", "."}
		}
		got, err := Parse(here(), test.line)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := Parse(here(), test.line)
		test.want(want)
		if err := Inherit(got, callerOf(test.env)); err != nil {
			t.Errorf("%v: %v", test.env, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%v:\ngot  %+v\nwant %+v", test.env, got, want)
		}
		// A study that says it all already, as assay init writes it, stays as it is.
		before := *got
		before.Workloads, before.Variants = slices.Clone(got.Workloads), slices.Clone(got.Variants)
		got.Inherited = nil
		if err := Inherit(got, callerOf(test.env)); err != nil || !reflect.DeepEqual(got.Workloads, before.Workloads) || !reflect.DeepEqual(got.Variants, before.Variants) {
			t.Errorf("%v a second time, %v:\ngot  %+v\nwant %+v", test.env, err, got, before)
		}
	}
}

func TestInheritRefuses(t *testing.T) {
	for _, test := range []struct {
		flags, file string // in the environment, or in the file of go env -w
		want        string
	}{
		{"-tags=x -count=1", "", "GOFLAGS has -count=1: go test -count repeats one variant in a row; assay interleaves instead   [owns-count]\n  assay measures until the question is decided; --blocks=N is another number of blocks\n" +
			"  GOFLAGS=-tags=x -count=1, which go test reads as well\n  try: export GOFLAGS=-tags=x"},
		{"", "-cover", "GOFLAGS has -cover: go test -cover adds counters to the code; they would be measured too   [owns-cover]\n" +
			"  GOFLAGS=-cover, which go test reads as well\n  try: go env -u GOFLAGS"},
		{"-cpu=1,2", "", "GOFLAGS has -cpu=1,2: go test -cpu=1,2 runs one number after the other; assay interleaves them as variants   [owns-cpu]\n" +
			"  GOFLAGS=-cpu=1,2, which go test reads as well\n  try: unset GOFLAGS"},
		{"-tagz=x", "", "GOFLAGS has -tagz=x, and go test has no flag -tagz   [test-flag]\n  GOFLAGS=-tagz=x"},
		{"-tags", "", "GOFLAGS has -tags without a value   [test-flag]\n  GOFLAGS=-tags"},
		{"./x", "", "GOFLAGS has \"./x\", which is no flag   [test-flag]\n  GOFLAGS=./x"},
		{"'-race", "", "GOFLAGS has a quote ' that is not closed   [test-flag]\n  GOFLAGS='-race"},
	} {
		s, err := Parse(here(), Line{Variants: []string{"HEAD~1", "."}})
		if err != nil {
			t.Fatal(err)
		}
		c := callerOf(map[string]string{"GOFLAGS": test.flags})
		if test.file != "" {
			c.Go = map[string]string{"GOFLAGS": test.file}
		}
		e, ok := errors.AsType[*assay.Error](Inherit(s, c))
		if !ok || e.Exit != assay.ExitUsage || e.Error() != test.want {
			t.Errorf("%q%q: got %v\nwant %s", test.flags, test.file, e, test.want)
		}
	}
}

// The go command takes every flag that Inherit passes over, and those that it
// refuses as unknown are refused by the go command, too.
func TestOtherGoFlags(t *testing.T) {
	cmd, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	for _, name := range append(slices.Clone(otherGoFlags), "tagz") {
		run := exec.Command(cmd, "version")
		run.Env = append(os.Environ(), "GOENV=off", "GOFLAGS=-"+name)
		out, _ := run.CombinedOutput()
		if got, want := strings.Contains(string(out), "unknown flag"), name == "tagz"; got != want {
			t.Errorf("-%s: unknown to the go command: %v, want %v", name, got, want)
		}
	}
}

func TestSplitGoFlags(t *testing.T) {
	for _, words := range [][]string{nil, {"-a"}, {"-x=a b", "-y='c'", `-z="d"`}, {"", "-a"}} {
		got, err := splitGoFlags(joinGoFlags(words))
		if want := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v", words, got, err)
		}
	}
}

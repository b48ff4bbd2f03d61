package local_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/local"
)

// checkKnobs has the toolchain in use and this machine check a study; nothing is built.
func checkKnobs(t *testing.T, s *assay.Study) ([]assay.Warning, error) {
	t.Helper()
	b := build.New(t.TempDir())
	m, err := local.NewMachine(b.Cache)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s.Dir = t.TempDir()
	warnings, err := local.NewWorkshop(b, m).CheckKnobs(t.Context(), s)
	if err == nil {
		err = m.Check(t.Context(), s)
	}
	return warnings, err
}

// otherLevel is a level variable of another architecture than this machine's.
func otherLevel() string {
	if runtime.GOARCH == "ppc64le" {
		return "GOMIPS"
	}
	return "GOPPC64"
}

func TestCheckKnobsRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		v    assay.Variant
		code string
		text []string
	}{
		{"experiment", assay.Variant{Experiment: []string{"nogreentea"}}, "unknown-experiment", []string{`variant "b"`, "greenteagc"}},
		{"debug key", assay.Variant{GCFlags: []string{"all=-d=variablemakehsh=n"}}, "unknown-debug-flag", []string{"variablemakehash"}},
		{"level", assay.Variant{Build: map[string]string{"GOAMD64": "v9"}}, "unknown-level", []string{"accepted: v1, v2, v3, v4"}},
		{"level of another architecture", assay.Variant{Build: map[string]string{"GOARCH": "ppc64le", "GOPPC64": "power7"}}, "unknown-level", []string{"power8"}},
		{"GODEBUG", assay.Variant{Env: map[string]string{"GODEBUG": "gctrace=1,madvdontned=1"}}, "unknown-godebug", []string{"close: madvdontneed", "GODEBUG=gctrace=1,madvdontneed=1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.v.Name = "b"
			_, err := checkKnobs(t, &assay.Study{Base: "a", Variants: []assay.Variant{{Name: "a"}, test.v}})
			e, ok := errors.AsType[*assay.Error](err)
			if !ok || string(e.Code) != test.code || e.Exit != assay.ExitBuild {
				t.Fatalf("got %v, want [%s]", err, test.code)
			}
			for _, text := range test.text {
				if !strings.Contains(e.Error(), text) {
					t.Errorf("%q is missing in:\n%s", text, e)
				}
			}
		})
	}
}

// Flags and variables of a workload are those of all variants.
func TestCheckKnobsOfWorkloads(t *testing.T) {
	for code, w := range map[string]assay.Workload{
		"unknown-debug-flag": {BuildFlags: []string{"-race", "-gcflags=all=-d=nosuchkey"}},
		"unknown-godebug":    {Env: map[string]string{"GODEBUG": "nosuchsetting=1"}},
	} {
		_, err := checkKnobs(t, &assay.Study{Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}, Workloads: []assay.Workload{w}})
		if e, ok := errors.AsType[*assay.Error](err); !ok || string(e.Code) != code {
			t.Errorf("got %v, want [%s]", err, code)
		}
	}
}

// What assay did not build may read a GODEBUG of its own, or be no Go program.
func TestCheckKnobsOfCommandsNotBuilt(t *testing.T) {
	v := assay.Variant{Name: "b", Run: []string{"true"}, Env: map[string]string{"GODEBUG": "nosuchsetting=1"}}
	if w, err := checkKnobs(t, &assay.Study{Variants: []assay.Variant{v}}); err != nil || w != nil {
		t.Errorf("got %v, %v", w, err)
	}
}

func TestCheckKnobsTellsOfPlacebos(t *testing.T) {
	level := func(value string) map[string]string { return map[string]string{"GOARCH": "amd64", "GOAMD64": value} }
	matrix := map[string]string{"level": "x"}
	for _, test := range []struct {
		name     string
		variants []assay.Variant
		want     []string // beginnings
	}{
		{"defaults", []assay.Variant{
			{Name: "a", Experiment: []string{"greenteagc"}},
			{Name: "b", Env: map[string]string{"GODEBUG": "cgocheck=1,gctrace=1"}},
			{Name: "c", Build: level("v1")},
		}, []string{`variant "a": greenteagc is already the default of go`, `variant "b": GODEBUG=cgocheck=1 is already`, `variant "c": GOAMD64=v1 is already`}},
		{"other architecture", []assay.Variant{{Name: "a", Build: map[string]string{"GOARCH": "amd64", otherLevel(): "power9"}}},
			[]string{`variant "a": ` + otherLevel() + `=power9 means nothing to GOARCH=amd64`}},
		{"one warning for a matrix", []assay.Variant{
			{Name: "a", Experiment: []string{"noarenas"}, Levels: matrix}, {Name: "b", Levels: matrix},
			{Name: "c", Experiment: []string{"noarenas"}, Levels: matrix},
		}, []string{"2 variants: noarenas is already the default"}},
		{"a factor that names its default", []assay.Variant{
			{Name: "a", Build: level("v1"), Levels: matrix}, {Name: "b", Build: level("v2"), Levels: matrix},
			{Name: "c", Env: map[string]string{"GODEBUG": "cgocheck=1"}, Levels: matrix}, {Name: "d", Env: map[string]string{"GODEBUG": "cgocheck=0"}, Levels: matrix},
			{Name: "e", Experiment: []string{"greenteagc"}, Levels: matrix}, {Name: "f", Experiment: []string{"nogreenteagc"}, Levels: matrix},
		}, nil},
		{"two that name both settings", []assay.Variant{{Name: "a", Experiment: []string{"greenteagc"}}, {Name: "b", Experiment: []string{"nogreenteagc"}}}, nil},
		{"three", []assay.Variant{{Name: "a", Experiment: []string{"greenteagc"}}, {Name: "b", Experiment: []string{"nogreenteagc"}}, {Name: "c"}},
			[]string{`variant "a": greenteagc is already the default of go`}},
		{"changes", []assay.Variant{{Name: "a"}, {Name: "b", Experiment: []string{"nogreenteagc"}, Env: map[string]string{"GOGC": "100", "GODEBUG": "panicnil=0"}}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := checkKnobs(t, &assay.Study{Base: test.variants[0].Name, Variants: test.variants})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, test.want, func(w assay.Warning, begin string) bool {
				return w.Code == "placebo" && strings.HasPrefix(w.Text, begin)
			}) {
				t.Errorf("got %v, want %q", got, test.want)
			}
		})
	}
}

// TestCheckKnobsRuns looks at platforms: nothing is built for one that cannot
// run here, unless another program starts what is built.
func TestCheckKnobsRuns(t *testing.T) {
	emulator := assay.Workload{Kind: assay.KindCommand, Run: []string{"qemu", "{bin}"}}
	itself := assay.Workload{Kind: assay.KindCommand, Run: []string{"{bin}", "x"}}
	service := func(start, setup string) assay.Workload {
		return assay.Workload{Kind: assay.KindService, Names: []string{"s"}, Service: &assay.Service{
			Start: []string{start, "{bin}"}, Setup: [][]string{{setup}}, HTTP: &assay.HTTPLoad{URL: "http://127.0.0.1:{port}/"}}}
	}
	js := assay.Variant{Name: "b", Build: map[string]string{"GOOS": "js", "GOARCH": "wasm"}}
	for _, test := range []struct {
		name    string
		study   assay.Study
		refused bool
	}{
		{"this machine", assay.Study{Variants: []assay.Variant{{Name: "a"}}}, false},
		{"benchmarks of another system", assay.Study{Variants: []assay.Variant{js}}, true},
		{"its program", assay.Study{Variants: []assay.Variant{js}, Workloads: []assay.Workload{itself}}, true},
		{"its program in an emulator", assay.Study{Variants: []assay.Variant{js}, Workloads: []assay.Workload{emulator}}, false},
		{"its server", assay.Study{Variants: []assay.Variant{js}, Workloads: []assay.Workload{service("{bin}", "go")}}, true},
		{"its server's tool", assay.Study{Variants: []assay.Variant{js}, Workloads: []assay.Workload{service("go", "{bin}")}}, true},
		{"its server in an emulator", assay.Study{Variants: []assay.Variant{js}, Workloads: []assay.Workload{service("go", "go")}}, false},
		{"all for another processor", assay.Study{Variants: []assay.Variant{{Name: "b"}}, Measure: assay.Measure{GOARCH: "sparc64"}}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := checkKnobs(t, &test.study)
			e, _ := errors.AsType[*assay.Error](err)
			if refused := e != nil && e.Code == "cannot-run" && e.Exit == assay.ExitRefused; refused != test.refused || (err != nil) != test.refused {
				t.Errorf("got %v, want it refused: %v", err, test.refused)
			}
		})
	}
}

package knobs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// like1260 is what go1.26.0 has, as far as the tests need it (cases/README.md,
// section 1).
var like1260 = []Knob{
	experiment("regabiwrappers", on), experiment("regabiargs", on), experiment("dwarf5", on), experiment("jsonv2", off),
	experiment("greenteagc", on), experiment("randomizedheapbase64", on), experiment("sizespecializedmalloc", off),
}

func experiment(name, def string) Knob { return Knob{Kind: KindExperiment, Name: name, Default: def} }

// goroot returns the GOROOT of the go command in use.
func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// TestExperimentsOfThisToolchain compares with the other way to ask: the tags
// that the toolchain's own packages are built with.
func TestExperimentsOfThisToolchain(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "nogreenteagc") // must not answer for the toolchain
	t.Setenv("GOFLAGS", "-tags=goexperiment.arenas")
	root := goroot(t)
	got, err := Experiments(t.Context(), root, runtime.GOOS, runtime.GOARCH)
	if err != nil {
		t.Fatal(err)
	}
	// Every experiment has a pair of files in internal/goexperiment.
	files, err := filepath.Glob(filepath.Join(root, "src", "internal", "goexperiment", "exp_*_on.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no experiment files below %s: %v", root, err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "exp_"), "_on.go")
		if !has(got, name) {
			t.Errorf("experiment %q of %s is missing", name, f)
		}
	}
	if greenteagc, arenas := state(got, "greenteagc"), state(got, "arenas"); greenteagc != on || arenas != off {
		t.Errorf("greenteagc is %s and arenas %s by default, want on and off", greenteagc, arenas)
	}
	if k, _ := find(got, "greenteagc"); k.Doc != "enables the Green Tea GC implementation" {
		t.Errorf("greenteagc is said to be %q", k.Doc)
	}
}

// TestExperimentsAcrossToolchains holds against facts F1 and F2 of
// cases/README.md where those toolchains are at hand.
func TestExperimentsAcrossToolchains(t *testing.T) {
	for _, test := range []struct {
		toolchain string
		want      map[string]string // "on", "off" or "unknown"
	}{
		{"go1.24.9", map[string]string{"greenteagc": "unknown", "sizespecializedmalloc": "unknown", "jsonv2": "unknown", "swissmap": "on"}},
		{"go1.25.7", map[string]string{"greenteagc": "off", "sizespecializedmalloc": "unknown", "jsonv2": "off"}},
		{"go1.26.0", map[string]string{"greenteagc": "on", "sizespecializedmalloc": "off", "jsonv2": "off"}},
		{"go1.27.2", map[string]string{"greenteagc": "on", "sizespecializedmalloc": "on", "jsonv2": "on"}},
	} {
		t.Run(test.toolchain, func(t *testing.T) {
			known, err := Experiments(t.Context(), fetched(t, test.toolchain), runtime.GOOS, runtime.GOARCH)
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range test.want {
				if got := state(known, name); got != want {
					t.Errorf("%s is %s, want %s", name, got, want)
				}
			}
		})
	}
}

func state(known []Knob, name string) string {
	if k, ok := find(known, name); ok {
		return k.Default
	}
	return "unknown"
}

// fetched returns the GOROOT of a toolchain in the module cache; the test is
// skipped where it is not there, because tests download nothing.
func fetched(t *testing.T, toolchain string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "golang.org",
		"toolchain@v0.0.1-"+toolchain+"."+runtime.GOOS+"-"+runtime.GOARCH)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not in the module cache", toolchain)
	}
	return dir
}

func TestExperimentsWithoutToolchain(t *testing.T) {
	if _, err := Experiments(t.Context(), t.TempDir(), "linux", "amd64"); err == nil {
		t.Error("an empty folder passed for a toolchain")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Experiments(ctx, goroot(t), "linux", "amd64"); err == nil {
		t.Error("a cancelled context was not noticed")
	}
}

// TestExperimentsForOtherPlatform: 386 passes arguments on the stack.
func TestExperimentsForOtherPlatform(t *testing.T) {
	for goarch, want := range map[string]string{"386": "off", "arm64": "on"} {
		known, err := Experiments(t.Context(), goroot(t), "linux", goarch)
		if err != nil {
			t.Fatal(err)
		}
		if got := state(known, "regabiargs"); got != want {
			t.Errorf("regabiargs on %s is %s, want %s", goarch, got, want)
		}
	}
}

func TestExperimentNames(t *testing.T) {
	root := t.TempDir()
	write(t, root, "src/internal/goexperiment/flags.go", `package goexperiment

type Other struct{ No bool }

type Flags struct {
	// Floats about.

	// JSONv2 enables the json/v2 package. And more.
	JSONv2 bool
	A, B bool // two
	// Heap enables
	// a heap
	Heap64 bool
}
`)
	got, err := experimentNames(root)
	want := []Knob{{Kind: KindExperiment, Name: "jsonv2", Doc: "enables the json/v2 package"}, {Kind: KindExperiment, Name: "a"},
		{Kind: KindExperiment, Name: "b"}, {Kind: KindExperiment, Name: "heap64", Doc: "enables a heap"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	write(t, root, "src/internal/goexperiment/flags.go", "package goexperiment\n")
	if got, err := experimentNames(root); err == nil {
		t.Errorf("a file without Flags gave %+v", got)
	}
}

// write puts a file into a made-up GOROOT.
func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

func TestCheckExperiments(t *testing.T) {
	for _, test := range []struct {
		name, variant string
		asked         []string
		want          string
	}{
		{"known", "v", []string{"nogreenteagc", "sizespecializedmalloc", "regabi", "none"}, ""},
		{"message 5", "nogreentea", []string{"nogreentea"},
			`variant "nogreentea": go1.26.0 has no experiment "greentea"   [unknown-experiment]
  close: greenteagc (on by default; turn off with nogreenteagc)
  try: 'go1.26.0 GOEXPERIMENT=nogreenteagc'`},
		{"one of two, off by default", "b", []string{"jsonv2", "sizespec"},
			`variant "b": go1.26.0 has no experiment "sizespec"   [unknown-experiment]
  close: sizespecializedmalloc (off by default; turn on with sizespecializedmalloc)
  try: 'go1.26.0 GOEXPERIMENT=jsonv2,sizespecializedmalloc'`},
		{"nothing close", "c", []string{"fusedmultiplyadd"},
			`variant "c": go1.26.0 has no experiment "fusedmultiplyadd"   [unknown-experiment]
  go1.26.0 knows: regabiwrappers, regabiargs, dwarf5, jsonv2, greenteagc,
    randomizedheapbase64, sizespecializedmalloc`},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkError(t, CheckExperiments(Asker{Variant: test.variant, Version: "go1.26.0"}, test.asked, like1260), test.want)
		})
	}
}

// checkError compares an *assay.Error with its text; "" wants no error.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("got error %v", err)
		}
		return
	}
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		t.Fatalf("got %v, want an *assay.Error", err)
	}
	if e.Error() != want {
		t.Errorf("got:\n%s\nwant:\n%s", e, want)
	}
	if e.Exit != assay.ExitBuild {
		t.Errorf("exit status %d, want %d", e.Exit, assay.ExitBuild)
	}
}

func TestExperimentPlacebos(t *testing.T) {
	got := ExperimentPlacebos([]string{"nosizespecializedmalloc", "nogreenteagc", "greenteagc", "jsonv2", "nosuch"}, like1260)
	if want := []string{"nosizespecializedmalloc", "greenteagc"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

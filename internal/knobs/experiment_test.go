package knobs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// like1260 is what go1.26.0 has, as far as the tests need it (cases/README.md,
// section 1).
var like1260 = []Experiment{
	{"regabiwrappers", true}, {"regabiargs", true}, {"dwarf5", true}, {"jsonv2", false}, {"greenteagc", true},
	{"randomizedheapbase64", true}, {"sizespecializedmalloc", false},
}

// goroot returns the GOROOT of the go command in use.
func goroot(t *testing.T) string {
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
	if !slices.Contains(got, Experiment{"greenteagc", true}) {
		t.Errorf("greenteagc is not on by default in %v", got)
	}
	if !slices.Contains(got, Experiment{"arenas", false}) {
		t.Errorf("arenas is not off by default in %v", got)
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

func state(known []Experiment, name string) string {
	switch {
	case slices.Contains(known, Experiment{name, true}):
		return "on"
	case slices.Contains(known, Experiment{name, false}):
		return "off"
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
	file := filepath.Join(t.TempDir(), "flags.go")
	source := "package goexperiment\n\ntype Other struct{ No bool }\n\ntype Flags struct {\n\tJSONv2 bool\n\tA, B bool // two\n}\n"
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := experimentNames(file)
	if want := []string{"jsonv2", "a", "b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if err := os.WriteFile(file, []byte("package goexperiment\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := experimentNames(file); err == nil {
		t.Errorf("a file without Flags gave %q", got)
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
			checkError(t, CheckExperiments(test.variant, "go1.26.0", test.asked, like1260), test.want)
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

func TestPlacebos(t *testing.T) {
	got := Placebos([]string{"nosizespecializedmalloc", "nogreenteagc", "greenteagc", "jsonv2", "nosuch"}, like1260)
	if want := []string{"nosizespecializedmalloc", "greenteagc"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

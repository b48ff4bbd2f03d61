package knobs

import (
	"errors"
	"fmt"
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

// Words of a command line are toolchains or parts of names of knobs.
func TestToolchainName(t *testing.T) {
	for word, want := range map[string]bool{"go1.26.8": true, "go1.27rc1": true, "gotip": true, "path:/a/goroot": true, "path:": true,
		"go": false, "gogc": false, "gotips": false, "greenteagc": false, "1.26": false, "GOAMD64": false, "mypath:/x": false} {
		if got := ToolchainName.MatchString(word); got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
}

// setOf returns a made-up set of a release.
func setOf(release string, list ...Knob) Set {
	return Set{Go: release, GOOS: "linux", GOARCH: "amd64", Knobs: list}
}

var (
	greentea = Knob{Kind: KindExperiment, Name: "greenteagc", Default: "on"}
	jsonv2   = Knob{Kind: KindExperiment, Name: "jsonv2", Default: "off"}
)

// checkWord compares the error about a word with its text, facts and what to try.
func checkWord(t *testing.T, word string, set Set, text string, facts []string, try string) {
	t.Helper()
	e, ok := errors.AsType[*assay.Error](set.CheckWord(t.Context(), word))
	if !ok || e.Code != assay.CodeUnknownKnob || e.Text != text || !reflect.DeepEqual(e.Facts, facts) || e.Try != try {
		t.Errorf("%s: got %+v\nwant %q, %q, try %q", word, e, text, facts, try)
	}
}

// A word that a knob has in its name is known, whatever its case. For another one
// the error has names that are close, or says that it is a toolchain.
func TestCheckWord(t *testing.T) {
	t.Setenv("GOMODCACHE", t.TempDir())
	set := setOf("devel", greentea, jsonv2)
	for _, word := range []string{"greenteagc", "TEA", "json"} {
		if err := set.CheckWord(t.Context(), word); err != nil {
			t.Errorf("%s: got %v, want that it is known", word, err)
		}
	}
	checkWord(t, "greentaegc", set, `no knob of devel is called "greentaegc"`, []string{"close: greenteagc"}, "assay knobs devel greenteagc")
	checkWord(t, "jsnov2", set, `no knob of devel is called "jsnov2"`, []string{"close: jsonv2"}, "assay knobs devel jsonv2")
	checkWord(t, "1.26", set, `no knob of devel is called "1.26"`, []string{"a toolchain is written go1.26"}, "")
	checkWord(t, "zzzzz", set, `no knob of devel is called "zzzzz"`, nil, "")
}

// A knob that another release on this machine has is named with that release.
func TestCheckWordOfAnotherRelease(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("GOMODCACHE", cache)
	older := filepath.Join(cache, "golang.org", fmt.Sprintf("toolchain@v0.0.1-go1.97.3.%s-%s", runtime.GOOS, runtime.GOARCH))
	write(t, older, "bin/go", "#!/bin/sh\nexit 1\n")
	write(t, older, "src/internal/goexperiment/flags.go", "package goexperiment\n\ntype Flags struct {\n\tZebraGC bool\n}\n")
	own := t.TempDir()
	write(t, own, "src/internal/goexperiment/flags.go", "package goexperiment\n\ntype Flags struct {\n\tJSONv2 bool\n}\n")
	set := setOf("go1.98.0", jsonv2)
	set.goroot = own
	for _, word := range []string{"zebragc", "ZebraGC"} {
		checkWord(t, word, set, fmt.Sprintf("no knob of go1.98.0 is called %q", word), []string{"gone in go1.98: go1.97.3 still has it"}, "assay knobs go1.97.3 "+word)
	}
}

// A toolchain is asked for its knobs by its folder; its defaults are those of the platform.
func TestReadSets(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := strings.TrimSpace(string(out))
	s, err := Read(t.Context(), "path:"+root, "linux", "386", func() { t.Error("it is fetched, though it is here") })
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(s.Knobs, func(k Knob) bool { return k.Name == "regabiargs" })
	if i < 0 || s.Knobs[i].Default != "off" || s.GOARCH != "386" || s.Go == "" || !sameFolder(s.goroot, root) {
		t.Errorf("got %s for %s/%s at %s, regabiargs at %d, want it off: 386 passes arguments on the stack", s.Go, s.GOOS, s.GOARCH, s.goroot, i)
	}
	for _, kind := range Kinds {
		if len(s.Of(kind)) == 0 {
			t.Errorf("there are no knobs of the kind %s", kind)
		}
	}
}

// Of a toolchain that is not here its user hears before it is asked for; one that cannot be
// had is an error.
func TestReadMissing(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	name := "path:" + t.TempDir()
	fetched := false
	_, err := Read(t.Context(), name, "linux", "amd64", func() { fetched = true })
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoToolchain || !fetched {
		t.Errorf("got %v, fetched %t, want that %s is no toolchain", err, fetched, name)
	}
}

// sameFolder reports whether two paths lead to one folder: a link leads to a toolchain in the
// module cache.
func sameFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

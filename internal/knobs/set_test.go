package knobs

import (
	"errors"
	"os/exec"
	"reflect"
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
	e, ok := errors.AsType[*assay.Error](set.CheckWord(word))
	if !ok || e.Code != assay.CodeUnknownKnob || e.Text != text || !reflect.DeepEqual(e.Facts, facts) || e.Try != try {
		t.Errorf("%s: got %+v\nwant %q, %q, try %q", word, e, text, facts, try)
	}
}

// A word that a knob has in its name is known, whatever its case. For another one
// the error has names that are close, or says that it is a toolchain.
func TestCheckWord(t *testing.T) {
	set := setOf("devel", greentea, jsonv2)
	for _, word := range []string{"greenteagc", "TEA", "json"} {
		if err := set.CheckWord(word); err != nil {
			t.Errorf("%s: got %v, want that it is known", word, err)
		}
	}
	checkWord(t, "greentaegc", set, `no knob of devel is called "greentaegc"`, []string{"close: greenteagc"}, "assay knobs devel greenteagc")
	checkWord(t, "jsnov2", set, `no knob of devel is called "jsnov2"`, []string{"close: jsonv2"}, "assay knobs devel jsonv2")
	checkWord(t, "1.26", set, `no knob of devel is called "1.26"`, []string{"a toolchain is written go1.26"}, "")
	checkWord(t, "zzzzz", set, `no knob of devel is called "zzzzz"`, nil, "")
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
	if i < 0 || s.Knobs[i].Default != "off" || s.GOARCH != "386" || s.Go == "" {
		t.Errorf("got %s for %s/%s, regabiargs at %d, want it off: 386 passes arguments on the stack", s.Go, s.GOOS, s.GOARCH, i)
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

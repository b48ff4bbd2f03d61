package knobs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/toolchain"
)

func TestCheckGODEBUG(t *testing.T) {
	known := []Knob{
		{Kind: KindGODEBUG, Name: "gctrace", Default: "0"}, {Kind: KindGODEBUG, Name: "madvdontneed", Default: "1"},
		{Kind: KindGODEBUG, Name: "asynctimerchan", Removed: "go1.27"}, {Kind: KindGODEBUG, Name: "panicnil", Default: "0", Changed: "go1.21", Old: "1"},
		{Kind: KindGODEBUG, Name: "netdns"},
	}
	root := t.TempDir()
	write(t, root, "src/os/exec/exec.go", `package exec; var execwait = godebug.New("#execwait")`)
	write(t, root, "src/cmd/go/x.go", `package main; var x = godebug.New("#gofsystrace")`)
	for _, test := range []struct{ godebug, want string }{
		{"", ""},
		{"gctrace=1,madvdontneed=0", ""},
		{"gctrace=1,,netdns=go+1", ""},
		{"cpu.avx2=off", ""},
		{"execwait=1", ""}, // in the source, in no table
		{"gctrac=1,panicnil=0", `variant "b": go1.27.2 has no GODEBUG setting "gctrac", and its programs would ignore it   [unknown-godebug]
  close: gctrace
  try: GODEBUG=gctrace=1,panicnil=0`},
		{"gofsystrace=1", `variant "b": go1.27.2 has no GODEBUG setting "gofsystrace", and its programs would ignore it   [unknown-godebug]
  try: assay knobs go1.27.2`},
		{"asynctimerchan=1", `variant "b": go1.27.2 ignores GODEBUG=asynctimerchan   [unknown-godebug]
  gone in go1.27`},
		{"gctrace", `variant "b": GODEBUG has "gctrace" without a value, and programs ignore that   [unknown-godebug]
  try: GODEBUG=gctrace=1`},
		{"=1", `variant "b": go1.27.2 has no GODEBUG setting "", and its programs would ignore it   [unknown-godebug]
  try: assay knobs go1.27.2`},
	} {
		checkError(t, CheckGODEBUG(Asker{Variant: "b", Version: "go1.27.2"}, root, test.godebug, known), test.want)
	}
	got := GODEBUGPlacebos("gctrace=0,madvdontneed=1,panicnil=0,netdns=go,gctrace=1", known)
	if want := []Setting{{"gctrace", "0"}, {"madvdontneed", "1"}}; !slices.Equal(got, want) {
		t.Errorf("placebos %v, want %v", got, want)
	}
	if !SetsOther("a=1,madvdontneed=0", Setting{"madvdontneed", "1"}) || SetsOther("madvdontneed=1", Setting{"madvdontneed", "1"}) || SetsOther("", Setting{"a", "1"}) {
		t.Error("SetsOther")
	}
}

// The settings that the tables leave out, in real source.
func TestHiddenGODEBUG(t *testing.T) {
	root := goroot(t)
	if !hidden(root, "execwait") {
		t.Error("execwait of os/exec is not found")
	}
	if hidden(root, "gctrace") || hidden(root, "toolchaintrace") {
		t.Error("a listed setting, or one of the go command, is taken for hidden")
	}
}

// A history over toolchains that consist of one file.
func TestHistory(t *testing.T) {
	made := func(version string, experiments ...string) toolchain.Toolchain {
		root := t.TempDir()
		var fields strings.Builder
		for _, e := range experiments {
			fields.WriteString("\t" + e + " bool\n")
		}
		write(t, root, "src/internal/goexperiment/flags.go", "package goexperiment\n\ntype Flags struct {\n"+fields.String()+"}\n")
		return toolchain.Toolchain{Version: version, GOROOT: root}
	}
	h := History{[]toolchain.Toolchain{
		made("go1.22.1", "Base", "Ancient"), made("go1.24.9", "Base", "Old"), made("go1.25.7", "Base", "Old"), made("go1.26rc1", "Base", "Gone", "Mid", "Tried"), made("go1.26.0", "Base", "Gone", "Mid"),
		made("go1.26.8", "Base", "Gone", "Late"), made("go1.27.2", "Base", "New", "Late"), made("go1.28rc1", "Base", "Next"),
	}}
	for _, test := range []struct{ asking, name, want string }{
		{"go1.27.2", "gone", "gone in go1.27: go1.26.8 still has it go1.26.8"},
		{"go1.27.2", "old", "gone in go1.26: go1.25.7 still has it go1.25.7"},
		{"go1.27.2", "mid", "gone after go1.26.0: go1.26.0 still has it go1.26.0"},
		{"go1.27.2", "ancient", "gone after go1.22.1: go1.22.1 still has it go1.22.1"},
		{"go1.25.7", "new", "came with go1.27: go1.27.2 is the first here to have it go1.27.2"},
		{"go1.25.7", "gone", "came with go1.26: go1.26.0 is the first here to have it go1.26.0"},
		{"go1.25.7", "late", "came after go1.26.0: go1.26.8 is the first here to have it go1.26.8"},
		{"go1.22.1", "old", "came after go1.22.1: go1.24.9 is the first here to have it go1.24.9"},
		{"go1.27.2", "next", "came with go1.28: go1.28rc1 is the first here to have it go1.28rc1"},
		{"go1.27.2", "tried", "gone after go1.26rc1: go1.26rc1 still has it go1.26rc1"},
		{"go1.26rc1", "late", "came after go1.26.0: go1.26.8 is the first here to have it go1.26.8"},
		{"go1.27.2", "never", " "},
		{"go1.21.0", "base", " "}, // not one of those here
	} {
		fact, release := h.Tell(t.Context(), test.asking, KindExperiment, test.name)
		if got := fact + " " + release; got != test.want {
			t.Errorf("%s asks for %s: got %q, want %q", test.asking, test.name, got, test.want)
		}
	}
}

// Real releases, for all kinds whose names come and go.
func TestHistoryOfRealToolchains(t *testing.T) {
	var h History // whatever else this machine has
	for _, version := range []string{"go1.24.9", "go1.25.7", "go1.27.2"} {
		h.releases = append(h.releases, toolchain.Toolchain{Version: version, GOROOT: fetched(t, version)})
	}
	for _, test := range []struct {
		asking string
		kind   Kind
		name   string
		want   string
	}{
		{"go1.24.9", KindDebug, "variablemakehash", "go1.25"},
		{"go1.24.9", KindExperiment, "greenteagc", "go1.25"},
		{"go1.24.9", KindGODEBUG, "containermaxprocs", "go1.25"},
		{"go1.27.2", KindGODEBUG, "pagetrace", "go1.25"},
	} {
		fact, release := h.Tell(t.Context(), test.asking, test.kind, test.name)
		if len(release) < len(test.want) || release[:len(test.want)] != test.want {
			t.Errorf("%s asks for %s: got %q, %q, want a %s", test.asking, test.name, fact, release, test.want)
		}
	}
}

// A refusal tells of other releases instead of close names.
func TestRefusalTellsOfOtherReleases(t *testing.T) {
	a := Asker{Variant: "b", Version: "go1.27.2", Elsewhere: func(kind Kind, name string) (string, string) {
		return fmt.Sprintf("gone: %s %s", kind, name), "go1.26.8"
	}}
	checkError(t, CheckExperiments(a, []string{"nogreenteagc", "nogreenteagd"}, like1260), `variant "b": go1.27.2 has no experiment "greenteagd"   [unknown-experiment]
  gone: experiment greenteagd
  try: 'go1.26.8 GOEXPERIMENT=nogreenteagc,nogreenteagd'`)
	checkError(t, CheckGODEBUG(a, t.TempDir(), "x=1", nil), `variant "b": go1.27.2 has no GODEBUG setting "x", and its programs would ignore it   [unknown-godebug]
  gone: godebug x`)
	a.Variant = ""
	checkError(t, CheckDebugFlags(a, []string{"all=-d=foo"}, nil), `build flags: the compiler of go1.27.2 has no debug key "foo"   [unknown-debug-flag]
  gone: debug foo`)
}

func TestGCFlags(t *testing.T) {
	got := GCFlags([]string{"-race", "-gcflags=all=-d=foo", "--gcflags", "-N -l", "-tags=gcflags", "-gcflags"})
	if want := []string{"all=-d=foo", "-N -l"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !HasDebugKeys(got) || HasDebugKeys(got[1:]) {
		t.Error("HasDebugKeys")
	}
}

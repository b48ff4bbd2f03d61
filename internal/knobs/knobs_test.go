package knobs

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// releases are the toolchains that tests read where they are at hand.
var releases = []string{"go1.24.9", "go1.25.7", "go1.26.0", "go1.27.2"}

// read reads a toolchain for linux/amd64, so that tests see the same anywhere.
func read(t *testing.T, toolchain string) Set {
	t.Helper()
	s, err := readSet(t.Context(), fetched(t, toolchain), toolchain, "linux", "amd64")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConcurrentRead(t *testing.T) {
	for _, toolchain := range releases {
		t.Run(toolchain, func(t *testing.T) {
			s := read(t, toolchain)
			for kind, least := range map[Kind]int{KindExperiment: 15, KindDebug: 55, KindLevel: 9, KindGODEBUG: 60} {
				if n := len(s.Of(kind)); n < least {
					t.Errorf("%d knobs of kind %s, want %d at least", n, kind, least)
				}
			}
			for _, k := range s.Knobs {
				if k.Name == "" || strings.ContainsAny(k.Name+k.Doc, "\n\t") {
					t.Errorf("no single line: %q %q", k.Name, k.Doc)
				}
			}
			for _, want := range []Knob{
				{Kind: KindDebug, Name: "zerocopy", Default: "1", Doc: "enable zero-copy string->[]byte conversions"},
				{Kind: KindLevel, Name: "GOAMD64", Default: "v1", Doc: "the microarchitecture level for which to compile",
					Values: []string{"v1", "v2", "v3", "v4"}, GOARCH: []string{"amd64"}},
				{Kind: KindGODEBUG, Name: "netedns0", Package: "net", Changed: "go1.19", Old: "0"},
				{Kind: KindGODEBUG, Name: "sbrk", Package: "runtime", Default: "0",
					Doc: "sbrk=1 replaces the memory allocator and garbage collector with a trivial allocator that obtains memory from the operating system and never reclaims any memory"},
			} {
				if got, _ := find(s.Of(want.Kind), want.Name); !reflect.DeepEqual(got, want) {
					t.Errorf("got %+v\nwant %+v", got, want)
				}
			}
		})
	}
}

// What other programs read is what was found.
func TestSetAsJSON(t *testing.T) {
	s := read(t, "go1.27.2")
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var got Set
	s.goroot = "" // of this machine
	if err := json.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("the set that was read back differs: %v", err)
	}
}

// The environment of the user is not asked.
func TestReadIgnoresSettings(t *testing.T) {
	want := read(t, "go1.27.2")
	for k, v := range map[string]string{"GOEXPERIMENT": "nogreenteagc", "GOAMD64": "v3", "GOFLAGS": "-tags=x", "GODEBUG": "x=y",
		"GOARCH": "arm64", "GOOS": "plan9", "GOENV": filepath.Join(t.TempDir(), "env")} {
		t.Setenv(k, v)
	}
	if got := read(t, "go1.27.2"); !reflect.DeepEqual(got, want) {
		t.Error("the user's settings changed what a toolchain knows")
	}
}

func TestReadOtherPlatform(t *testing.T) {
	root := fetched(t, "go1.27.2")
	for _, test := range []struct{ goos, goarch, kind, name, want string }{
		{"freebsd", "amd64", "godebug", "madvdontneed", "0"}, // 1 on Linux only
		{"linux", "amd64", "godebug", "madvdontneed", "1"},
		{"linux", "386", "experiment", "regabiargs", "off"},
		{"linux", "arm", "level", "GOARM", "7"},
		{"linux", "riscv64", "level", "GORISCV64", "rva20u64"},
		{"js", "wasm", "level", "GOWASM", ""},
	} {
		s, err := readSet(t.Context(), root, "go1.27.2", test.goos, test.goarch)
		if err != nil {
			t.Fatal(err)
		}
		if k, ok := find(s.Of(Kind(test.kind)), test.name); !ok || k.Default != test.want {
			t.Errorf("%s on %s/%s is %q, want %q", test.name, test.goos, test.goarch, k.Default, test.want)
		}
	}
	for _, platform := range [][2]string{{"linux", "z80"}, {"", ""}, {"linux\", \"amd64", "x"}} {
		_, err := readSet(t.Context(), root, "go1.27.2", platform[0], platform[1])
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != "flags" || e.Exit != assay.ExitUsage {
			t.Errorf("platform %q: got %v", platform, err)
		}
	}
	if _, err := readSet(t.Context(), t.TempDir(), "go1.27.2", "linux", "amd64"); err == nil {
		t.Error("an empty folder passed for a toolchain")
	}
}

// TestDiff holds against what cases/README.md found by hand.
func TestDiff(t *testing.T) {
	var got []string
	for _, c := range Diff(read(t, "go1.25.7"), read(t, "go1.27.2")) {
		def := ""
		if c.What == Changed {
			def = c.Old.Default + " " + c.New.Default
		}
		got = append(got, strings.TrimSpace(strings.Join([]string{c.What, string(c.Kind), c.Name, def}, " ")))
	}
	for _, want := range []string{
		"appeared experiment sizespecializedmalloc", "appeared experiment mapsplitgroup", "changed experiment jsonv2 off on",
		"changed experiment greenteagc off on", "vanished experiment swissmap", "appeared debug freeappend", "appeared debug astdump",
		"vanished godebug asynctimerchan", "appeared godebug tracebacklabels",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, line := range got {
		if strings.Contains(line, "goroutineleakprofile") || strings.Contains(line, "x509sha1") {
			t.Errorf("%q: both lack it", line)
		}
	}
	between := Diff(read(t, "go1.26.0"), read(t, "go1.27.2"))
	if i := slices.IndexFunc(between, func(c Change) bool { return c.Name == "goroutineleakprofile" }); i < 0 || between[i].What != Vanished || between[i].New != nil {
		t.Error("goroutineleakprofile did not vanish from go1.26.0 to go1.27.2")
	}
}

func TestDiffOfValues(t *testing.T) {
	level := func(values ...string) Set {
		return Set{Knobs: []Knob{{Kind: KindLevel, Name: "GORISCV64", Values: values}}}
	}
	got := Diff(level("rva20u64", "rva22u64"), level("rva20u64", "rva22u64", "rva23u64"))
	if len(got) != 1 || got[0].What != Changed || len(got[0].New.Values) != 3 {
		t.Errorf("got %+v", got)
	}
	if got := Diff(level("rva20u64"), level("rva20u64")); got != nil {
		t.Errorf("equal sets differ: %+v", got)
	}
}

// BenchmarkRead is what "assay knobs TOOLCHAIN" costs beside finding the
// toolchain; issue 3 wants both below a second.
func BenchmarkRead(b *testing.B) {
	root := goroot(b)
	for b.Loop() {
		if _, err := readSet(b.Context(), root, "go", runtime.GOOS, runtime.GOARCH); err != nil {
			b.Fatal(err)
		}
	}
}

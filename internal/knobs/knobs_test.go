package knobs

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
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

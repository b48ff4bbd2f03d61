package knobs

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/toolchain"
)

// compilerAccepts asks the compiler, which checks its level before anything else.
func compilerAccepts(t *testing.T, root string, k Knob, value string) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), toolchain.Toolchain{GOROOT: root}.Go(), "tool", "compile", "-V")
	cmd.Env = toolchain.Env(map[string]string{"GOROOT": root, "GOARCH": k.GOARCH[0], k.Name: value})
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "invalid") && !strings.Contains(string(out), "unsupported") {
		t.Fatalf("%s=%s: %v\n%s", k.Name, value, err, out)
	}
	return err == nil
}

// TestLevelsAgreeWithTheCompiler asks the oldest and the newest release here for every
// value that it is said to accept, and for wrong ones.
func TestLevelsAgreeWithTheCompiler(t *testing.T) {
	for _, toolchain := range []string{"go1.24.9", "go1.27.2"} {
		t.Run(toolchain, func(t *testing.T) {
			root := fetched(t, toolchain)
			known, err := Levels(t.Context(), root, "linux", "amd64")
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range known {
				checkValues(t, root, k)
			}
		})
	}
}

func checkValues(t *testing.T, root string, k Knob) {
	t.Helper()
	values := slices.Clone(k.Values)
	last := k.Values[len(k.Values)-1]
	for _, o := range k.Options {
		values = append(values, last+o)
	}
	values = append(values, "")
	// The releases since go1.23 forget the error about the first two, because the
	// check of GOARM64 comes after it and clears it: GOAMD64=v9 builds, as v1.
	if k.Name != "GOAMD64" && k.Name != "GOARM" {
		values = append(values, last+"0", "x"+last, last+",nosuch", "v9")
	}
	for _, v := range values {
		if got, want := k.accepts(v), compilerAccepts(t, root, k, v); got != want {
			t.Errorf("%s=%q: we accept %t, the compiler %t", k.Name, v, got, want)
		}
	}
}

func TestCheckLevel(t *testing.T) {
	known := []Knob{
		{Kind: KindLevel, Name: "GOAMD64", Default: "v1", Values: []string{"v1", "v2", "v3", "v4"}, GOARCH: []string{"amd64"}},
		{Kind: KindLevel, Name: "GOARM64", Default: "v8.0", Values: expand("v8.{0-9}"), Options: []string{",lse", ",crypto"}, GOARCH: []string{"arm64"}},
		{Kind: KindLevel, Name: "GOWASM", Values: []string{"satconv", "signext"}, Options: []string{",satconv", ",signext"}, GOARCH: []string{"wasm"}},
	}
	for _, test := range []struct{ name, value, want string }{
		{"GOAMD64", "v3", ""},
		{"GOAMD64", "", ""},
		{"CGO_ENABLED", "0", ""},
		{"GOARM64", "v8.2,lse,crypto", ""},
		{"GOWASM", "signext,satconv", ""},
		{"GOAMD64", "v9", `variant "b": go1.26.8 has no GOAMD64=v9   [unknown-level]
  accepted: v1, v2, v3, v4
  the default is v1`},
		{"GOARM64", "v8.2,lsx", `variant "b": go1.26.8 has no GOARM64=v8.2,lsx   [unknown-level]
  accepted: v8.0-v8.9, with ,lse ,crypto
  the default is v8.0`},
		{"GOWASM", "simd", `variant "b": go1.26.8 has no GOWASM=simd   [unknown-level]
  accepted: satconv, signext`},
	} {
		checkError(t, CheckLevel(Asker{Variant: "b", Version: "go1.26.8"}, test.name, test.value, known), test.want)
	}
	for _, test := range []struct{ name, value, goarch, want string }{
		{"GOAMD64", "v1", "amd64", "GOAMD64=v1 is already the default of go1.26.8"},
		{"GOAMD64", "v3", "amd64", ""},
		{"GOAMD64", "v3", "386", "GOAMD64=v3 means nothing to GOARCH=386"},
		{"CGO_ENABLED", "0", "amd64", ""},
	} {
		if got := LevelPlacebo("go1.26.8", test.name, test.value, test.goarch, known); got != test.want {
			t.Errorf("%s=%s on %s: got %q, want %q", test.name, test.value, test.goarch, got, test.want)
		}
	}
}

func TestExpand(t *testing.T) {
	for s, want := range map[string]string{
		"amd64": "amd64", "mips{,le}": "mips mipsle", "v8.{1-3}": "v8.1 v8.2 v8.3", "{1-{2}": "{1-2", "{9-1}": "", "{ab-c}": "ab-c",
	} {
		if got := strings.Join(expand(s), " "); got != want {
			t.Errorf("expand(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	for values, want := range map[string]string{
		"":                         "",
		"v1 v2 v3 v4":              "v1 v2 v3 v4",
		"5 6 7":                    "5 6 7",
		"v1 v2 v3 v4 v5 v9 a":      "v1-v5 v9 a",
		"8.0 8.1 8.2 8.3 8.4 9.0 ": "8.0-8.4 9.0",
	} {
		if got := strings.Join(Ranges(strings.Fields(values)), " "); got != want {
			t.Errorf("Ranges(%s) = %q, want %q", values, got, want)
		}
	}
}

// A CPU of our making: nothing can be said about the one that tests run on.
func TestMissing(t *testing.T) {
	known := []feature{
		{"v2", "POPCNT", true}, {"v3", "AVX2", false}, {"v3", "FMA", true}, {"v4", "AVX512F", false},
		{",lse", "LSE", false}, {",crypto", "AES", true},
	}
	for value, want := range map[string]string{
		"v1": "", "v2": "", "v3": "AVX2", "v4": "AVX2 AVX512F", "": "",
		"v2,lse": "LSE", "v2,crypto": "", "v3,crypto,lse": "AVX2 LSE",
	} {
		if got := strings.Join(missing(value, known), " "); got != want {
			t.Errorf("%q lacks %q, want %q", value, got, want)
		}
	}
}

func TestCheckCPU(t *testing.T) {
	if err := CheckCPU(Asker{Variant: "b"}, "GOPPC64", "power10"); err != nil {
		t.Errorf("a variable of another architecture is refused: %v", err)
	}
	if err := CheckCPU(Asker{Variant: "b"}, "GOAMD64", "v1"); err != nil {
		t.Errorf("the lowest level is refused: %v", err)
	}
	e := cpuError(Asker{Variant: "b"}, "GOAMD64", "v4", []string{"AVX512F", "AVX512BW"})
	want := `variant "b": this machine's CPU cannot run GOAMD64=v4   [cpu-level]
  it lacks: AVX512F, AVX512BW`
	if e.Error() != want || e.Exit != 5 {
		t.Errorf("got %s, exit status %d, want %s", e, e.Exit, want)
	}
}

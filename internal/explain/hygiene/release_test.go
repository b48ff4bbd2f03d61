package hygiene

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/slow"
)

func TestLoopChanged(t *testing.T) {
	const call, blank, old = "for b.Loop() { f() }", "for b.Loop() { _ = f() }", "for range b.N { f() }"
	for _, c := range []struct {
		name, loop string
		versions   []string
		want       bool
	}{
		{"before and after", call, []string{"go1.25.7", "go1.26.0"}, true},
		{"1.24 and 1.27", call, []string{"go1.24.9", "go1.27.2"}, true},
		{"both before", call, []string{"go1.24.9", "go1.25.7"}, false},
		{"both after", call, []string{"go1.26.0", "go1.27.2"}, false},
		{"a candidate of 1.26", call, []string{"go1.25.7", "go1.26rc1"}, true},
		{"blank, repaired between", blank, []string{"go1.26.0", "go1.26.8"}, true},
		{"blank, repaired in a point release", blank, []string{"go1.26.2", "go1.26.3"}, true},
		{"blank, repaired before", blank, []string{"go1.26.3", "go1.27.2"}, false},
		{"experiments behind the version", call, []string{"go1.25.7 X:nogreenteagc", "go1.26.8"}, true},
		{"no version", call, []string{"tip", "go1.26.8"}, false},
		{"b.N", old, []string{"go1.25.7", "go1.26.8"}, false},
	} {
		in := Input{Benchmark: assay.Benchmark{Name: "X"}, GCCycles: -1, Toolchains: map[string]string{"a": c.versions[0], "b": c.versions[1]},
			Sources: oneFile("", "func BenchmarkX(b *testing.B) {\n"+c.loop+" }")}
		list := Check(in)
		if got := len(list) == 1 && list[0].Code == "loop-changed" && len(list[0].Facts) == 4 && strings.HasPrefix(list[0].Facts[3], "see go.dev/"); got != c.want {
			t.Errorf("%s: got %v, want %v: %v", c.name, got, c.want, list)
		}
	}
}

// droppedSource has b.Loop loops with calls that some releases remove.
const droppedSource = `package p

import "testing"

var in = 3

func square(x int) int { return x*x + 1 }

func checked(x int) (int, error) { return x*x + 1, nil }

func BenchmarkCall(b *testing.B) {
	for b.Loop() {
		square(in)
	}
}

func BenchmarkVariable(b *testing.B) {
	for b.Loop() {
		y := square(in)
		_ = y
	}
}

func BenchmarkBlank(b *testing.B) {
	for b.Loop() {
		y := square(in)
		_ = square(y)
	}
}

func BenchmarkBlanks(b *testing.B) {
	y := 0
	for b.Loop() {
		_, _ = checked(in)
		y += square(in)
	}
}

func BenchmarkHeader(b *testing.B) {
	for b.Loop() {
		square(in)
		if _, err := checked(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUsedHeader(b *testing.B) {
	for b.Loop() {
		if y := square(in); y < 0 {
			b.Fatal(y)
		}
	}
}

func BenchmarkLength(b *testing.B) {
	s := []int{in}
	for b.Loop() {
		_ = len(s)
		square(in)
	}
}
`

// droppedIn are the places of loop-drops, by benchmark, of the source compiled by a
// toolchain.
func droppedIn(t *testing.T, toolchain string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p_test.go": droppedSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f := compileTest(t, dir, "amd64", "GOTOOLCHAIN="+toolchain)
	out := map[string]string{}
	for _, name := range []string{"Call", "Variable", "Blank", "Blanks", "Header", "UsedHeader", "Length"} {
		in := Input{Benchmark: assay.Benchmark{Package: "example.com/p", Name: name}, Sources: os.DirFS(dir), Binary: f, Root: "example.com/p.Benchmark" + name,
			GCCycles: -1, Base: "base", Toolchains: map[string]string{"base": toolchain}}
		for _, w := range Check(in) {
			_, after, _ := strings.Cut(w.Text, " at ")
			place, _, _ := strings.Cut(after, ": ")
			out[name] += string(w.Code) + " " + place
		}
	}
	return out
}

// wantDropped is what the rules say of that source, where the binaries bear them out.
func wantDropped(toolchain string) map[string]string {
	out := map[string]string{}
	if ruleOf(toolchain, loopBlank).drops {
		out["Blank"], out["Blanks"] = "loop-drops p_test.go:27", "loop-drops p_test.go:34"
	}
	if ruleOf(toolchain, loopHeader).drops {
		out["Header"] = "loop-drops p_test.go:42"
	}
	return out
}

// The toolchain in use: what is assigned to _ is kept since go1.26.3.
func TestLoopDrops(t *testing.T) {
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	toolchain, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if got, want := droppedIn(t, toolchain), wantDropped(toolchain); !maps.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", toolchain, got, want)
	}
}

// TestSlowLoopRules: each rule of the table is what the real compilers do, on both sides
// of the point release that repaired one.
func TestSlowLoopRules(t *testing.T) {
	slow.Test(t)
	for _, toolchain := range append(slow.Toolchains(t), "go1.26.2", "go1.26.3") {
		t.Run(toolchain, func(t *testing.T) {
			cmd := exec.Command("go", "version")
			cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("%s cannot be had: %s", toolchain, out)
			}
			if got, want := droppedIn(t, toolchain), wantDropped(toolchain); !maps.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestRuleOf(t *testing.T) {
	for _, test := range []struct {
		toolchain string
		part      int
		want      string
	}{
		{"go1.23.4", loopCalls, ""},
		{"go1.24.9", loopBlank, "go.dev/issue/73137"},
		{"go1.26rc1", loopBlank, "go.dev/issue/77654"},
		{"go1.26.0", loopCalls, "go.dev/doc/go1.26#testingpkgtesting"},
		{"go1.26.2 X:nogreenteagc", loopBlank, "go.dev/issue/77654"},
		{"go1.26.3-vendor", loopBlank, "go.dev/doc/go1.26#testingpkgtesting"},
		{"devel", loopBlank, ""},
	} {
		if got := ruleOf(test.toolchain, test.part).source; got != test.want {
			t.Errorf("%s, part %d: got %q, want %q", test.toolchain, test.part, got, test.want)
		}
	}
}

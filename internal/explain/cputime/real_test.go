package cputime

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
)

const plantedSource = `package planted

import "testing"

var sink uint64

//go:noinline
func hash(n int) (h uint64) {
	for i := range n {
		h = h*31 + uint64(i)
	}
	return h
}

func work() uint64 { return hash(rounds) }

func BenchmarkWork(b *testing.B) {
	for range b.N {
		sink += work()
	}
}
`

// A function that does more in the variant is the one that changed most. Its time
// is CPU time of a fixed number of operations, four times as many instructions:
// what else the machine does cannot turn that round.
func TestCompareRealProfiles(t *testing.T) {
	in := Input{N: 20_000, BaseValue: 7e-6, Confidence: 0.95, Root: "example.com/planted.BenchmarkWork",
		Comparison: assay.Comparison{Value: 28e-6, Change: 3, Interval: &assay.Interval{Lo: 2.9, Hi: 3.1}}}
	base, variant := buildPlanted(t, "base", 6000), buildPlanted(t, "variant", 24000)
	for range 2 {
		in.Base = append(in.Base, profilePlanted(t, base))
		in.Variant = append(in.Variant, profilePlanted(t, variant))
	}
	c := compareCPU(t, in)
	f := c.Functions[0]
	if f.Name != "example.com/planted.hash" || f.Variant <= f.Base || f.Interval == nil {
		t.Errorf("got %+v first, want more of example.com/planted.hash", f)
	}
	if got := c.Categories[0].Name; got != CategoryProgram {
		t.Errorf("got category %q first, want %q", got, CategoryProgram)
	}
	if l := c.Lines[0]; l.Name != f.Name || l.File != "planted_test.go" || l.Line < 9 || l.Line > 11 {
		t.Errorf("got line %+v, want one of the loop of hash", l)
	}
	if root := c.Flame.Children; !slices.ContainsFunc(root, func(f assay.Frame) bool { return f.Name == in.Root }) {
		t.Errorf("got roots %+v, want the benchmark among them", root)
	}
	if got := InlinedInto(in.Base)["example.com/planted.work"]; !slices.Equal(got, []string{in.Root}) {
		t.Errorf("got %v, want work inlined into the benchmark", got)
	}
	if got := HotFunctions(in)[0]; got.Name != f.Name || got.Weight <= 0.5 || got.Weight > 1 {
		t.Errorf("got %+v as the heaviest, want %s", got, f.Name)
	}
}

func buildPlanted(t *testing.T, name string, rounds int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	source := strings.ReplaceAll(plantedSource, "hash(rounds)", "hash("+strconv.Itoa(rounds)+")")
	for file, text := range map[string]string{"go.mod": "module example.com/planted\n\ngo 1.24\n", "planted_test.go": source} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "planted.exe")
	cmd := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", out, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, text)
	}
	return out
}

func profilePlanted(t *testing.T, binary string) *profile.Profile {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cpu.pprof")
	cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.bench=Work", "-test.benchtime=20000x", "-test.cpuprofile="+file)
	cmd.Dir = filepath.Dir(binary)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("run: %v\n%s", err, text)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

package local

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/survey"
)

// commitAll writes files (an empty one is removed) and commits.
func commitAll(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if text == "" {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out []byte
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "step"}, {"rev-parse", "HEAD"}} {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		var err error
		if out, err = cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return strings.TrimSpace(string(out))
}

const chainSuite = `package chain

import "testing"

func BenchmarkSum(b *testing.B) { for b.Loop() { Sum(99) } }
func BenchmarkTwice(b *testing.B) { for b.Loop() { Twice(99) } }
`

// What revisions of a real repository do: one that does not compile, one that asks
// for a Go of the future, one whose binary ends at once, one whose benchmark fails,
// one without benchmarks. Those that can be measured are.
func TestChainOnThisMachine(t *testing.T) {
	dir := t.TempDir()
	good := "package chain\n\nfunc Sum(n int) (s int) { for i := range n { s += i }; return s }\nfunc Twice(n int) int { return 2*Sum(n) }\n"
	s := &assay.Study{Name: "chain", Dir: dir, Steps: &assay.Steps{}, Workloads: []assay.Workload{{Kind: assay.KindGoTest, Bench: "."}}}
	for i, files := range []map[string]string{
		{"go.mod": "module example.com/chain\n\ngo 1.24\n", "chain.go": good, "chain_test.go": chainSuite},
		{"chain.go": strings.Replace(good, "s += i", "s += j", 1)},
		{"chain.go": good, "go.mod": "module example.com/chain\n\ngo 1.99\n"},
		{"go.mod": "module example.com/chain\n\ngo 1.24\n", "chain.go": good + "\nfunc init() { panic(\"at once\") }\n"},
		{"chain.go": strings.Replace(good, "return 2*", "panic(\"not yet\"); return ", 1)},
		{"chain.go": good, "chain_test.go": ""},
		{"chain.go": strings.Replace(good, "return 2*Sum(n)", "return n*(n-1)", 1), "chain_test.go": chainSuite},
	} {
		v := assay.Variant{Name: fmt.Sprintf("s%d", i), Rev: commitAll(t, dir, files)}
		if s.Variants = append(s.Variants, v); i > 0 {
			s.Steps.List = append(s.Steps.List, assay.Step{Variant: v.Name})
		}
	}
	s.SetDefaults()
	s.Measure.Layouts, s.Measure.Inner, s.Measure.Trial = 1, 1, time.Millisecond
	w, m := here(t)
	builds, err := lab.Build(t.Context(), w, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	p, err := survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: func(lab.Event) {}, Platform: assay.Platform{CPUs: 2}, Run: "test", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for variant, want := range map[string]string{"s1": "declared and not used", "s2": "1.99", "s3": "at once", "s5": "none of the base's benchmarks"} {
		i := slices.IndexFunc(p.Gaps, func(g assay.Gap) bool { return g.Variant == variant })
		if i < 0 || !strings.Contains(p.Gaps[i].Reason, want) {
			t.Errorf("%s: no gap for %q in %q", variant, want, p.Gaps)
		}
	}
	if len(p.Gaps) != 4 || len(p.Variants) != 4 {
		t.Errorf("%d gaps and %d variants, want 4 and 4 (two steps, base, control)", len(p.Gaps), len(p.Variants))
	}
	for _, b := range p.Benchmarks {
		if want := map[string][]string{"Twice": {"s4"}}[b.Name]; !slices.Equal(b.Missing, want) {
			t.Errorf("%s is missing in %v, want %v", b.Name, b.Missing, want)
		}
	}
	// Package testing does not wait for the panic of a benchmark: on a busy machine the
	// process may have ended before a word of it is printed, or half-way.
	if text := fmt.Sprint(p.Warnings); !strings.Contains(text, "Twice: failed in s4: ") && !strings.Contains(text, "Twice: not in s4") {
		t.Errorf("what a step lacks is not told:\n%s", text)
	}
}

package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed-1318a441/assay/internal/child"
)

// BenchmarkMillionLines compares a file of 1,000,000 results (25,000 benchmarks,
// 2 variants, 20 blocks) with assay and with benchstat, in turn, and reports
// both times, their ratio, and assay's peak memory.
func BenchmarkMillionLines(b *testing.B) {
	benchstat, err := exec.LookPath("benchstat")
	if err != nil {
		b.Skip("needs benchstat on PATH: make bench installs it")
	}
	name := filepath.Join(b.TempDir(), "million.txt")
	if err := writeMillion(name); err != nil {
		b.Fatal(err)
	}
	run := func(path string, args ...string) child.Exit {
		out, err := child.Run(b.Context(), child.Command{Path: path, Args: args, Env: os.Environ()})
		if err != nil || out.Code != 0 {
			b.Fatalf("%s: %v, exit status %d: %s", path, err, out.Code, out.Stderr)
		}
		return out
	}
	assay := buildAssay(b)
	var ours, theirs, peak float64
	for b.Loop() {
		x := run(assay, "compare", name)
		ours, peak = ours+x.Wall.Seconds(), max(peak, float64(x.PeakRSS))
		theirs += run(benchstat, "-col", "variant", name).Wall.Seconds()
	}
	b.ReportMetric(ours/float64(b.N), "assay-sec")
	b.ReportMetric(theirs/float64(b.N), "benchstat-sec")
	b.ReportMetric(theirs/ours, "benchstat/assay")
	b.ReportMetric(peak/(1<<20), "assay-MiB")
}

// buildAssay builds the program as users have it.
func buildAssay(b *testing.B) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "assay")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", name, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return name
}

func writeMillion(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	r := rand.New(rand.NewPCG(1, 2))
	fmt.Fprint(w, "goos: linux\npkg: million\n")
	for block := range 20 {
		fmt.Fprintf(w, "# block: %d\n", block+1)
		for _, v := range []string{"old", "new"} {
			fmt.Fprintf(w, "variant: %s\n", v)
			for i := range 25_000 {
				fmt.Fprintf(w, "BenchmarkX/n=%d 100 %.1f ns/op\n", i, 100*math.Exp(0.01*r.NormFloat64()))
			}
		}
	}
	return w.Flush()
}

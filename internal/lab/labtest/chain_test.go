package labtest_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

// A chain of nine steps, more than a block holds: one does not build, one lacks a
// benchmark, and the changes from the base are found.
func TestChainTruthIsFound(t *testing.T) {
	changes := make([][]float64, 9)
	truth := make([]float64, 9)
	for i := range changes {
		step := -0.03
		if i == 4 {
			step = 0.10
		}
		changes[i] = []float64{step}
		truth[i] = step
		if i > 0 {
			truth[i] += truth[i-1]
		}
	}
	s, m := labtest.Chain(3, changes...)
	s.Decide.MaxBlocks, s.Decide.Budget = 120, time.Hour
	m.Fails = map[string][]string{"s03": {"x.go:1: no"}}
	m.Benchmarks[2].Lacks = []string{"s02"}
	p, _, err := labtest.Plan(t.Context(), m, s)
	if err != nil {
		t.Fatal(err)
	}
	if p.Together != 6 || len(p.Gaps) != 1 || !slices.Equal(p.Benchmarks[2].Missing, []string{"s02"}) {
		t.Errorf("together %d, gaps %v, missing %v", p.Together, p.Gaps, p.Benchmarks[2].Missing)
	}
	store := t.TempDir()
	r, err := labtest.Run(t.Context(), m, s, store)
	if err != nil {
		t.Fatal(err)
	}
	result(t, store) // checks the record
	for _, row := range r.Tables[0].Rows {
		for _, c := range row.Cells {
			n := slices.IndexFunc(s.Steps.List, func(x assay.Step) bool { return x.Variant == c.Variant })
			if c.N == 0 || n < 0 {
				continue
			}
			if d := math.Abs(c.Change.Log() - truth[n]); d > 0.02 {
				t.Errorf("%s, %s: change %.3f in ln, want %.3f", row.Benchmark, c.Variant, c.Change.Log(), truth[n])
			}
		}
	}
}

// A longer chain has what the shorter one measured, and gives the new step the time.
func TestGoOn(t *testing.T) {
	s, m := labtest.Chain(2, []float64{-0.05}, []float64{-0.05})
	s.Decide.MinBlocks, s.Decide.MaxBlocks = 20, 40
	store := t.TempDir()
	if _, err := labtest.Run(t.Context(), m, s, store); err != nil {
		t.Fatal(err)
	}
	longer, m := labtest.Chain(2, []float64{-0.05}, []float64{-0.05}, []float64{-0.05})
	longer.Decide = s.Decide
	r, err := labtest.GoOn(t.Context(), m, longer, store, "more")
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(record.Folder(filepath.Join(store, "more")))
	if err != nil {
		t.Fatal(err)
	}
	if run.Plan.Earlier != labtest.RunID {
		t.Errorf("earlier %q, want %q", run.Plan.Earlier, labtest.RunID)
	}
	if r.Spent.Blocks <= 20 {
		t.Errorf("%d blocks: none of them has the new step", r.Spent.Blocks)
	}
	for _, row := range r.Tables[0].Rows {
		if c := row.Cells[2]; c.Verdict != assay.Faster {
			t.Errorf("%s in the new step: %s after %d blocks, want faster", row.Benchmark, c.Verdict, c.N)
		}
	}
}

// A chain that goes on and is cut off ends with what it would have ended with.
func TestGoOnAfterACrash(t *testing.T) {
	s, m := labtest.Chain(2, []float64{-0.05}, []float64{-0.05})
	s.Decide.MinBlocks, s.Decide.MaxBlocks = 12, 25
	store := t.TempDir()
	if _, err := labtest.Run(t.Context(), m, s, store); err != nil {
		t.Fatal(err)
	}
	longer := func() (*assay.Study, *labtest.Simulator) {
		s, m := labtest.Chain(2, []float64{-0.05}, []float64{-0.05}, []float64{-0.05})
		s.Decide.MinBlocks, s.Decide.MaxBlocks = 12, 25
		return s, m
	}
	trials := func(store string) (out []string) {
		run, err := record.Read(record.Folder(filepath.Join(store, "more")))
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Earlier != labtest.RunID {
			t.Errorf("earlier %q, want %q", run.Plan.Earlier, labtest.RunID)
		}
		for _, block := range run.Blocks() {
			for _, tr := range block {
				out = append(out, fmt.Sprint(tr.Run, tr.Block, tr.Benchmark, tr.Variant, tr.Round, tr.Observations[assay.MetricTime]))
			}
		}
		slices.Sort(out) // another attempt has another order
		return out
	}
	// with is a store that has the shorter chain.
	with := func() string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(store)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	whole := with()
	s, m = longer()
	if _, err := labtest.GoOn(t.Context(), m, s, whole, "more"); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 7, 33} {
		store := with()
		s, m := longer()
		crashAfter(m, n)
		if _, err := labtest.GoOn(t.Context(), m, s, store, "more"); !crashed(err) {
			t.Fatalf("trial %d: got %v, want a crash", n, err)
		}
		m.Hook = nil
		if _, err := labtest.GoOn(t.Context(), m, s, store, "more"); err != nil {
			t.Fatal(err)
		}
		if got, want := trials(store), trials(whole); !slices.Equal(got, want) {
			t.Errorf("cut off at trial %d: %d trials, want the %d of the run that was not", n, len(got), len(want))
		}
	}
}

package analysis

import (
	"fmt"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
)

var eight = []string{"base", "a", "b", "c", "d", "e", "f", "g", assay.ControlName}

// A block of six of eight variants ends with the verdicts that blocks of all
// give, and never waits for a variant that it did not hold.
func TestSubsetsGiveTheSameVerdicts(t *testing.T) {
	effects := map[string]float64{"a": 0.05, "b": -0.05, "d": 0.08, "f": -0.03}
	verdicts := func(together int) (string, *assay.Result) {
		w := noisyWorld(1, []string{"X", "Y"}, effects, eight...)
		w.plan.Together = together
		tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
		r := tr.Result(assay.Platform{}, w.run(tr))
		var out []string
		for _, row := range r.Tables[0].Rows {
			for _, c := range row.Cells {
				out = append(out, c.Benchmark.Name+" "+c.Variant+" "+string(c.Verdict))
			}
		}
		for _, c := range r.Tables[0].Geomean {
			out = append(out, c.Variant+" "+string(c.Verdict))
		}
		return fmt.Sprint(out), r
	}
	all, whole := verdicts(0)
	some, r := verdicts(6)
	if all != some {
		t.Errorf("with all in each block\n%s\nwith six\n%s", all, some)
	}
	if r.Spent.Stop != "decided" || whole.Spent.Stop != "decided" {
		t.Errorf("stopped by %q and %q, want decided", whole.Spent.Stop, r.Spent.Stop)
	}
	for _, c := range r.Tables[0].Geomean {
		if c.N < r.Rule.MinBlocks || c.N >= r.Spent.Blocks {
			t.Errorf("%s rests on %d of %d blocks", c.Variant, c.N, r.Spent.Blocks)
		}
	}
	if r.Answer.Use != "b" {
		t.Errorf("answer %+v, want b", r.Answer)
	}
}

// A variant with nothing left to decide leaves the blocks to the others.
func TestDecidedVariantsLeaveSubsets(t *testing.T) {
	w := noisyWorld(2, []string{"X"}, map[string]float64{"a": 0.2, "b": 0.2, "c": 0.2, "d": 0.2, "e": 0.2, "f": 0.2, "g": 0.011}, eight...)
	w.plan.Together = 6
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	w.run(tr)
	b := tr.set.Benchmarks[0]
	if b.Ran["g"] < 2*b.Ran["a"] || b.Ran["a"] < tr.set.From {
		t.Errorf("blocks by variant %v, want most for g", b.Ran)
	}
}

// The price of a block is that of the variants that it holds.
func TestPriceOfASubset(t *testing.T) {
	w := noisyWorld(3, []string{"X"}, nil, eight...)
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	all := tr.costs.Block(tr.Turns(), schedule.Width(tr.plan, nil))
	w.plan.Together = 6
	tr = NewTracker(w.plan, w.plan.Study.Decide.Budget)
	if got, want := tr.costs.Block(tr.Turns(), schedule.Width(tr.plan, nil)), all*6/9; got != want { // base, control, four of seven
		t.Errorf("a block of six costs %v, want %v", got, want)
	}
	if got := schedule.Width(w.plan, []string{"a", "b"}); got != 4 {
		t.Errorf("a block of two in question holds %g, want 4", got)
	}
}

// With more variants than the first blocks can hold, nothing is left out.
func TestManyVariantsInSubsets(t *testing.T) {
	names := []string{"base"}
	for i := range 40 {
		names = append(names, fmt.Sprintf("v%d", i))
	}
	w := noisyWorld(4, []string{"X", "Y"}, map[string]float64{"v7": 0.1}, append(names, assay.ControlName)...)
	w.plan.Together = 6
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	for range 3 {
		tr.Add(w.next(tr.Turns()))
	}
	early := tr.Result(assay.Platform{}, "")
	if len(early.Tables[0].Rows) != 2 || len(early.Tables[0].Rows[0].Cells) != 40 {
		t.Fatalf("%d rows after three blocks, want 2 of 40 cells", len(early.Tables[0].Rows))
	}
	if early.Tables[0].Common != 2 {
		t.Errorf("%d common benchmarks after three blocks, want 2", early.Tables[0].Common)
	}
	stop := w.run(tr)
	for _, v := range names[1:] {
		if n := tr.set.Benchmarks[0].Ran[v]; n < tr.set.From {
			t.Errorf("stopped by %q with %d blocks of %s, want %d at least", stop, n, v, tr.set.From)
		}
	}
}

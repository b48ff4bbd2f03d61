package analysis

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// To look at a run while it goes on changes neither when it stops nor what it
// says.
func TestLookingChangesNothing(t *testing.T) {
	effects := map[string]float64{"new/A": 0.05, "new/B": 0, "new/C": 0.012}
	finish := func(look func(*Tracker)) (assay.StopReason, string) {
		w := noisyWorld(3, []string{"A", "B", "C"}, effects, "old", "new", assay.ControlName)
		tr := NewTracker(w.plan, time.Minute)
		stop := assay.StopReason("")
		for range 200 {
			next := tr.Next()
			if stop = next.Stop; stop != "" {
				break
			}
			tr.Add(w.hold(next))
			look(tr)
		}
		text, err := json.Marshal(tr.Result(assay.Platform{}, stop))
		if err != nil {
			t.Fatal(err)
		}
		return stop, string(text)
	}
	told := map[Cell]bool{}
	stop, result := finish(func(*Tracker) {})
	lookedStop, looked := finish(func(tr *Tracker) {
		tr.Interim(40)
		tr.Remaining()
		tr.Turned(told)
	})
	if stop != lookedStop || result != looked {
		t.Errorf("stopped %q, %q when looked at; results differ: %v", stop, lookedStop, result != looked)
	}
}

// An open comparison has no verdict, a decided one the verdict of the result;
// the open ones come first.
func TestInterim(t *testing.T) {
	w := noisyWorld(3, []string{"A", "B", "C"}, map[string]float64{"new/A": -0.2, "new/B": 0.2}, "old", "new")
	tr := NewTracker(w.plan, time.Hour)
	told, turned := map[Cell]bool{}, map[string]assay.Verdict{}
	open := 0
	for range 200 {
		next := tr.Next()
		for _, c := range tr.Turned(told) {
			turned[c.Benchmark.Name] = c.Verdict
		}
		if next.Stop != "" {
			break
		}
		tr.Add(w.hold(next))
		seenDecided := false
		for _, c := range tr.Interim(2) {
			seenDecided = seenDecided || c.Decided
			if !c.Decided && (c.Verdict != assay.Withheld || seenDecided) {
				t.Errorf("open %s has the verdict %q, behind a decided one: %v", c.Benchmark.Name, c.Verdict, seenDecided)
			}
			open += btoi(!c.Decided)
		}
	}
	if open == 0 || turned["A"] != assay.Faster || turned["B"] != assay.Slower || turned["C"] == assay.Withheld {
		t.Errorf("%d looks at open cells, turned %v", open, turned)
	}
}

// What remains is unknown before anything can be decided and never more than the
// budget's rest.
func TestRemaining(t *testing.T) {
	w := noisyWorld(3, []string{"A"}, map[string]float64{"new": 0.02}, "old", "new")
	tr := NewTracker(w.plan, 2*time.Second)
	known := 0
	for range 200 {
		next := tr.Next()
		if next.Stop != "" {
			break
		}
		tr.Add(w.hold(next))
		d, ok := tr.Remaining()
		if ok && tr.set.Blocks < tr.set.From || d < 0 || d > tr.budget.Left() && ok {
			t.Errorf("block %d: %v remain, %v", tr.set.Blocks, d, ok)
		}
		known += btoi(ok)
	}
	if known == 0 {
		t.Error("never known")
	}
}

// BenchmarkInterim looks at a list of 5,000 benchmarks.
func BenchmarkInterim(b *testing.B) {
	names := make([]string, 5000)
	for i := range names {
		names[i] = string(rune('a'+i%26)) + "/" + time.Duration(i).String()
	}
	w := noisyWorld(3, names, nil, "old", "new", assay.ControlName)
	tr := NewTracker(w.plan, time.Hour)
	for range 12 {
		tr.Add(w.hold(tr.Next()))
	}
	b.Run("interim", func(b *testing.B) {
		for b.Loop() {
			tr.Interim(40)
			tr.Remaining()
		}
	})
	b.Run("standing", func(b *testing.B) {
		for b.Loop() {
			tr.Standing()
		}
	})
}

// The progress says how exact the open comparisons are now, and at the end of the budget;
// without one, or with nothing open, it says neither. What it promises is what comes.
func TestStandingHalfWidths(t *testing.T) {
	w := noisyWorld(5, []string{"A", "B"}, nil, "old", "new")
	w.plan.Study.Decide.MinEffect = 1e-6 // nothing is the same
	budget := time.Minute
	w.plan.Study.Decide.Budget = budget
	tr, free := NewTracker(w.plan, budget), NewTracker(w.plan, 0)
	var early Standing
	stop := assay.StopReason("")
	for stop == "" {
		next := tr.Next()
		if stop = next.Stop; stop != "" {
			break
		}
		block := w.hold(next)
		tr.Add(block)
		free.Add(block)
		if tr.set.Blocks == 20 {
			early = tr.Standing()
		}
	}
	if s := free.Standing(); s.Now != 0 || s.End != 0 {
		t.Errorf("without a budget: %+v", s)
	}
	if early.End <= 0 || early.Now <= early.End {
		t.Fatalf("after 20 blocks: %+v, want it wider now than at the end", early)
	}
	last := tr.Result(assay.Platform{}, stop).Tables[0].Rows[0].Cells[0].Interval.Half()
	if last > 2*early.End || early.End > 2*last {
		t.Errorf("stopped by %q with ±%v after %d blocks, promised ±%v", stop, last, tr.set.Blocks, early.End)
	}
}

// The last block has as many benchmarks as the budget still holds; the geomean does not
// count it.
func TestLastBlock(t *testing.T) {
	w := noisyWorld(5, []string{"A", "B", "C", "D"}, nil, "old", "new")
	w.plan.Study.Decide.MinEffect = 1e-6 // nothing is decided
	tr := NewTracker(w.plan, 0)
	tr.Add(w.hold(tr.Next()))
	block := tr.costs.Spent()
	tr = NewTracker(w.plan, 20*block+block/2+1)
	w.block = 0
	if stop := w.run(tr); stop != assay.StopBudget {
		t.Fatalf("stopped by %q", stop)
	}
	whole, last := 0, 0
	for _, b := range tr.set.Benchmarks {
		switch n := len(b.Samples[assay.MetricTime]["new"].D); n {
		case 20:
			whole++
		case 21:
			last++
		default:
			t.Errorf("%d blocks of a benchmark, want 20 or 21", n)
		}
	}
	if n := len(tr.set.Suite(assay.MetricTime).Geomean("new").D); whole != 2 || last != 2 || n != 20 {
		t.Errorf("%d benchmarks with 20 blocks and %d with 21, %d blocks of the geomean; want 2, 2, 20", whole, last, n)
	}
}

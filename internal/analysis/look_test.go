package analysis

import (
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// lookedAt feeds blocks to a new tracker; from block first[k] on, k+1 looks came before.
func lookedAt(p *assay.Plan, blocks [][]assay.Trial, first ...int) *Tracker {
	t := NewTracker(p, time.Hour)
	for i, block := range blocks {
		looks := 0
		for _, f := range first {
			if i >= f {
				looks++
			}
		}
		for j := range block {
			block[j].Looks = looks
		}
		t.Add(block)
	}
	return t
}

func onlyCell(t *Tracker, stop assay.StopReason) assay.Comparison {
	return t.Result(assay.Platform{}, stop).Tables[0].Rows[0].Cells[0]
}

func width(c assay.Comparison) float64 { return c.Interval.Hi.Log() - c.Interval.Lo.Log() }

// The end of a budget is a look; to stop by hand, or to be decided, is none. What a run had
// at its look it keeps, whatever comes after.
func TestLastLook(t *testing.T) {
	w := noisyWorld(3, []string{"X"}, map[string]float64{"b": 0.004}, "a", "b", assay.ControlName)
	blocks := w.record(40)
	run := lookedAt(w.plan, blocks[:30])
	byHand, budget := onlyCell(run, assay.StopInterrupted), onlyCell(run, assay.StopBudget)
	if r := width(budget) / width(byHand); r > 0.85 {
		t.Errorf("a look gives %.2f of the width without one", r)
	}
	for _, stop := range []assay.StopReason{"", assay.StopDecided, assay.StopRead, assay.StopInterrupted} {
		if got := onlyCell(run, stop); *got.Interval != *byHand.Interval || got.E != byHand.E {
			t.Errorf("%q: interval %v, want %v", stop, got.Interval, byHand.Interval)
		}
	}
	if got := onlyCell(run, assay.StopBlocks); *got.Interval != *budget.Interval {
		t.Errorf("as many blocks as it may: %v, want %v", got.Interval, budget.Interval)
	}
	// --more: the first look stays, the second narrows.
	more := lookedAt(w.plan, blocks, 30)
	if got := onlyCell(more, assay.StopInterrupted); width(got) > width(budget) {
		t.Errorf("with more blocks, stopped by hand: %v is wider than %v at the look", got.Interval, budget.Interval)
	}
	one, two := width(onlyCell(more, assay.StopInterrupted)), width(onlyCell(more, assay.StopBudget))
	if two > one {
		t.Errorf("the second look is %g wide, before it %g", two, one)
	}
	// 40 blocks looked at once are more exact than 30 and 10, of which each has its share.
	if once := width(onlyCell(lookedAt(w.plan, blocks), assay.StopBudget)); once > two {
		t.Errorf("one look at 40 blocks is %g wide, the second one %g", once, two)
	}
}

// Records of older versions have no looks, and their e-process has the whole level.
func TestNoLookInOldRecords(t *testing.T) {
	w := noisyWorld(3, []string{"X"}, nil, "a", "b", assay.ControlName)
	blocks := w.record(30)
	today := onlyCell(lookedAt(w.plan, blocks), assay.StopInterrupted)
	w.plan.Schema = assay.PlanSchemaSealed
	old := lookedAt(w.plan, blocks, 10)
	budget := onlyCell(old, assay.StopBudget)
	if got := onlyCell(old, assay.StopInterrupted); *got.Interval != *budget.Interval {
		t.Errorf("an old record: %v by hand, %v at the end of its budget", got.Interval, budget.Interval)
	}
	if width(budget) >= width(today) {
		t.Errorf("the whole level gives %g, a part of it %g", width(budget), width(today))
	}
}

// A benchmark that left the schedule has no look: how many blocks it has depends on its
// values.
func TestNoLookAfterLeaving(t *testing.T) {
	w := noisyWorld(5, []string{"X", "Y"}, nil, "a", "b", assay.ControlName)
	blocks := w.record(30)
	for i := 12; i < 30; i++ {
		var kept []assay.Trial
		for _, tr := range blocks[i] {
			if tr.Benchmark.Name == "Y" {
				kept = append(kept, tr)
			}
		}
		blocks[i] = kept
	}
	run := lookedAt(w.plan, blocks)
	byHand, budget := run.Result(assay.Platform{}, assay.StopInterrupted).Tables[0].Rows, run.Result(assay.Platform{}, assay.StopBudget).Tables[0].Rows
	if *byHand[0].Cells[0].Interval != *budget[0].Cells[0].Interval {
		t.Errorf("left after 12 of 30 blocks: %v, at the look %v", byHand[0].Cells[0].Interval, budget[0].Cells[0].Interval)
	}
	if width(budget[1].Cells[0]) >= width(byHand[1].Cells[0]) {
		t.Error("what ran to the end has no look")
	}
}

// A pair has the look of its run, and the same interval as there.
func TestPairHasTheLook(t *testing.T) {
	w := noisyWorld(1, []string{"X"}, map[string]float64{"a": 0.05}, "base", "a", "b", assay.ControlName)
	blocks := w.record(20)
	run := lookedAt(w.plan, blocks)
	whole := run.Result(assay.Platform{}, assay.StopBudget)
	r, err := run.Pair(blocks, "base", "a", assay.Platform{})
	if err != nil {
		t.Fatal(err)
	}
	got, want := r.Tables[0].Rows[0].Cells[0], whole.Tables[0].Rows[0].Cells[0]
	if *got.Interval != *want.Interval || got.Verdict != want.Verdict {
		t.Errorf("the pair: %s %v, the table: %s %v", got.Verdict, got.Interval, want.Verdict, want.Interval)
	}
	if r.Noise.Floor != whole.Noise.Floor {
		t.Errorf("noise is %v, of the run %v", r.Noise.Floor, whole.Noise.Floor)
	}
}

package schedule

import (
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// plan is one of a base and other variants at 99 %.
func plan(others ...string) *assay.Plan {
	p := &assay.Plan{Seed: 1, Study: assay.Study{Base: "old", Decide: assay.Decide{Confidence: 0.99, Budget: time.Minute}},
		Variants: []assay.Variant{{Name: "old"}}, Benchmarks: []assay.PlannedBenchmark{{Trial: time.Second}}}
	for _, v := range others {
		p.Variants = append(p.Variants, assay.Variant{Name: v})
	}
	p.Variants = append(p.Variants, assay.Variant{Name: assay.ControlName, Control: true})
	return p
}

// A run ends by itself after the blocks that the study asks for, unless the user adds more.
func TestLast(t *testing.T) {
	for _, blocks := range []int{0, 5} {
		p := plan("new")
		p.Study.Decide.MaxBlocks = blocks
		if got, more := Last(p, 0), Last(Unlimited(p), 0); got != blocks || more != 0 {
			t.Errorf("blocks -%d: ends after %d, and with more blocks after %d; want %d and no end", blocks, got, more, blocks)
		}
	}
}

// With more time than the study's, it is not said any more that its time is short.
func TestMoreTimeIsNotShort(t *testing.T) {
	p := plan("new")
	p.Warnings = []assay.Warning{{Code: assay.CodeShortBudget}, {Code: assay.CodeNoisy}}
	if w := Unlimited(p).Warnings; len(w) != 1 || w[0].Code != assay.CodeNoisy || len(p.Warnings) != 2 {
		t.Errorf("got %v of %v", w, p.Warnings)
	}
}

// What is advised is at least what is needed.
func TestDurationRoundsUp(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1s", 300 * time.Millisecond: "1s", 119500 * time.Millisecond: "120s", 149 * time.Second: "3m",
		20 * time.Minute: "20m", 119*time.Minute + time.Second: "120m", 100*time.Hour + 59*time.Minute: "101h",
	} {
		got := Duration(d)
		if got != want {
			t.Errorf("%v is advised as %s, want %s", d, got, want)
		}
		if back, err := time.ParseDuration(got); err != nil || back < d {
			t.Errorf("%s is not a duration of at least %v", got, d)
		}
	}
}

// A forecast says whether a budget reaches a verdict: the run itself takes a fifth
// more time to get there.
func TestForecastDecides(t *testing.T) {
	p := plan("new") // blocks of 3 s, 5 of them for a verdict
	for budget, want := range map[time.Duration]bool{30 * time.Second: true, 13 * time.Second: true, 12 * time.Second: false, 0: true} {
		p.Study.Decide.Budget = budget
		f := Foresee(p)
		if got := f.Decides(); got != want {
			t.Errorf("%v: decides %t, want %t", budget, got, want)
		}
	}
	p.Study.Decide.Budget, p.Left = time.Minute, 12*time.Second // calibration took the rest
	if Foresee(p).Decides() {
		t.Error("12 of 60 s are left, which is said to be enough for 15 s of blocks")
	}
	p.Left, p.Study.Decide.MaxBlocks = 0, 4
	if Foresee(p).Decides() {
		t.Error("4 blocks at most are said to be enough for a verdict, which takes 5")
	}
}

// Costs follow what was measured; links are counted as builds, not as variants.
func TestCosts(t *testing.T) {
	p := plan("new")
	p.Link = 300 * time.Millisecond
	c := NewCosts(p)
	turns := []assay.Turn{{Inner: 2}}
	if got, want := c.Block(turns, 3), 6*time.Second+300*time.Millisecond; got != want {
		t.Errorf("a planned block takes %v, want %v", got, want)
	}
	var block []assay.Trial
	for _, v := range p.Variants {
		block = append(block, assay.Trial{Variant: v.Name, Round: 1, Duration: 2 * time.Second, Link: 200 * time.Millisecond})
	}
	c.Add(block)
	if got, want := c.Block(turns, 3), 12*time.Second+600*time.Millisecond; got != want {
		t.Errorf("a measured block takes %v, want %v", got, want)
	}
	if got, want := c.Spent(), 6600*time.Millisecond; got != want {
		t.Errorf("%v spent, want %v", got, want)
	}
	for i := range block {
		block[i].Run = "old1"
	}
	c.Add(block)
	if got, want := c.Spent(), 6600*time.Millisecond; got != want {
		t.Errorf("with the block of an earlier run %v are spent, want %v", got, want)
	}
}

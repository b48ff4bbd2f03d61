package chain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Each step has a line with its change from the previous one, and the last line has what
// all came to.
func TestTable(t *testing.T) {
	ch := chainOf(false, madeResult())
	sameLines(t, "against the previous", linesOf(ch.Table(Layout{})), "# step|time vs previous",
		"1|★a|one|−20.0 %|[−21.0, −19.0]|▼", "2||two|–||≡|same code as one", "3|★b|three|–|||did not build: x.go:1: no such name",
		"4||four|+10.0 %|[+9.0, +11.0]|▲|the change may be below 2 %", "||total vs base|−12.0 %|[−13.0, −11.0]|▼")
	sameLines(t, "against both", linesOf(ch.Table(Layout{Both: true, Half: true})), "# step|time vs previous|vs base",
		"1|★a|one|−20.0 %|±1.0|▼|−20.0 %|±1.0|▼", "2||two|–||≡|–|||same code as one", "3|★b|three|–|||–|||did not build: x.go:1: no such name",
		"4||four|+10.0 %|±1.0|▲|−12.0 %|±1.0|▼|the change may be below 2 %", "||total||||−12.0 %|±1.0|▼")
	sameLines(t, "against the base", linesOf(ch.Table(Layout{Base: true})), "# step|time vs base",
		"1|★a|one|−20.0 %|[−21.0, −19.0]|▼", "2||two|–", "3|★b|three|–", "4||four|−12.0 %|[−13.0, −11.0]|▼")
}

// With all, the benchmarks that a step moved stand below it, the largest change first.
func TestMovedBenchmarks(t *testing.T) {
	ch := chainOf(true, madeResult())
	lines := linesOf(ch.Table(Layout{}))
	sameLines(t, "against the previous", []string{lines[2], lines[6], lines[7]},
		"||  A|−40.0 %|[−41.0, −39.0]|▼", "||  A|+16.0 %|[+15.0, +17.0]|▲", "||  B|+5.0 %|[+4.0, +6.0]|▲")
	lines = linesOf(ch.Table(Layout{Base: true}))
	sameLines(t, "against the base", lines[6:], "||  A|−30.0 %|[−31.0, −29.0]|▼", "||  B|+5.0 %|[+4.0, +6.0]|▲")
	one := madeResult()
	one.Tables[0].Geomean = nil
	if got := chainOf(false, one).Moved(one.Arc.Steps[0]); !slices.Equal(got, []assay.Benchmark{benchA, benchB}) {
		t.Errorf("of several benchmarks without a geomean: got %v, want all", got)
	}
}

// Further metrics have their change beside the time's, on all machines, with a mark where
// it is not sure.
func TestExtras(t *testing.T) {
	r, other := madeResult(), madeResult()
	r.Tables = append(r.Tables, assay.Table{Metric: assay.Metric{Name: assay.MetricRSS}, Decides: true,
		Steps: []assay.StepChange{{}}}, assay.Table{Metric: assay.Metric{Name: assay.MetricUser}, Steps: []assay.StepChange{{}}}, allocsTable())
	ch := chainOf(false, r)
	if got := ch.Extras(); !slices.Equal(got, []string{assay.MetricAllocs, assay.MetricRSS}) {
		t.Errorf("got %q, want allocations and what else decides", got)
	}
	extras := Layout{Extras: []string{assay.MetricAllocs}}
	for i, want := range []string{"# step|time vs previous|allocs/op", "1|★a|one|−20.0 %|[−21.0, −19.0]|▼|−50.0 %", "2||two|–||≡|≡|same code as one",
		"3|★b|three|–|||–|did not build: x.go:1: no such name", "4||four|+10.0 %|[+9.0, +11.0]|▲|+25 % ?|the change may be below 2 %"} {
		if got := linesOf(ch.Table(extras))[i]; got != want {
			t.Errorf("line %d: got %q, want %q", i, got, want)
		}
	}
	lines := linesOf(chainOf(false, r, other).Table(extras))
	sameLines(t, "on two machines", lines[:3], "# m1|m2", "# step|time vs previous|vs previous|allocs/op",
		"1|★a|one|−20.0 %|[−21.0, −19.0]|▼|−20.0 %|[−21.0, −19.0]|▼|−50.0 % · –")
}

// Without comparisons with the previous step the table is against the base.
func TestWithoutPrevious(t *testing.T) {
	r := madeResult()
	r.Tables[0].Steps = nil
	ch := chainOf(false, r)
	if ch.Compares() {
		t.Error("steps are compared with the previous ones")
	}
	sameLines(t, "table", linesOf(ch.Table(Layout{})), "# step|time vs base", "1|★a|one|−20.0 %|[−21.0, −19.0]|▼",
		"2||two|–|||same code as one", "3|★b|three|–|||did not build: x.go:1: no such name", "4||four|−12.0 %|[−13.0, −11.0]|▼")
}

// longChain has more steps than a table has room for: all but the last and every third of
// the first 40 are slower. A phase begins with step 1, 4 is a gap, and 7 fails its tests.
func longChain() *assay.Result {
	r := madeResult()
	r.Arc.Steps, r.Tables[0].Steps = nil, nil
	for i := range sheet.MaxRows + 10 {
		c := moved(fmt.Sprint("s", i), suite, assay.Slower, 0.5)
		if i%3 == 1 && i < 40 || i == sheet.MaxRows+9 {
			c.Verdict = assay.Unclear
		}
		r.Arc.Steps = append(r.Arc.Steps, assay.StepResult{Step: assay.Step{Variant: c.Variant}, Previous: "base"})
		r.Tables[0].Steps = append(r.Tables[0].Steps, assay.StepChange{Variant: c.Variant, Whole: &c})
	}
	r.Arc.Steps[1].Phase, r.Arc.Steps[2].Phase = "a", "a"
	r.Arc.Steps[4].Gap = &assay.Gap{}
	r.Arc.Steps[7].Gates = []assay.GateResult{{Gate: assay.GateTests, Status: assay.GateFailed}}
	return r
}

// Of more steps than a table has room for, those with changes stay, and the last one and
// those with a star, a gap or a failed gate.
func TestShown(t *testing.T) {
	r := longChain()
	ch := chainOf(false, r)
	kept, left := ch.Shown()
	if len(kept) != sheet.MaxRows || left != 10 {
		t.Errorf("%d steps are kept and %d are left out, want %d and 10", len(kept), left, sheet.MaxRows)
	}
	for i, want := range map[int]bool{0: true, 1: true, 4: true, 7: true, 48: true, 49: true, 10: false, 37: false} {
		if got := slices.ContainsFunc(kept, func(s assay.StepResult) bool { return s.Variant == r.Arc.Steps[i].Variant }); got != want {
			t.Errorf("step %d is kept: %t, want %t", i, got, want)
		}
	}
	if !slices.IsSortedFunc(kept, func(a, b assay.StepResult) int { return a.Number - b.Number }) {
		t.Error("the steps are not in order")
	}
	lines := linesOf(ch.Table(Layout{Hint: "(hint)"}))
	if got, want := lines[len(lines)-2], "… 10 more steps with the least changes (hint)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if kept, left = chainOf(true, r).Shown(); len(kept) != sheet.MaxRows+10 || left != 0 {
		t.Errorf("with all: %d steps are kept and %d are left out", len(kept), left)
	}
}

// What stands above the table names the phases and says what the chain is over.
func TestAbove(t *testing.T) {
	r := madeResult()
	ch := chainOf(false, r)
	sameLines(t, "phases", ch.PhaseNames(), "★a tuning")
	sameLines(t, "over", ch.Over(), "geomean of 2 benchmarks")
	r.Tables[0].Steps[0].Whole.N, r.Tables[0].Geomean[0].N = 9, 11
	sameLines(t, "over other blocks", chainOf(false, r, madeResult()).Over(), "m1: geomean of 2 benchmarks (n=11–12), a step with the previous in 9–12 blocks",
		"m2: geomean of 2 benchmarks")
}

// The end of a chain is its last step with a build; that it has the base's code, or that no
// step was built, is known without a measurement.
func TestEnd(t *testing.T) {
	r := madeResult()
	x := Panel{Result: r}
	if c, ok := x.End(x.First()); !ok || c.Variant != "four" || c.Change != -0.12 {
		t.Errorf("got %+v, %t, want that of four", c, ok)
	}
	r.Arc.Steps[3].Gap = &assay.Gap{}
	if got := x.Last(); got != "one" {
		t.Errorf("got %q, want one, whose code the last step has", got)
	}
	r.Arc.Steps = r.Arc.Steps[3:]
	if c, ok := x.End(x.First()); ok || x.Last() != "" {
		t.Errorf("of gaps: got %q and %+v", x.Last(), c)
	}
	r.Arc.Steps[0].Gap, r.Arc.Steps[0].SameAs = nil, &assay.SameCode{As: "base"}
	if c, ok := x.End(x.First()); !ok || c.Verdict != assay.SameCoded {
		t.Errorf("of the base's code: got %+v, %t", c, ok)
	}
}

// Of one benchmark a step's change is that one's, and with several and no geomean there is
// none over the suite, whatever the record says.
func TestWholeOfOneBenchmark(t *testing.T) {
	r := madeResult()
	x := Panel{Result: r}
	r.Tables[0].Geomean = nil
	if _, ok := x.Whole(x.First(), "one"); ok || x.says(x.First(), r.Tables[0].Steps[0]) {
		t.Error("a step has a change over the suite without a geomean")
	}
	r.Tables[0].Rows = r.Tables[0].Rows[:1]
	if c, ok := x.Whole(x.First(), "one"); !ok || c.Change != -0.4 {
		t.Errorf("of one benchmark: got %+v, %t", c, ok)
	}
	if _, ok := x.Whole(x.First(), "elsewhere"); ok {
		t.Error("a step that is not there has a change")
	}
}

// A change from 0 is a difference, for it has no percentage.
func TestChangeFromZero(t *testing.T) {
	c := assay.Comparison{Verdict: assay.More, N: 12, Value: 3, Exact: true}
	change, interval, _ := ChangeCells(assay.Metric{Name: assay.MetricAllocs}, c)
	if change.Joined() != "+3" || interval.Joined() != "(exact)" {
		t.Errorf("got %q %q, want +3 (exact)", change.Joined(), interval.Joined())
	}
	c = moved("one", benchA, assay.Slower, 0.1)
	if change, _, half := ChangeCells(assay.Metric{Name: assay.MetricTime}, c); change.Joined() != "+10.0 %" || half.Joined() != "±1.0" {
		t.Errorf("got %q %q, want +10.0 %% ±1.0", change.Joined(), half.Joined())
	}
}

// The size of a chain is its steps and benchmarks, and the toolchain if all have the same.
func TestSize(t *testing.T) {
	r := madeResult()
	for i := range r.Variants {
		r.Variants[i].GoVersion = "go1.26"
	}
	if got, want := strings.Join(Size(r, 2), " · "), "4 steps + base · 2 benchmarks · go1.26 for all steps"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Variants[1].GoVersion, r.Arc.Steps = "go1.27", r.Arc.Steps[:1]
	if got, want := strings.Join(Size(r, 0), " · "), "1 step + base"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// chainWorld is a noisy world of a chain: base and s1, s2, ..., each with its
// change in ln units against the one before.
func chainWorld(seed uint64, benchmarks []string, changes ...float64) *world {
	names := []string{"base"}
	effects := map[string]float64{}
	ln := 0.0
	steps := &assay.Steps{}
	for i, c := range changes {
		name := fmt.Sprintf("s%d", i+1)
		names = append(names, name)
		ln += c
		effects[name] = ln
		steps.List = append(steps.List, assay.Step{Variant: name})
	}
	w := noisyWorld(seed, benchmarks, effects, append(names, assay.ControlName)...)
	w.plan.Study.Steps = steps
	w.plan.Study.SetDefaults()
	return w
}

func names(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("B%d", i))
	}
	return out
}

func (w *world) result(t *testing.T) *assay.Result {
	t.Helper()
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	r := tr.Result(assay.Platform{}, w.run(tr))
	if _, err := json.Marshal(r); err != nil {
		t.Fatal(err)
	}
	return r
}

// change finds a step's change on time.
func change(t *testing.T, r *assay.Result, step string) assay.StepChange {
	t.Helper()
	for _, c := range r.Tables[0].Steps {
		if c.Variant == step {
			return c
		}
	}
	t.Fatalf("no change of %s", step)
	return assay.StepChange{}
}

func warned(r *assay.Result, code assay.Code) *assay.Warning {
	for _, w := range r.Warnings {
		if w.Code == code {
			return &w
		}
	}
	return nil
}

// Each step is compared with the one before it, and the last with the base.
func TestChainOfSteps(t *testing.T) {
	w := chainWorld(1, names(3), -0.3, 0, 0.1, -0.5)
	r := w.result(t)
	if r.Spent.Stop != "decided" {
		t.Errorf("stopped by %q", r.Spent.Stop)
	}
	for i, want := range []assay.Verdict{assay.Faster, assay.Same, assay.Slower, assay.Faster} {
		c := r.Tables[0].Steps[i]
		if c.Whole.Verdict != want || len(c.Cells) != 3 || c.Whole.Benchmark.Name != "geomean" {
			t.Errorf("%s: %s over %d benchmarks (%s), want %s", c.Variant, c.Whole.Verdict, len(c.Cells), c.Whole.Benchmark, want)
		}
		if truth := assay.ChangeOfLog([]float64{-0.3, 0, 0.1, -0.5}[i]); !c.Whole.Interval.Covers(truth) {
			t.Errorf("%s: %v, want %v inside", c.Variant, c.Whole.Interval, truth)
		}
	}
	if got := r.Tables[0].Steps[1].Text; !strings.HasPrefix(got, "the same: −0.") && !strings.HasPrefix(got, "no change proved: −") {
		t.Errorf("text of a step without effect: %q", got)
	}
	if got := r.Arc.Steps[2].Text; !strings.HasPrefix(got, "largest movers: B") || r.Arc.Steps[2].Previous != "s2" || r.Arc.Steps[2].Number != 3 {
		t.Errorf("step 3: %q after %s", got, r.Arc.Steps[2].Previous)
	}
	if len(r.Arc.Compound) != 1 || !r.Arc.Compound[0].Agree {
		t.Errorf("compound %+v, want one that agrees", r.Arc.Compound)
	}
	text := strings.Join(append(r.Answer.Text, r.Answer.Undecided), "\n")
	for _, want := range []string{"step 4, s4, is 2.0× as fast as base: −50", "; 3 of 4 steps are proved changes", "all 3 benchmarks faster", "most of it by step 4, s4: −39", "slower: step 3, s3: +10", "1 of 4 steps: no change proved"} {
		if !strings.Contains(text, want) {
			t.Errorf("answer lacks %q:\n%s", want, text)
		}
	}
	if r.Answer.Use != "s4" || r.Answer.Verdict != assay.Faster || !r.Answer.Decided {
		t.Errorf("answer %+v", r.Answer)
	}
}

// The words of answers of other chains.
func TestStepAnswers(t *testing.T) {
	for _, tc := range []struct {
		name    string
		bench   int
		changes []float64
		verdict assay.Verdict
		use     string
		text    string
	}{
		{"the same", 2, []float64{0, 0}, assay.Same, "", "step 2, s2, and base are the same within ±1 %; none of 2 steps"},
		{"none", 2, []float64{0, 0}, assay.Same, "", "none of 2 steps could be distinguished from the one before it"},
		{"a little", 2, []float64{0, -0.1}, assay.Faster, "s2", "step 2, s2, takes 9."},
		{"slower", 2, []float64{0.2, 1.2}, assay.Slower, "base", "step 2, s2, takes 4.0× the time of base: +30"},
		{"one step", 1, []float64{-0.1}, assay.Faster, "s1", "step 1, s1, takes 9."},
	} {
		a := chainWorld(7, names(tc.bench), tc.changes...).result(t).Answer
		if text := strings.Join(a.Text, " / "); a.Verdict != tc.verdict || a.Use != tc.use || !strings.Contains(text, tc.text) {
			t.Errorf("%s: %s, use %q, %s; want %s, %q, %q", tc.name, a.Verdict, a.Use, text, tc.verdict, tc.use, tc.text)
		}
	}
}

// A step that did not build is a gap: what follows is compared with the last one
// before it, and the answer is of the last one that was measured.
func TestGaps(t *testing.T) {
	w := chainWorld(2, names(2), -0.1, -0.1, -0.1, 0)
	w.plan.Variants = slices.DeleteFunc(w.plan.Variants, func(v assay.Variant) bool { return v.Name == "s2" || v.Name == "s4" })
	w.plan.Gaps = []assay.Gap{{Variant: "s2", Reason: "undefined: x"}, {Variant: "s4", Reason: "did not build: y"}}
	r := w.result(t)
	if c := change(t, r, "s3"); c.Previous != "s1" || math.Abs(c.Whole.Change.Log()+0.2) > 0.02 {
		t.Errorf("s3 after %s: %v, want after s1 by -0.2", c.Previous, c.Whole.Change)
	}
	for i, want := range map[int]string{1: "did not build: undefined: x", 3: "did not build: y"} {
		if s := r.Arc.Steps[i]; s.Text != want || s.Gap == nil || r.Tables[0].Steps[i].Whole != nil {
			t.Errorf("%s: %q", s.Variant, s.Text)
		}
	}
	if w := warned(r, "steps-gap"); w == nil || len(w.Facts) != 2 || w.Facts[0] != "step 2, s2: undefined: x" {
		t.Errorf("warning %v", w)
	}
	if r.Answer.Use != "s3" || r.Spent.Stop != "decided" {
		t.Errorf("use %q, stopped by %q", r.Answer.Use, r.Spent.Stop)
	}
}

// Steps of the same code are no comparison; one that goes back to earlier code has
// that code's figures.
func TestStepsOfTheSameCode(t *testing.T) {
	w := chainWorld(3, names(2), -0.2, 0, 0.2, 0)
	w.plan.Variants = slices.DeleteFunc(w.plan.Variants, func(v assay.Variant) bool { return v.Name != "base" && v.Name != "s1" && !v.Control })
	w.plan.Same = []assay.SameCode{{Variant: "s2", As: "s1"}, {Variant: "s3", As: "base"}, {Variant: "s4", As: "base"}}
	r := w.result(t)
	for i, want := range []assay.Verdict{assay.Faster, assay.SameCoded, assay.Slower, assay.SameCoded} {
		if c := r.Tables[0].Steps[i]; c.Whole.Verdict != want || c.Cells[0].Verdict != want {
			t.Errorf("%s: %s and %s, want %s", c.Variant, c.Whole.Verdict, c.Cells[0].Verdict, want)
		}
	}
	if c := change(t, r, "s3"); math.Abs(c.Whole.Change.Log()-0.2) > 0.02 || math.Abs(c.Whole.Value/1e-6-1) > 0.02 || c.Text != "same code as base" {
		t.Errorf("back to the base: %v, %g s, %q", c.Whole.Change, c.Whole.Value, c.Text)
	}
	if got := r.Arc.Steps[1].Text; got != "same code as s1: nothing to measure" {
		t.Errorf("text %q", got)
	}
	if r.Answer.Verdict != assay.SameCoded || r.Answer.Use != "" || !strings.HasPrefix(r.Answer.Text[0], "step 4, s4, is the same code as base") {
		t.Errorf("answer %+v", r.Answer)
	}
	if len(r.Arc.Compound) != 1 || !r.Arc.Compound[0].Agree {
		t.Errorf("compound %+v", r.Arc.Compound)
	}
}

// A benchmark that some steps lack is measured where it is, and in no geomean.
func TestBenchmarksThatStepsLack(t *testing.T) {
	w := chainWorld(4, names(3), -0.1, -0.1, -0.1)
	w.plan.Benchmarks[0].Missing = []string{"s2"}
	r := w.result(t)
	if r.Spent.Stop != "decided" || r.Tables[0].Common != 2 {
		t.Errorf("stopped by %q, %d common benchmarks, want decided and 2", r.Spent.Stop, r.Tables[0].Common)
	}
	cells := r.Tables[0].Rows[0].Cells
	if cells[1].Verdict != assay.Withheld || cells[1].Reason != notInStep || cells[2].Verdict != assay.Faster || cells[2].N < 5 {
		t.Errorf("cells %+v", cells)
	}
	for step, want := range map[string]int{"s1": 3, "s2": 2, "s3": 2} {
		if c := change(t, r, step); len(c.Cells) != want {
			t.Errorf("%s has %d cells, want %d", step, len(c.Cells), want)
		}
	}
	if m := r.Arc.Steps[1].Missing; len(m) != 1 || m[0].Name != "B0" || r.Arc.Steps[0].Missing != nil {
		t.Errorf("missing %v", m)
	}
	// With one left that all have, it stands for the whole.
	w = chainWorld(4, names(2), -0.1, -0.1)
	w.plan.Benchmarks[0].Missing = []string{"s2"}
	r = w.result(t)
	if c := change(t, r, "s2"); c.Whole == nil || c.Whole.Benchmark.Name != "B1" || r.Answer.Use != "s2" {
		t.Errorf("whole %+v, answer %v", c.Whole, r.Answer.Text)
	}
	// Nothing to compare with, where the base lacks it.
	w = chainWorld(4, names(2), -0.1, -0.1)
	w.plan.Benchmarks[0].Missing = []string{"base"}
	r = w.result(t)
	if c := r.Tables[0].Rows[0].Cells[0]; c.Verdict != assay.Invalid || r.Answer.Use != "s2" {
		t.Errorf("cell %+v, answer %v", c, r.Answer.Text)
	}
}

// Counts that never vary are compared by equality, from step to step too, and
// judged by the gate.
func TestAllocsGate(t *testing.T) {
	w := chainWorld(5, []string{"Decode", "Encode"}, 0, 0, 0)
	times := w.f
	allocs := map[string]float64{"base": 10, "control": 10, "s1": 12, "s2": 11, "s3": 0}
	w.f = func(v, b string, block int) map[string]float64 {
		m := times(v, b, block)
		m[assay.MetricAllocs] = 3
		if b == "Decode" {
			m[assay.MetricAllocs] = allocs[v]
		}
		return m
	}
	for against, want := range map[string][]assay.GateStatus{
		"":                    {assay.GateFailed, assay.GateFailed, assay.GateHeld},
		assay.AgainstPrevious: {assay.GateFailed, assay.GateHeld, assay.GateHeld},
	} {
		w.block = 0
		w.plan.Study.Gates = assay.Gates{Allocs: assay.GateNoMore, Against: against}
		r := w.result(t)
		for i, s := range r.Arc.Steps {
			if len(s.Gates) != 1 || s.Gates[0].Status != want[i] {
				t.Errorf("against %q: %s %+v, want %s", against, s.Variant, s.Gates, want[i])
			}
		}
		if g := r.Arc.Steps[0].Gates[0]; g.Text != "1 benchmark of 2 allocates more often" || len(g.Evidence) != 1 || g.Evidence[0] != "Decode: 12 allocs/op, +20.0 % (exact)" {
			t.Errorf("gate %+v", g)
		}
		if got := r.Arc.Steps[0].Text; !strings.HasPrefix(got, "fails the gate allocs: 1 benchmark of 2 allocates more often; ") {
			t.Errorf("text %q", got)
		}
		c := r.Tables[1].Steps[2].Cells[0]
		if !c.Exact || c.Verdict != assay.Less || c.Value != 0 {
			t.Errorf("from 11 to 0: %+v", c)
		}
	}
	w.f = times
	r := w.result(t)
	if g := r.Arc.Steps[0].Gates[0]; g.Status != assay.GateUnknown {
		t.Errorf("not measured: %+v", g)
	}
}

// What the gates said before the run is told once, and of the last step in the
// answer.
func TestFailedGates(t *testing.T) {
	w := chainWorld(6, names(2), -0.3, -0.3)
	w.plan.Gates = []assay.GateResult{
		{Variant: "s1", Gate: assay.GateAPI, Status: assay.GateHeld},
		{Variant: "s2", Gate: assay.GateOldTests, Status: assay.GateFailed, Against: "base", Text: "10 tests fail"}}
	w.plan.Study.Report = assay.Report{Title: "T"}
	r := w.result(t)
	if got := strings.Join(r.Answer.Text, "\n"); !strings.Contains(got, "step 2 fails the gate old tests: 10 tests fail") {
		t.Errorf("answer %s", got)
	}
	x := warned(r, "gate-failed")
	if x == nil || len(x.Facts) != 1 || x.Facts[0] != "step 2, s2: old tests against base: 10 tests fail" || !strings.HasPrefix(x.Text, "1 step of 2 fails a gate") {
		t.Errorf("warning %+v", x)
	}
	if r.Report.Title != "T" || !r.Arc.Steps[1].Failed() || r.Arc.Steps[0].Failed() {
		t.Errorf("report %+v, steps %+v", r.Report, r.Arc.Steps)
	}
}

// A step's movers are those it is about, then the largest.
func TestMovers(t *testing.T) {
	cell := func(name string, ln float64, v assay.Verdict) assay.Comparison {
		return assay.Comparison{Benchmark: assay.Benchmark{Name: name}, Change: assay.ChangeOfLog(ln), Verdict: v}
	}
	c := assay.StepChange{Cells: []assay.Comparison{cell("A", -0.2, assay.Faster), cell("B", 0.5, assay.Slower), cell("C", 0.9, assay.Unclear),
		cell("D/x", -0.1, assay.Faster), cell("E", -0.3, assay.Faster)}}
	var got []string
	for _, x := range answer.Movers(c, []string{"D/", ""}) {
		got = append(got, x.Benchmark.Name)
	}
	if want := []string{"D/x", "B", "E"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A chain that goes on from an earlier run: the first blocks lack the new steps.
// These get their blocks, and what is decided does not run again.
func TestEarlierBlocks(t *testing.T) {
	for _, together := range []int{0, 6} {
		w := chainWorld(8, names(2), -0.1, -0.1, -0.1, 0.1, -0.1, 0.1, 0, -0.3)
		w.plan.Together, w.plan.Earlier = together, "old1"
		tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
		for range 40 {
			block := w.next(tr.Turns())
			block = slices.DeleteFunc(block, func(x assay.Trial) bool { return x.Variant == "s8" || x.Variant == "s7" })
			for i := range block {
				block[i].Run = "old1"
			}
			tr.Add(block)
		}
		if tr.Spent() != 0 {
			t.Errorf("%v spent on what an earlier run measured", tr.Spent())
		}
		next := tr.Next()
		if next.Stop != "" || !slices.Contains(next.Variants, "s8") || !slices.Contains(next.Variants, "s7") || slices.Contains(next.Variants, "s2") {
			t.Errorf("together %d: next %+v, want the new steps and not s2", together, next)
		}
		r := tr.Result(assay.Platform{}, w.run(tr))
		if r.Spent.Stop != "decided" || change(t, r, "s8").Whole.Verdict != assay.Faster || change(t, r, "s7").Whole.N < tr.set.From {
			t.Errorf("together %d: stopped by %q, %+v", together, r.Spent.Stop, change(t, r, "s8").Whole)
		}
		if tr.set.Benchmarks[0].Ran["s2"] >= tr.set.Benchmarks[0].Ran["s6"] && together == 0 {
			t.Errorf("ran %v: s2 ran on", tr.set.Benchmarks[0].Ran)
		}
	}
}

// With more steps than a block holds, every pair of neighbours meets often enough,
// and blocks go where the doubt is.
func TestWindowsOfSteps(t *testing.T) {
	changes := make([]float64, 20)
	for i := range changes {
		changes[i] = []float64{-0.1, 0.1, 0.05, 0}[i%4]
	}
	w := chainWorld(9, names(3), changes...)
	w.plan.Together = 6
	w.plan.Benchmarks[2].Missing = []string{"s5", "s6"}
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	stop := assay.StopReason("")
	for range 600 {
		next := tr.Next()
		if stop = next.Stop; stop != "" {
			break
		}
		tr.Add(w.hold(next))
	}
	r := tr.Result(assay.Platform{}, stop)
	if stop != "decided" {
		t.Errorf("stopped by %q after %d blocks", stop, tr.set.Blocks)
	}
	for i, c := range r.Tables[0].Steps {
		if c.Whole.N < tr.set.From || c.Whole.Verdict == assay.Unclear || !c.Whole.Interval.Covers(assay.ChangeOfLog(changes[i])) {
			t.Errorf("%s: %+v, want about %v", c.Variant, c.Whole, changes[i])
		}
	}
	if r.Tables[0].Common != 2 || !r.Arc.Compound[0].Agree {
		t.Errorf("%d common, compound %+v", r.Tables[0].Common, r.Arc.Compound)
	}
	t.Logf("%d blocks, %d trials", tr.set.Blocks, tr.set.Trials)
}

// Blocks that contradict each other are told: here the first step is slower
// whenever the second runs beside it.
func TestCompoundDisagrees(t *testing.T) {
	w := chainWorld(10, names(1), -0.3, -0.2)
	r := rand.New(rand.NewPCG(1, 1))
	w.plan.Earlier = "part" // so that a block may lack a step
	tr := NewTracker(w.plan, time.Hour)
	for n := range 120 {
		absent, first := []string{"s1", "s2", "s1", "s2", ""}[n%5], -0.3
		if absent == "" {
			first = -0.25
		}
		block := slices.DeleteFunc(w.next(tr.Turns()), func(x assay.Trial) bool { return x.Variant == absent })
		for i, x := range block {
			ln := map[string]float64{"s1": first, "s2": -0.5}[x.Variant]
			block[i].Observations = map[string]float64{assay.MetricTime: 1e-6 * math.Exp(ln+0.01*r.NormFloat64())}
		}
		tr.Add(block)
	}
	res := tr.Result(assay.Platform{}, "blocks")
	if len(res.Arc.Compound) != 1 || res.Arc.Compound[0].Agree {
		t.Fatalf("compound %+v agrees", res.Arc.Compound)
	}
	if x := warned(res, "compound"); x == nil || len(x.Facts) != 3 || !strings.HasPrefix(x.Facts[0], "all steps together: −4") {
		t.Errorf("warning %+v", x)
	}
}

// Pair and Merge take results of chains.
func TestPairAndMergeOfSteps(t *testing.T) {
	w := chainWorld(11, names(2), -0.1, -0.1, -0.1)
	w.plan.Benchmarks[1].Missing = []string{"s3"}
	tr := NewTracker(w.plan, time.Hour)
	var blocks [][]assay.Trial
	for range 12 {
		block := w.next(tr.Turns())
		block = slices.DeleteFunc(block, func(x assay.Trial) bool { return x.Variant == "s3" && x.Benchmark.Name == "B1" })
		blocks = append(blocks, block)
		tr.Add(block)
	}
	r, err := followed(w.plan, blocks).Pair(blocks, "s1", "s3", assay.Platform{})
	if err != nil || r.Arc != nil || r.Tables[0].Steps != nil {
		t.Fatalf("pair: %v, arc %v", err, r.Arc)
	}
	if c := r.Tables[0].Rows[0].Cells[0]; c.Verdict != assay.Faster || len(r.Tables[0].Rows) != 1 {
		t.Errorf("pair: %+v", r.Tables[0].Rows)
	}
	here, there := tr.Result(assay.Platform{ID: "a", GOOS: "linux"}, ""), tr.Result(assay.Platform{ID: "b", GOOS: "darwin"}, "")
	there.Run, there.Arc.Steps[1].Gap = "other", &assay.Gap{Variant: "s2", Reason: "x"}
	m, err := Merge(partsOf(nil, *here, *there))
	if err != nil || len(m.Machines) != 2 || m.Machines[0].Result.Arc.Steps[1].Gap != nil || m.Machines[1].Result.Arc.Steps[1].Gap == nil {
		t.Errorf("merged %+v: %v", m, err)
	}
}

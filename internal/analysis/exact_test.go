package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// counts is a world of allocs/op with three rounds a block, which f gives one by
// one; only it decides.
func counts(f func(variant string, round int) float64, variants ...string) *world {
	w := newWorld([]string{"X"}, variants...)
	w.plan.Study.Measure.Inner = 3
	w.plan.Study.Decide.Metrics = []string{assay.MetricAllocs}
	w.plan.Metrics = []assay.Metric{{Name: assay.MetricAllocs, Better: assay.BetterLower, MinEffect: 0.01}}
	round := map[string]int{}
	w.f = func(v, _ string, _ int) map[string]float64 {
		round[v]++
		return map[string]float64{assay.MetricAllocs: f(v, round[v]-1)}
	}
	return w
}

func (w *world) blocks(t *Tracker, n int) *assay.Result {
	for range n {
		t.Add(w.next(t.Turns()))
	}
	return t.Result(assay.Platform{}, "blocks")
}

// The median of 5, 6, 5 is not that of 6, 5, 6, in every block: but neither count is
// one number, so that equality decides nothing and no gate fails by it.
func TestExactLooksAtAllTrials(t *testing.T) {
	w := counts(func(v string, round int) float64 {
		if (round%3 == 1) == (v != "b") {
			return 6
		}
		return 5
	}, "a", "b", assay.ControlName)
	w.plan.Study.Decide.Gate = 0.05
	r := w.blocks(NewTracker(w.plan, time.Hour), 9)
	if c := r.Tables[0].Rows[0].Cells[0]; c.Exact || c.Verdict.Differs() {
		t.Errorf("got %s, exact %v, %v", c.Verdict, c.Exact, c.Interval)
	}
	if r.Answer.Gate != answer.GateOpen {
		t.Errorf("gate %s, want undecided: %v", r.Answer.Gate, r.Answer.Text)
	}
}

// A count that is another one in 30 % of all trials is hardly ever called exact.
func TestExactIsRareWhereACountVaries(t *testing.T) {
	const runs = 400
	for _, variants := range [][]string{{"a", "b"}, {"a", "b", assay.ControlName}} {
		exact := 0
		for seed := range uint64(runs) {
			r := rand.New(rand.NewPCG(seed, 3))
			w := counts(func(string, int) float64 {
				if r.Float64() < 0.3 {
					return 101
				}
				return 100
			}, variants...)
			exact += btoi(w.blocks(NewTracker(w.plan, time.Hour), 10).Tables[0].Rows[0].Cells[0].Exact)
		}
		// .7^20 is .0008, .7^30 less.
		if exact > 6 {
			t.Errorf("%v: %d of %d are exact", variants, exact, runs)
		}
	}
}

// Two blocks with a value each are no proof that a count never varies: there is no verdict,
// but the answer has what is so far, and a gate fails from the first block.
func TestExactNeedsTheMinimumOfBlocks(t *testing.T) {
	w := counts(func(v string, _ int) float64 { return map[string]float64{"a": 5, "b": 6}[v] }, "a", "b")
	tr := NewTracker(w.plan, time.Hour)
	for n := range 7 {
		r := w.blocks(tr, 1)
		if c := r.Tables[0].Rows[0].Cells[0]; !c.SoFar() || c.Verdict != assay.Unclear || c.Value != 6 || c.Change != 0.2 || !strings.Contains(c.Reason, "of 8 blocks") {
			t.Errorf("after %d blocks: %s, exact %v (%s)", n+1, c.Verdict, c.Exact, c.Reason)
		}
		if next := tr.Next(); next.Stop != "" {
			t.Fatalf("after %d blocks it stops: %s", n+1, next.Stop)
		}
		if text := strings.Join(r.Answer.Text, "\n"); r.Answer.Decided || !strings.Contains(text, "\nso far: allocs/op of b 5 → 6 in every trial") {
			t.Errorf("after %d blocks, decided %t: %q", n+1, r.Answer.Decided, text)
		}
	}
	if c := w.blocks(tr, 1).Tables[0].Rows[0].Cells[0]; !c.Exact || c.Verdict != assay.More || c.Change.Format(0) != "+20.0 %" {
		t.Errorf("after 8 blocks: %s %v, exact %v", c.Verdict, c.Change, c.Exact)
	}
	if next := tr.Next(); next.Stop != "decided" {
		t.Errorf("after 8 blocks it goes on: %+v", next)
	}
}

// What differs between trials of the control, which is the base's own code, is no
// exact number of any variant.
func TestExactAsksTheControl(t *testing.T) {
	w := counts(func(v string, round int) float64 {
		if v == assay.ControlName && round == 4 {
			return 6
		}
		return 5
	}, "a", "b", assay.ControlName)
	if c := w.blocks(NewTracker(w.plan, time.Hour), 10).Tables[0].Rows[0].Cells[0]; c.Exact {
		t.Error("b is exact where the control varied")
	}
}

// What is proved of allocations is named where time is undecided: once for the suite,
// with the number of benchmarks in which it is exact.
func TestAnswerNamesWhatIsProved(t *testing.T) {
	w := noisyWorld(4, []string{"X", "Y", "Z"}, nil, "a", "b")
	time := w.f
	w.f = func(v, b string, block int) map[string]float64 {
		out := time(v, b, block)
		out[assay.MetricTime] *= math.Exp(0.1 * math.Sin(float64(block*len(v+b))))
		out[assay.MetricAllocs] = map[string]float64{"a": 7, "b": 15}[v]
		return out
	}
	w.plan.Metrics = []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.001}, {Name: assay.MetricAllocs, Better: assay.BetterLower, MinEffect: 0.01}}
	r := w.blocks(NewTracker(w.plan, w.plan.Study.Decide.Budget), 11)
	text := strings.Join(r.Answer.Text, "\n")
	if r.Answer.Verdict != assay.Unclear || !strings.Contains(text, "\nproved: allocs/op of b +114.3 % (exact)") {
		t.Errorf("got %s, %q", r.Answer.Verdict, text)
	}
}

// A gate holds or fails by a count from the first block, but not by a time that has the same
// value twice, or a count that varied.
func TestGateOfTheFirstBlock(t *testing.T) {
	for _, c := range []struct {
		metric string
		b      float64
		want   string
	}{
		{assay.MetricAllocs, 6, answer.GateFailed},
		{assay.MetricAllocs, 5, answer.GateHeld},
		{assay.MetricAllocs, 4, answer.GateHeld},
		{assay.MetricTime, 6, answer.GateOpen},
	} {
		w := counts(nil, "a", "b")
		w.plan.Study.Decide.Metrics, w.plan.Study.Decide.Gate = []string{c.metric}, 0.05
		w.plan.Metrics[0].Name = c.metric
		w.f = func(v, _ string, _ int) map[string]float64 {
			if v == "a" {
				return map[string]float64{c.metric: 5}
			}
			return map[string]float64{c.metric: c.b}
		}
		r := w.blocks(NewTracker(w.plan, time.Hour), 1)
		if r.Answer.Gate != c.want {
			t.Errorf("%s %g: gate %s, want %s: %q", c.metric, c.b, r.Answer.Gate, c.want, r.Answer.Text)
		}
		limits, err := Limits(r, []assay.Limit{{Metric: c.metric, Limit: 0.05}})
		if err != nil || string(limits[0].Status) != c.want {
			t.Errorf("%s %g: limit %+v, %v, want %s", c.metric, c.b, limits, err, c.want)
		}
	}
}

// After one block no time has varied yet, and a verdict takes no more blocks for that.
func TestOneTimeIsNotExact(t *testing.T) {
	w := noisyWorld(3, []string{"A"}, nil, "a", "b", assay.ControlName)
	tr := NewTracker(w.plan, time.Hour)
	for _, want := range []string{"1 of 5 blocks", "2 of 5 blocks"} {
		if c := w.blocks(tr, 1).Tables[0].Rows[0].Cells[0]; c.Reason != want {
			t.Errorf("got %q, want %q", c.Reason, want)
		}
	}
}

// A metric with negative values, such as the growth of a heap, has no ratio, and the reason
// does not speak of a base that is 0.
func TestNoRatio(t *testing.T) {
	if got, want := noRatio([]float64{0, 3}, []float64{2}), "sometimes 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := noRatio([]float64{0, 3}, []float64{-10}), "not always above 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

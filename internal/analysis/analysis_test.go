package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/slow"
)

// A world makes trials with known truth, without a lab: values come from f.
type world struct {
	plan  *assay.Plan
	block int
	f     func(variant, benchmark string, block int) map[string]float64
}

func newWorld(benchmarks []string, variants ...string) *world {
	p := &assay.Plan{Schema: assay.PlanSchema, Study: assay.Study{Base: variants[0], Measure: assay.Measure{Inner: 1}}}
	p.Study.SetDefaults()
	for _, v := range variants {
		p.Variants = append(p.Variants, assay.Variant{Name: v, Control: v == assay.ControlName})
		if v != assay.ControlName {
			p.Study.Variants = append(p.Study.Variants, assay.Variant{Name: v})
		}
	}
	for _, b := range benchmarks {
		p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: b}, N: 1, Trial: 50 * time.Millisecond})
	}
	return &world{plan: p}
}

// run feeds blocks until the tracker stops, 200 at most.
func (w *world) run(t *Tracker) (stop assay.StopReason) {
	for range 200 {
		next := t.Next()
		if next.Stop != "" {
			return next.Stop
		}
		t.Add(w.hold(next))
	}
	return ""
}

// next is a block in which all variants are in question.
func (w *world) next(turns []assay.Turn) []assay.Trial { return w.hold(assay.NextBlock{Turns: turns}) }

func (w *world) hold(next assay.NextBlock) []assay.Trial {
	w.block++
	var out []assay.Trial
	for _, turn := range next.Turns {
		for round := 1; round <= turn.Inner; round++ {
			for _, v := range design.Present(w.plan, next, w.block) {
				out = append(out, assay.Trial{Block: w.block, Round: round, Variant: v.Name, Benchmark: turn.Benchmark, Status: assay.StatusOK,
					Duration: 50 * time.Millisecond, Observations: w.f(v.Name, turn.Benchmark.Name, w.block)})
			}
		}
	}
	return out
}

// noisy is a world of sec/op with 1 % noise and the given effects in ln units.
func noisyWorld(seed uint64, benchmarks []string, effects map[string]float64, variants ...string) *world {
	w := newWorld(benchmarks, variants...)
	r := rand.New(rand.NewPCG(seed, 0))
	w.f = func(v, b string, _ int) map[string]float64 {
		return map[string]float64{assay.MetricTime: 1e-6 * math.Exp(effects[v]+effects[v+"/"+b]+0.01*r.NormFloat64())}
	}
	return w
}

func TestVerdictWords(t *testing.T) {
	for _, tc := range []struct {
		metric string
		better assay.Better
		effect float64
		want   assay.Verdict
	}{
		{assay.MetricTime, assay.BetterLower, -0.05, assay.Faster},
		{assay.MetricTime, assay.BetterLower, 0.05, assay.Slower},
		{assay.MetricTime, assay.BetterLower, 0, assay.Same},
		{assay.MetricRate, assay.BetterHigher, 0.05, assay.Higher},
		{assay.MetricRate, assay.BetterHigher, -0.05, assay.Lower},
		{assay.MetricBytes, assay.BetterLower, -0.05, assay.Less},
		{assay.MetricBytes, assay.BetterLower, 0.05, assay.More},
		{"things", assay.BetterUnknown, 0.05, assay.Changed},
	} {
		w := newWorld([]string{"X"}, "a", "b")
		r := rand.New(rand.NewPCG(1, 0))
		w.plan.Study.Decide.Metrics = []string{tc.metric}
		w.plan.Metrics = []assay.Metric{{Name: tc.metric, Better: tc.better, MinEffect: 0.01}}
		w.f = func(v, _ string, _ int) map[string]float64 {
			x := 1000 * math.Exp(0.01*r.NormFloat64())
			if v == "b" {
				x *= math.Exp(tc.effect)
			}
			return map[string]float64{tc.metric: x}
		}
		tr := NewTracker(w.plan, time.Hour)
		if stop := w.run(tr); stop != "decided" {
			t.Errorf("%s %+g: stopped by %q", tc.metric, tc.effect, stop)
		}
		if got := tr.Result(assay.Platform{}, "decided").Tables[0].Rows[0].Cells[0].Verdict; got != tc.want {
			t.Errorf("%s %+g: got %s, want %s", tc.metric, tc.effect, got, tc.want)
		}
	}
}

// Only what is counted is exact. Of other metrics equal values may be rounded ones, and what
// never happened may happen yet.
func TestExactAndZero(t *testing.T) {
	w := newWorld([]string{"X"}, "a", "b")
	w.plan.Study.Decide.Metrics = []string{assay.MetricAllocs}
	w.f = func(v, _ string, block int) map[string]float64 {
		b := 0.0
		if v == "b" {
			b = 1
		}
		return map[string]float64{assay.MetricAllocs: 2 - b, "equal": 2, "zero": b, "none": 0, "sometimes": b * float64(block%2), assay.MetricGCLive: 4 << 20}
	}
	for _, m := range []string{assay.MetricAllocs, "equal", "zero", "none", "sometimes", assay.MetricGCLive} {
		w.plan.Metrics = append(w.plan.Metrics, assay.Metric{Name: m, Better: assay.BetterLower, MinEffect: 0.01})
	}
	tr := NewTracker(w.plan, time.Hour)
	for range 12 {
		tr.Add(w.next([]assay.Turn{{Benchmark: w.plan.Benchmarks[0].Benchmark, Inner: 1}}))
	}
	r := tr.Result(assay.Platform{}, "")
	for _, tab := range r.Tables {
		c := tab.Rows[0].Cells[0]
		got := fmt.Sprint(c.Verdict, " ", c.Exact)
		want := map[string]string{assay.MetricAllocs: "less true", "equal": "same false", "zero": "more false", "none": "same false", "sometimes": "unclear false",
			assay.MetricGCLive: "unclear false"}[tab.Metric.Name]
		if got != want {
			t.Errorf("%s: got %s, want %s (%+v)", tab.Metric.Name, got, want, c)
		}
		if math.IsNaN(float64(c.Change)) || math.IsInf(float64(c.Change), 0) {
			t.Errorf("%s: change is %v", tab.Metric.Name, c.Change)
		}
	}
}

// What was foretold of the budget does not stand beside verdicts.
func TestForetoldAndRefuted(t *testing.T) {
	w := noisyWorld(1, []string{"A"}, nil, "base", "v")
	left := assay.Warning{Code: "left-out", Text: "1 of 2 benchmarks are not measured"}
	w.plan.Warnings = []assay.Warning{{Code: assay.CodeShortBudget, Text: "nothing can be decided"}, left}
	tr := NewTracker(w.plan, time.Hour)
	first := schedule.FirstVerdict(w.plan)
	for block := 1; block <= first; block++ {
		tr.Add(w.next([]assay.Turn{{Benchmark: w.plan.Benchmarks[0].Benchmark, Inner: 1}}))
		ws := tr.Result(assay.Platform{}, "").Warnings
		has := func(code assay.Code) bool {
			return slices.ContainsFunc(ws, func(w assay.Warning) bool { return w.Code == code })
		}
		if has(assay.CodeShortBudget) != (block < first) || !has(left.Code) {
			t.Errorf("after %d of the %d blocks of a first verdict: %v", block, first, ws)
		}
	}
}

// Among 40 cells without an effect one interval in a hundred leaves out zero by
// design; e-BH must keep such a cell from being claimed.
func TestManyComparisonsAreControlled(t *testing.T) { checkManyComparisons(t, 8) }

func TestSlowManyComparisonsAreControlled(t *testing.T) {
	slow.Test(t)
	checkManyComparisons(t, 25)
}

func checkManyComparisons(t *testing.T, studies int) {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("B%02d", i))
	}
	false_ := 0
	for seed := range uint64(studies) {
		w := noisyWorld(seed, names, nil, "a", "b")
		w.plan.Study.Decide.MaxBlocks = 40
		tr := NewTracker(w.plan, time.Hour)
		w.run(tr)
		for _, row := range tr.Result(assay.Platform{}, "").Tables[0].Rows {
			if row.Cells[0].Verdict.Differs() {
				false_++
			}
		}
	}
	if false_ > 2 {
		t.Errorf("%d of %d cells without an effect were claimed", false_, 40*studies)
	}
}

func TestGate(t *testing.T) {
	for _, tc := range []struct {
		effect float64
		want   string
	}{{0.08, answer.GateFailed}, {0, answer.GateHeld}, {-0.05, answer.GateHeld}, {0.02, answer.GateHeld}} {
		w := noisyWorld(1, []string{"X", "Y"}, map[string]float64{"b": tc.effect}, "a", "b")
		w.plan.Study.Decide.Gate = 0.05
		tr := NewTracker(w.plan, time.Hour)
		stop := w.run(tr)
		if got := tr.Result(assay.Platform{}, stop).Answer.Gate; got != tc.want || stop != "decided" {
			t.Errorf("effect %+g: got gate %q by %q, want %q", tc.effect, got, stop, tc.want)
		}
	}
}

// A gate near the effect cannot be decided in few blocks: it must say so.
func TestGateUndecided(t *testing.T) {
	w := noisyWorld(1, []string{"X"}, map[string]float64{"b": 0.05}, "a", "b")
	w.plan.Study.Decide.Gate, w.plan.Study.Decide.MaxBlocks = 0.05, 12
	tr := NewTracker(w.plan, time.Hour)
	w.run(tr)
	if got := tr.Result(assay.Platform{}, "blocks").Answer.Gate; got != answer.GateOpen {
		t.Errorf("got %q, want undecided", got)
	}
}

func TestAnswers(t *testing.T) {
	for _, tc := range []struct {
		name     string
		effects  map[string]float64
		variants []string
		verdict  assay.Verdict
		use      string
		text     string
	}{
		{"faster", map[string]float64{"b": -0.1}, []string{"a", "b"}, assay.Faster, "b", "use b: 9."},
		{"slower", map[string]float64{"b": 0.1}, []string{"a", "b"}, assay.Slower, "a", "use a: b takes"},
		{"same", nil, []string{"a", "b"}, assay.Same, "", "keep a: b is the same within ±1 %"},
		{"mixed", map[string]float64{"b/X": 0.1, "b/Y": -0.1}, []string{"a", "b"}, assay.Mixed, "", "depends on the benchmark"},
		{"best of three", map[string]float64{"b": -0.05, "c": -0.2}, []string{"a", "b", "c"}, assay.Faster, "c", "use c: "},
		{"base is best", map[string]float64{"b": 0.05, "c": 0.2}, []string{"a", "b", "c"}, assay.Slower, "a", "every other variant is worse"},
		{"two as good", map[string]float64{"b": -0.1, "c": -0.1}, []string{"a", "b", "c"}, assay.Faster, "", "c is tied with b"},
	} {
		w := noisyWorld(3, []string{"X", "Y"}, tc.effects, append(tc.variants, assay.ControlName)...)
		if tc.name == "two as good" {
			w.plan.Study.Decide.MinBlocks = 12 // so that any two could be told apart
		}
		tr := NewTracker(w.plan, time.Hour)
		stop := w.run(tr)
		a := tr.Result(assay.Platform{}, stop).Answer
		text := strings.Join(append(a.Text, a.Undecided, a.Basis), " / ")
		if a.Verdict != tc.verdict || (tc.use != "" && a.Use != tc.use) || !strings.Contains(text, tc.text) {
			t.Errorf("%s: got %s, use %q, %q; want %s, use %q, %q", tc.name, a.Verdict, a.Use, text, tc.verdict, tc.use, tc.text)
		}
		if !a.Decided {
			t.Errorf("%s: not decided: %s", tc.name, stop)
		}
	}
}

// The geomean is a mean over blocks that have every benchmark, never over the
// points of those that happen to be there.
func TestGeomeanUsesCompleteBlocksOnly(t *testing.T) {
	w := noisyWorld(5, []string{"X", "Y"}, nil, "a", "b")
	tr := NewTracker(w.plan, time.Hour)
	both := []assay.Turn{{Benchmark: assay.Benchmark{Name: "X"}, Inner: 1}, {Benchmark: assay.Benchmark{Name: "Y"}, Inner: 1}}
	for range 10 {
		tr.Add(w.next(both))
	}
	for range 5 {
		tr.Add(w.next(both[:1]))
	}
	if g := tr.set.Suite(assay.MetricTime).Geomean("b"); len(g.D) != 10 {
		t.Errorf("geomean over %d blocks, want the 10 complete ones", len(g.D))
	}
	if n := tr.Result(assay.Platform{}, "").Tables[0].Rows[0].Cells[0].N; n != 15 {
		t.Errorf("X itself has %d blocks, want 15", n)
	}
}

// A jump in the middle of a run fits no constant change: with certainty enough
// that is invalid, not an average.
func TestDriftIsInvalid(t *testing.T) {
	w := newWorld([]string{"X"}, "a", "b")
	r := rand.New(rand.NewPCG(1, 0))
	w.f = func(v, _ string, block int) map[string]float64 {
		x := 1e-6 * math.Exp(0.001*r.NormFloat64())
		if v == "b" && block > 30 {
			x *= 1.2
		}
		return map[string]float64{assay.MetricTime: x}
	}
	w.plan.Study.Decide.MinBlocks, w.plan.Study.Decide.MaxBlocks = 150, 150
	tr := NewTracker(w.plan, time.Hour)
	w.run(tr)
	c := tr.Result(assay.Platform{}, "blocks").Tables[0].Rows[0].Cells[0]
	if c.Verdict != assay.Invalid || !strings.Contains(c.Reason, "drift") {
		t.Errorf("got %s (%s), want invalid: drift", c.Verdict, c.Reason)
	}
}

// A comparison in no list is decided by its interval, which holds at every
// number of blocks at once: that a few wild blocks later lower the e-value takes
// nothing back.
func TestIntervalAloneDecidesOutsideLists(t *testing.T) {
	w := newWorld([]string{"X"}, "a", "b")
	w.f = func(v, _ string, block int) map[string]float64 {
		ln := 0.0005 * float64(block%3)
		if v == "b" {
			ln -= 0.03
			if block > 12 {
				ln += []float64{0.4, -0.4}[block%2]
			}
		}
		return map[string]float64{assay.MetricTime: 1e-6 * math.Exp(ln+1e-5*float64(block*block%7))}
	}
	tr := NewTracker(w.plan, time.Hour)
	for range 16 {
		tr.Add(w.next([]assay.Turn{{Benchmark: w.plan.Benchmarks[0].Benchmark, Inner: 1}}))
	}
	c := tr.Result(assay.Platform{}, "").Tables[0].Rows[0].Cells[0]
	if c.E >= 100 {
		t.Fatalf("the e-value is %g: the blocks are not wild enough for this test", c.E)
	}
	if c.Verdict != assay.Faster {
		t.Errorf("got %s (%s) %v, want faster", c.Verdict, c.Reason, c.Interval)
	}
}

// Peak memory is not always known. A metric that no block has on both sides is
// left out; it must not become a number that JSON cannot hold.
func TestMetricThatIsMissingAtTimes(t *testing.T) {
	values := func(metric, variant string, blocks []int) assay.Sample {
		x := assay.Sample{Benchmark: assay.Benchmark{Name: "X"}, Variant: variant, Metric: metric, Blocks: blocks}
		for i := range blocks {
			x.Values = append(x.Values, float64(1000+i))
		}
		return x
	}
	all := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	s := &assay.Samples{Variants: []string{"a", "b"}, Metrics: []assay.Metric{{Name: assay.MetricTime}, {Name: assay.MetricRSS}},
		Samples: []assay.Sample{values(assay.MetricTime, "a", all), values(assay.MetricTime, "b", all),
			values(assay.MetricRSS, "a", all[:5]), values(assay.MetricRSS, "b", all[5:])}}
	var d assay.Study
	d.SetDefaults()
	r := FromSamples(s, d.Decide)
	if _, err := json.Marshal(r); err != nil {
		t.Fatal(err)
	}
	for _, tab := range r.Tables {
		if want := map[string]int{assay.MetricTime: 1, assay.MetricRSS: 0}[tab.Metric.Name]; len(tab.Rows) != want {
			t.Errorf("%s has %d rows, want %d", tab.Metric.Name, len(tab.Rows), want)
		}
	}
}

// A command that answers differently is wrong, not slow: it is out for every
// variant, under its own name.
func TestWrongOutputIsInvalid(t *testing.T) {
	w := noisyWorld(1, []string{"sieve", "loop"}, nil, "old", "new", assay.ControlName)
	w.plan.Study.Workloads = []assay.Workload{{Kind: assay.KindCommand, Names: []string{"sieve", "loop"}}}
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	for range 10 {
		block := w.next(tr.Turns())
		if block[0].Block == 4 {
			block[1].Status, block[1].Reason, block[1].Observations = assay.StatusWrong, "the output differs from old's", nil
		}
		tr.Add(block)
	}
	r := tr.Result(assay.Platform{}, "")
	c := r.Tables[0].Rows[0].Cells[0]
	if c.Verdict != assay.Invalid || c.Reason != "answered differently: the output differs from old's" {
		t.Errorf("got %s, %q, want invalid with the reason", c.Verdict, c.Reason)
	}
	if other := r.Tables[0].Rows[1].Cells[0]; other.Verdict == assay.Invalid || other.N != 10 {
		t.Errorf("the other program: %+v, want it to go on", other)
	}
	if r.Warnings[0].Code != "wrong-output" || !strings.HasPrefix(r.Warnings[0].Text, "sieve answered differently in ") ||
		!strings.Contains(r.Warnings[0].Advice, "--expect any") {
		t.Errorf("warnings %v, want wrong-output of sieve", r.Warnings)
	}
}

// Cells are judged in parallel, which changes nothing.
func TestConcurrentSamples(t *testing.T) {
	s := &assay.Samples{Variants: []string{"a", "b"}, Metrics: []assay.Metric{{Name: assay.MetricTime}}}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		for _, v := range s.Variants {
			x := assay.Sample{Benchmark: assay.Benchmark{Name: fmt.Sprint("X", i)}, Variant: v, Metric: assay.MetricTime}
			for block := range 12 {
				x.Blocks, x.Values = append(x.Blocks, block+1), append(x.Values, 1e-6*math.Exp(0.01*rnd.NormFloat64()))
			}
			s.Samples = append(s.Samples, x)
		}
	}
	var d assay.Study
	d.SetDefaults()
	result := func() string {
		text, err := json.Marshal(FromSamples(s, d.Decide))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	parallel := result()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if result() != parallel {
		t.Error("one after the other gives another result")
	}
}

// A metric that no variant has in every trial of a benchmark has no table: there is nothing
// to compare, and a table without rows is none.
func TestMetricWithoutRows(t *testing.T) {
	w := noisyWorld(1, []string{"x"}, nil, "old", "new")
	time := w.f
	w.f = func(v, b string, block int) map[string]float64 {
		out := time(v, b, block)
		if (v == "old") == (block%2 == 0) {
			out[assay.MetricRSS] = 1e7
		}
		return out
	}
	tr := NewTracker(w.plan, 0)
	for range 4 {
		tr.Add(w.next([]assay.Turn{{Benchmark: assay.Benchmark{Name: "x"}, Inner: 1}}))
	}
	r := tr.Result(assay.Platform{}, "")
	if len(r.Tables) != 1 || len(r.Tables[0].Rows) != 1 || r.Tables[0].Metric.Name != assay.MetricTime {
		t.Errorf("tables %+v, want that of sec/op alone", r.Tables)
	}
	if data, err := json.Marshal(NewTracker(w.plan, 0).Result(assay.Platform{}, "")); err != nil || strings.Contains(string(data), `"rows":null`) {
		t.Errorf("before the first block: %v, %s", err, data)
	}
}

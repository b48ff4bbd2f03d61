package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1318a441/assay"
)

// sweep is a world of GOGC: more memory buys time, but "waste" takes as much
// time as the base and more memory.
func sweep(seed uint64) *world {
	time := map[string]float64{"200": -0.1, "400": -0.15, "waste": 0.02}
	memory := map[string]float64{"200": 0.4, "400": 0.9, "waste": 0.5}
	w := newWorld([]string{"X", "Y"}, "100", "200", "400", "waste", assay.ControlName)
	r := rand.New(rand.NewPCG(seed, 0))
	w.f = func(v, _ string, _ int) map[string]float64 {
		return map[string]float64{
			assay.MetricTime: 1e-3 * math.Exp(time[v]+0.01*r.NormFloat64()),
			assay.MetricRSS:  float64(int(1e8 * math.Exp(memory[v]+0.01*r.NormFloat64()))),
		}
	}
	return w
}

func TestTradeoffMarksTheFront(t *testing.T) {
	w := sweep(1)
	w.plan.Study.Decide.Tradeoff = []string{assay.MetricTime, assay.MetricRSS}
	w.plan.Metrics = []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}, {Name: assay.MetricRSS, Better: assay.BetterLower, MinEffect: 0.01}}
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	r := tr.Result(assay.Platform{}, w.run(tr))
	if r.Tradeoff == nil || len(r.Tradeoff.Points) != 4 {
		t.Fatalf("got %+v, want four points", r.Tradeoff)
	}
	for i, want := range []string{"", "", "", "100"} {
		p := r.Tradeoff.Points[i]
		if p.Beaten != want {
			t.Errorf("%s is beaten by %q, want %q", p.Variant, p.Beaten, want)
		}
	}
	base, half := r.Tradeoff.Points[0], r.Tradeoff.Points[2]
	if base.Changes != [2]assay.Change{} || math.Abs(base.Values[0]/1e-3-1) > 0.02 || math.Abs(base.Values[1]/1e8-1) > 0.02 {
		t.Errorf("the base is at %v %v", base.Values, base.Changes)
	}
	if math.Abs(half.Changes[1].Log()-0.9) > 0.03 || math.Abs(half.Values[1]/1e8-math.Exp(0.9)) > 0.1 {
		t.Errorf("400 is at %v %v, want e^0.9 of the memory", half.Values, half.Changes)
	}
}

// Where nothing differs, nothing is beaten, however the points lie.
func TestTradeoffClaimsNothingByChance(t *testing.T) {
	beaten := 0
	for seed := range uint64(40) {
		w := sweep(seed)
		w.plan.Study.Decide.Tradeoff = []string{assay.MetricTime, "other"}
		w.plan.Metrics = []assay.Metric{{Name: "other", Better: assay.BetterHigher, MinEffect: 0.01}}
		r := rand.New(rand.NewPCG(seed, 7))
		w.f = func(string, string, int) map[string]float64 {
			return map[string]float64{assay.MetricTime: math.Exp(0.01 * r.NormFloat64()), "other": math.Exp(0.01 * r.NormFloat64())}
		}
		tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
		for range 20 {
			tr.Add(w.next(tr.Turns()))
		}
		for _, p := range tr.Result(assay.Platform{}, "").Tradeoff.Points {
			if p.Beaten != "" {
				beaten++
			}
		}
	}
	if beaten > 2 {
		t.Errorf("%d of 160 points are beaten by their like", beaten)
	}
}

// More of a rate is better, so that a variant with less of it at the same time
// is beaten.
func TestTradeoffKnowsWhatIsBetter(t *testing.T) {
	w := sweep(3)
	w.plan.Study.Decide.Tradeoff = []string{assay.MetricTime, assay.MetricRSS}
	w.plan.Metrics = []assay.Metric{{Name: assay.MetricRSS, Better: assay.BetterHigher, MinEffect: 0.01}}
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	r := tr.Result(assay.Platform{}, w.run(tr))
	for i, want := range []string{"200", "400", "", "400"} {
		if p := r.Tradeoff.Points[i]; p.Beaten != want {
			t.Errorf("%s is beaten by %q, want %q", p.Variant, p.Beaten, want)
		}
	}
}

func TestTradeoffByDefault(t *testing.T) {
	level := func(env string) []assay.Level {
		return []assay.Level{{Name: "a"}, {Name: "b", Setting: assay.Variant{Env: map[string]string{env: "50"}}}}
	}
	for _, tc := range []struct {
		env  string
		rss  bool
		want bool
	}{{"GOGC", true, true}, {"GOMEMLIMIT", true, true}, {"GOGC", false, false}, {"GODEBUG", true, false}} {
		w := sweep(2)
		w.plan.Study.Factors = []assay.Factor{{Name: "f", Levels: level(tc.env)}}
		f := w.f
		w.f = func(v, b string, n int) map[string]float64 {
			m := f(v, b, n)
			if !tc.rss {
				delete(m, assay.MetricRSS)
			}
			return m
		}
		w.plan.Metrics = []assay.Metric{{Name: assay.MetricRSS, Better: assay.BetterLower}}
		tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
		for range 12 {
			tr.Add(w.next(tr.Turns()))
		}
		if got := tr.Result(assay.Platform{}, "").Tradeoff != nil; got != tc.want {
			t.Errorf("%+v: a trade-off is there: %v", tc, got)
		}
	}
}

// A point that is faster is no better where it takes more memory than the margin
// allows, though few noisy blocks may not show it: of true front points at most one
// in twenty may be called beaten. One that is faster and takes as much is.
func TestTradeoffAsksForProofOnBothMetrics(t *testing.T) {
	const runs = 200
	for _, x := range []struct {
		memory      float64
		least, most int
	}{{0.015, 0, 10}, {0, runs / 2, runs}} {
		beaten := 0
		for seed := range uint64(runs) {
			w := newWorld([]string{"X"}, "a", "b")
			r := rand.New(rand.NewPCG(seed, 9))
			w.f = func(v, _ string, _ int) map[string]float64 {
				b := float64(btoi(v == "b"))
				sd := 0.03
				if x.memory == 0 {
					sd = 0.005
				}
				return map[string]float64{assay.MetricTime: math.Exp(-0.1*b + 0.01*r.NormFloat64()), assay.MetricRSS: 1e8 * math.Exp(x.memory*b+sd*r.NormFloat64())}
			}
			w.plan.Study.Decide.Tradeoff = []string{assay.MetricTime, assay.MetricRSS}
			w.plan.Metrics = []assay.Metric{{Name: assay.MetricRSS, Better: assay.BetterLower, MinEffect: 0.01}}
			tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
			for range 20 {
				tr.Add(w.next(tr.Turns()))
			}
			p := tr.Result(assay.Platform{}, "").Tradeoff.Points
			if p[1].Beaten != "" {
				t.Errorf("seed %d: b is beaten by %s, which is slower", seed, p[1].Beaten)
			}
			beaten += btoi(p[0].Beaten != "")
		}
		t.Logf("with %+g of the memory the base is beaten in %d of %d runs", x.memory, beaten, runs)
		if beaten < x.least || beaten > x.most {
			t.Errorf("with %+g of the memory the base is beaten in %d of %d runs, want %d to %d", x.memory, beaten, runs, x.least, x.most)
		}
	}
}

// One block makes a table and an answer. Effects and the trade-off come with the second.
func TestOneBlockHasATableOnly(t *testing.T) {
	w := factorWorld(1, factorStudy(t), map[string]float64{"gc-off": 0.5}, 0, "A", "B")
	time := w.f
	w.f = func(v, b string, block int) map[string]float64 {
		out := time(v, b, block)
		out[assay.MetricRSS] = 1e8 * (1 + out[assay.MetricTime])
		return out
	}
	w.plan.Study.Decide.Tradeoff = []string{assay.MetricTime, assay.MetricRSS}
	w.plan.Metrics = append(w.plan.Metrics, assay.Metric{Name: assay.MetricRSS, Better: assay.BetterLower, MinEffect: 0.01})
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	for n := 1; n <= 2; n++ {
		r := w.blocks(tr, 1)
		if got := r.Tradeoff != nil && len(r.Tables[0].Effects) > 0; got != (n > 1) || len(r.Tables[0].Rows) != 2 || len(r.Answer.Text) == 0 {
			t.Errorf("%d blocks: trade-off %v, %d effects, %d rows, %q", n, r.Tradeoff, len(r.Tables[0].Effects), len(r.Tables[0].Rows), r.Answer.Text)
		}
	}
}

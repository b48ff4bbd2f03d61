package search_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/search"
)

// raced is a race of variants with these effects in ln units, of the base a and
// others, and what it and its tables came to.
func raced(seed uint64, blocks int, effects map[string]float64, names ...string) (*assay.Result, *assay.Race) {
	r, race := racing(seed, blocks, effects, names...)
	r.Race, r.Answer = race.Result(), race.Answer(r)
	return r, r.Race
}

// racing is raced before anybody asks what came of it.
func racing(seed uint64, blocks int, effects map[string]float64, names ...string) (*assay.Result, *search.Race) {
	s := labtest.Study(names...)
	b := assay.Benchmark{Name: "X"}
	p := &assay.Plan{Study: *s, Variants: s.Variants, Benchmarks: []assay.PlannedBenchmark{{Benchmark: b, N: 1}},
		Metrics: []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}}}
	t := analysis.NewTracker(p, time.Hour)
	race := search.NewRace(p, t)
	rnd := rand.New(rand.NewPCG(seed, 1))
	stop := assay.StopReason("")
	for block := 1; block <= blocks; block++ {
		if stop = race.Next().Stop; stop != "" {
			break
		}
		in := race.In()
		if in[0] != names[0] {
			in = append([]string{names[0]}, in...)
		}
		var trials []assay.Trial
		for _, v := range in {
			trials = append(trials, assay.Trial{Block: block, Attempt: 1, Variant: v, Benchmark: b, Status: assay.StatusOK,
				Duration: time.Second, Observations: map[string]float64{assay.MetricTime: 1e-6 * math.Exp(effects[v]+0.01*rnd.NormFloat64())}})
		}
		race.Add(trials)
	}
	return t.Result(assay.Platform{}, stop), race
}

// The answer of a race recommends another variant than the base only where the table
// beside it claims that it is better; and none while the race is open.
func TestRaceAnswersAgreeWithTheirTables(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	seen := map[string]int{}
	for _, x := range []struct {
		effects map[string]float64
		blocks  int
	}{
		{nil, 200}, {nil, 12}, {map[string]float64{"c": -0.008}, 200}, {map[string]float64{"c": -0.06, "d": -0.058}, 200}, {map[string]float64{"b": 0.06, "c": 0.05, "d": 0.1}, 200},
	} {
		for seed := range uint64(25) {
			r, race := raced(seed, x.blocks, x.effects, names...)
			a, text := r.Answer, strings.Join(r.Answer.Text, " / ")
			c, _ := answer.Headline(r, race.Winner)
			switch {
			case !race.Sure && a.Use != "":
				t.Errorf("%v, seed %d: the race is open and the answer is %q", x.effects, seed, text)
			case a.Use != "" && a.Use != "a" && !(a.Use == race.Winner && c.Verdict.Good()):
				t.Errorf("%v, seed %d: %q, but the table has %s %v %s", x.effects, seed, text, c.Change.Format(0), c.Interval, c.Verdict)
			case strings.Contains(text, " takes ") && !c.Verdict.Differs():
				t.Errorf("%v, seed %d: %q of a comparison that is %s", x.effects, seed, text, c.Verdict)
			case a.Use == "a" && race.Winner != "a":
				t.Errorf("%v, seed %d: %q, but %s won", x.effects, seed, text, race.Winner)
			}
			seen[strings.Fields(text)[0]]++
		}
	}
	for _, word := range []string{"use", "keep", "no", "not"} {
		if seen[word] == 0 {
			t.Errorf("no answer begins with %q: %v", word, seen)
		}
	}
}

// A race never recommends what the trade-off of the same result calls beaten: whatever
// beats the winner is as good within the margin, and costs less.
func TestRaceRecommendsTheUnbeaten(t *testing.T) {
	tradeoff := func(metric string, beaten map[string]string) *assay.Tradeoff {
		out := &assay.Tradeoff{Metrics: [2]assay.Metric{{Name: metric}, {Name: assay.MetricRSS}}}
		for _, v := range []string{"a", "b", "c", "d", "e"} {
			out.Points = append(out.Points, assay.TradeoffPoint{Variant: v, Beaten: beaten[v]})
		}
		return out
	}
	recommended := 0
	effects := map[string]float64{"b": 0.05, "c": -0.06, "d": -0.061, "e": -0.03}
	for _, x := range []struct {
		metric string
		beaten map[string]string
		use    string // other than the winner
	}{
		{assay.MetricTime, nil, ""},
		{assay.MetricTime, map[string]string{"a": "c"}, ""},
		{assay.MetricTime, map[string]string{"c": "d", "d": "c"}, "the other"},
		{assay.MetricTime, map[string]string{"c": "b", "d": "b"}, ""},  // b is not better than the base
		{assay.MetricTime, map[string]string{"c": "e", "d": "e"}, "e"}, // proved by the trade-off
		{assay.MetricBytes, map[string]string{"c": "e", "d": "e"}, ""}, // which says nothing of the time
	} {
		for seed := range uint64(10) {
			r, of := racing(seed, 200, effects, "a", "b", "c", "d", "e")
			race := of.Result()
			if !race.Sure || race.Winner != "c" && race.Winner != "d" {
				t.Fatalf("seed %d: %s won", seed, race.Winner)
			}
			r.Tradeoff = tradeoff(x.metric, x.beaten)
			a, want := of.Answer(r), race.Winner
			switch x.use {
			case "e": // some races drop it before it is proved better than the base
				if c, _ := answer.Headline(r, "e"); c.Verdict.Good() {
					want = "e"
					recommended++
				}
			case "the other":
				want = map[string]string{"c": "d", "d": "c"}[race.Winner]
			}
			if a.Use != want || !strings.HasPrefix(a.Text[0], "use "+want+": ") {
				t.Errorf("beaten %v: %s won, and the answer is %q, want %s", x.beaten, race.Winner, a.Text, want)
			}
		}
	}
	if recommended == 0 {
		t.Error("e is never proved better than the base")
	}
}

package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// usual is what a run of the service yields; ln effects by metric are added.
var usual = map[string]float64{"latency.p50": 0.018, "latency.p90": 0.032, "latency.p99": 0.052, assay.MetricRequests: 1000,
	assay.MetricGCMarkCPU: 0.4, assay.MetricGCCyclesTx: 30}

// A loaded is a made record of a service under load.
type loaded struct {
	plan   *assay.Plan
	trials []assay.Trial
}

// servedPlan compares variants, the first being the base, on one service.
func servedPlan(variants ...string) *assay.Plan {
	p := &assay.Plan{Schema: assay.PlanSchema, Run: "k2vf", Seed: 7, Benchmarks: []assay.PlannedBenchmark{
		{Benchmark: assay.Benchmark{Name: "oltp"}, N: 1, Trial: time.Minute}}}
	p.Study = assay.Study{Name: "s", Workloads: []assay.Workload{{Kind: assay.KindService, Names: []string{"oltp"},
		Service: &assay.Service{Start: []string{"{bin}"}, Load: []string{"sysbench"}, Parse: "sysbench"}}}}
	for _, v := range variants {
		p.Variants = append(p.Variants, assay.Variant{Name: v, Control: v == assay.ControlName})
		if v != assay.ControlName {
			p.Study.Variants = append(p.Study.Variants, assay.Variant{Name: v})
		}
	}
	p.Study.Decide.MinEffect = 0.02
	p.Study.SetDefaults()
	p.Study.Decide.Budget = 100 * time.Hour
	return p
}

// add appends a block, a trial for each of the plan's variants, which fill
// completes.
func (s *loaded) add(fill func(tr *assay.Trial)) {
	block := 1
	if n := len(s.trials); n > 0 {
		block = s.trials[n-1].Block + 1
	}
	for i, v := range s.plan.Variants {
		tr := assay.Trial{ID: len(s.trials) + 1, Block: block, Attempt: 1, Of: len(s.plan.Variants), Position: i + 1, Round: 1, N: 1,
			Variant: v.Name, Benchmark: s.plan.Benchmarks[0].Benchmark, Duration: time.Minute, Status: assay.StatusOK}
		fill(&tr)
		s.trials = append(s.trials, tr)
	}
}

// result is what the tracker says of the record.
func (s *loaded) result(t *testing.T) *assay.Result {
	t.Helper()
	tr := NewTracker(s.plan, s.plan.Study.Decide.Budget)
	for _, block := range assay.Complete(s.trials) {
		tr.Add(block)
	}
	return tr.Result(assay.Platform{}, "")
}

// observed draws a run with 0.5 % of noise, the p99's ten times that.
func observed(rng *rand.Rand, effects map[string]float64) map[string]float64 {
	out := map[string]float64{}
	names := []string{"latency.p50", "latency.p90", "latency.p99", assay.MetricRequests, assay.MetricGCMarkCPU, assay.MetricGCCyclesTx}
	for _, m := range names {
		out[m] = usual[m] * math.Exp(effects[m]+0.005*rng.NormFloat64())
	}
	out[assay.MetricErrors] = effects[assay.MetricErrors] * math.Exp(0.05*rng.NormFloat64())
	return out
}

// measure is the result of so many blocks of a service with these effects.
func (s *loaded) measure(t *testing.T, seed uint64, blocks int, effects map[string]map[string]float64) *assay.Result {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range blocks {
		s.add(func(tr *assay.Trial) {
			tr.Observations = observed(rng, effects[tr.Variant])
		})
	}
	tr := NewTracker(s.plan, s.plan.Study.Decide.Budget)
	for _, block := range assay.Complete(s.trials) {
		tr.Add(block)
	}
	return tr.Result(assay.Platform{}, tr.Next().Stop)
}

func TestAnswersOfServices(t *testing.T) {
	type effects map[string]map[string]float64
	metrics := []string{"latency.p50", "latency.p90", "latency.p99", assay.MetricRequests}
	for _, c := range []struct {
		name     string
		variants []string
		effects  effects
		blocks   int
		verdict  assay.Verdict
		use      string
		decided  bool
		want     []string // parts of the text, in order
		never    string
	}{
		{name: "same", effects: nil, blocks: 20, verdict: assay.Same, decided: true,
			want: []string{"keep classic: greentea is the same within ±2 % in p50, p90, p99 latency and tx/s"}, never: "GC"},
		{name: "tail", effects: effects{"greentea": {"latency.p99": -0.12}}, blocks: 20, verdict: assay.Faster, use: "greentea", decided: true,
			want: []string{"use greentea: 11.4 % less p99 latency [", "than classic / p50, p90 latency and tx/s are the same within ±2 %"}},
		{name: "slower", effects: effects{"greentea": {"latency.p50": 0.1, "latency.p90": 0.1}}, blocks: 20, verdict: assay.Slower, use: "classic", decided: true,
			want: []string{"use classic: greentea has 10.4 % more p50 latency [", "than classic, 10.5 % more p90 latency [", "p99 latency and tx/s are the same"}},
		{name: "mixed", effects: effects{"greentea": {assay.MetricRequests: 0.1, "latency.p99": 0.2}}, blocks: 20, verdict: assay.Mixed, decided: true,
			want: []string{"it depends on what counts: greentea has 10.4 % more tx/s [", "but 22.1 % more p99 latency ["}},
		{name: "collector", effects: effects{"greentea": {assay.MetricGCMarkCPU: 0.125, assay.MetricGCCyclesTx: -0.09}}, blocks: 20, verdict: assay.Same, decided: true,
			want: []string{"keep classic: ", "in greentea each GC cycle costs more CPU (+13", "but cycles are rarer (−8"}},
		{name: "young", effects: nil, blocks: 3, verdict: assay.Unclear,
			want: []string{"not decided: 3 of 4 blocks / greentea against classic on p50, p90, p99 latency and tx/s; needs about 2 min more"}},
		{name: "failing fast", effects: effects{"greentea": {"latency.p99": -0.3, assay.MetricErrors: 0.02}}, blocks: 20, verdict: assay.Mixed, decided: true,
			want: []string{"it depends on what counts: greentea has 26.0 % less p99 latency [", "but 2 % errors instead of 0 %"}},
		{name: "best of three", variants: []string{"classic", "greentea", "gogc"}, effects: effects{"gogc": {"latency.p50": -0.1}}, blocks: 20, verdict: assay.Faster, use: "gogc", decided: true,
			want: []string{"use gogc: 9."}},
		{name: "best by the second metric", variants: []string{"classic", "greentea", "gogc"}, effects: effects{"gogc": {"latency.p99": -0.1}}, blocks: 20, verdict: assay.Faster, use: "gogc", decided: true,
			want: []string{"use gogc: ", "less p99 latency"}},
		{name: "best but", variants: []string{"classic", "greentea", "gogc"}, effects: effects{"gogc": {"latency.p50": -0.1, assay.MetricRequests: -0.1}}, blocks: 20, verdict: assay.Mixed, decided: true,
			want: []string{"it depends on what counts: by p50 latency use gogc", "but gogc has 9.7 % fewer tx/s ["}},
		{name: "three the same", variants: []string{"classic", "greentea", "gogc"}, blocks: 20, verdict: assay.Same, decided: true,
			want: []string{"keep classic: all variants are the same within ±2 % in p50, p90, p99 latency and tx/s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.variants == nil {
				c.variants = []string{"classic", "greentea"}
			}
			s := &loaded{plan: servedPlan(c.variants...)}
			s.plan.Study.Decide.Metrics = metrics
			a := s.measure(t, 5, c.blocks, c.effects).Answer
			text := strings.Join(append(a.Text, a.Undecided), " / ")
			if a.Verdict != c.verdict || a.Use != c.use || a.Decided != c.decided {
				t.Errorf("got %s, use %q, decided %v, want %s, %q, %v: %s", a.Verdict, a.Use, a.Decided, c.verdict, c.use, c.decided, text)
			}
			at := text
			for _, part := range c.want {
				_, rest, ok := strings.Cut(at, part)
				if !ok {
					t.Errorf("got %s\nwithout %q", text, part)
				}
				at = rest
			}
			if c.never != "" && strings.Contains(text, c.never) {
				t.Errorf("got %s, want nothing of %q", text, c.never)
			}
		})
	}
}

// The answer is open where a tail is: what is the same is said, and the price.
func TestServiceNotDecidedAtTheTail(t *testing.T) {
	s := &loaded{plan: servedPlan("classic", "greentea")}
	rng := rand.New(rand.NewPCG(9, 9))
	for range 12 {
		s.add(func(tr *assay.Trial) {
			tr.Observations = observed(rng, nil)
			tr.Observations["latency.p99"] *= math.Exp(0.04 * rng.NormFloat64())
		})
	}
	a := s.result(t).Answer
	text := strings.Join(append(a.Text, a.Undecided), " / ")
	if a.Verdict != assay.Unclear || a.Decided || !strings.HasPrefix(text, "keep classic so far: greentea is the same within ±2 % in p50 latency and tx/s / greentea +1.9 % ") ||
		!strings.Contains(text, "; needs about ") {
		t.Errorf("got %s, decided %v: %s", a.Verdict, a.Decided, text)
	}
}

// One start in twenty that fails costs its block; more than one in ten, and two,
// cost the benchmark.
func TestStartsThatFail(t *testing.T) {
	for _, c := range []struct {
		fail       []int // blocks
		blocks     int
		n          int // blocks compared
		code, text string
		excluded   bool
	}{
		{[]int{4}, 20, 19, "start-failed", `oltp: 1 of 20 starts of "b" failed, 0 of 20 of "a"`, false},
		{[]int{1}, 20, 19, "start-failed", `oltp: 1 of 20 starts of "b" failed, 0 of 20 of "a"`, false},
		{[]int{11, 20}, 20, 18, "start-failed", `2 of 20 starts of "b" failed`, false},
		{[]int{4, 9}, 20, 0, "bench-failed", `2 of 20 starts of "b" failed`, true},
		{[]int{1, 2}, 3, 0, "bench-failed", `2 of 3 starts of "b" failed`, true},
	} {
		s := &loaded{plan: servedPlan("a", "b")}
		rng := rand.New(rand.NewPCG(1, 1))
		for block := 1; block <= c.blocks; block++ {
			s.add(func(tr *assay.Trial) {
				tr.Observations = observed(rng, nil)
				if tr.Variant == "b" && slices.Contains(c.fail, block) {
					tr.Status, tr.Reason, tr.Observations = assay.StatusFailed, "never ready within 30s", nil
				}
			})
		}
		r := s.result(t)
		i := slices.IndexFunc(r.Warnings, func(w assay.Warning) bool { return string(w.Code) == c.code })
		if i < 0 || !strings.Contains(r.Warnings[i].Text, c.text) || !strings.Contains(r.Warnings[i].Facts[0], "never ready within 30s") {
			t.Errorf("%v: got warnings %v, want %s with %q", c.fail, r.Warnings, c.code, c.text)
		}
		if c.excluded {
			if r.Answer.Verdict != assay.Invalid {
				t.Errorf("%v: got %s %v, want invalid", c.fail, r.Answer.Verdict, r.Answer.Text)
			}
			continue
		}
		if got := r.Tables[0].Rows[0].Cells[0]; got.N != c.n || got.Verdict == assay.Invalid {
			t.Errorf("%v: got %d blocks, %s (%s), want %d", c.fail, got.N, got.Verdict, got.Reason, c.n)
		}
	}
}

// A load that the base keeps up with and b does not: nothing of latency is
// claimed, the list does not count it, and no more blocks are wasted.
func TestSaturated(t *testing.T) {
	for _, c := range []struct {
		name        string
		rate        float64 // of b
		errors      float64
		want        assay.Verdict
		stop        assay.StopReason
		reason      string
		metrics     []string
		wholeAnswer assay.Verdict
	}{
		{"kept up with", 499, 0, assay.Faster, "decided", "", nil, assay.Faster},
		{"not kept up with", 431, 0, assay.Saturated, "decided", "b attained 431 of 500 requests a second: latency is that of the queue; lower the rate", nil, assay.Saturated},
		{"errors are answers", 431, 0.13, assay.Faster, "decided", "", nil, assay.Mixed},
		{"another metric goes on", 431, 0, assay.Saturated, "", "b attained", []string{"latency.p50", assay.MetricServerCPU}, assay.Unclear},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &loaded{plan: servedPlan("a", "b")}
			s.plan.Study.Decide.Metrics = []string{"latency.p50", "latency.p99"}
			s.plan.Study.Decide.MinBlocks = 8
			if c.metrics != nil {
				s.plan.Study.Decide.Metrics = c.metrics
			}
			rng := rand.New(rand.NewPCG(1, 1))
			tr := NewTracker(s.plan, s.plan.Study.Decide.Budget)
			stop := assay.StopReason("")
			for len(s.trials) < 2*12 && stop == "" {
				s.add(func(tr *assay.Trial) {
					tr.Intended = 500
					tr.Observations = observed(rng, nil)
					tr.Observations[assay.MetricRequests] = 500 * (1 - 1e-4*rng.Float64())
					tr.Observations[assay.MetricServerCPU] = math.Exp(rng.NormFloat64())
					if tr.Variant == "b" {
						tr.Observations["latency.p50"] *= 0.8
						tr.Observations["latency.p99"] *= 0.8
						tr.Observations[assay.MetricRequests] = c.rate + 0.5*rng.Float64()
						tr.Observations[assay.MetricErrors] = c.errors
					}
				})
				tr.Add(s.trials[len(s.trials)-2:])
				stop = tr.Next().Stop
			}
			r := tr.Result(assay.Platform{}, stop)
			got := r.Tables[0].Rows[0].Cells[0]
			if got.Verdict != c.want || stop != c.stop || !strings.HasPrefix(got.Reason, c.reason) {
				t.Errorf("got %s (%s), stopped by %q, want %s (%s), %q", got.Verdict, got.Reason, stop, c.want, c.reason, c.stop)
			}
			if r.Answer.Verdict != c.wholeAnswer {
				t.Errorf("got the answer %s %v, want %s", r.Answer.Verdict, r.Answer.Text, c.wholeAnswer)
			}
			if c.want != assay.Saturated {
				return
			}
			if c.stop != "" && r.Spent.Blocks != sample.SaturatedFrom {
				t.Errorf("stopped after %d blocks, want %d", r.Spent.Blocks, sample.SaturatedFrom)
			}
			if got.MoreBlocks != 0 || r.Rule.Claims > 1 {
				t.Errorf("a saturated cell has a price of %d blocks, or counts in a list of %d", got.MoreBlocks, r.Rule.Claims)
			}
		})
	}
}

// The rate that a load fixes is a condition: no table compares it and no answer rests on it,
// however equal it is and whoever says that it is fixed. What fell short is a warning.
func TestFixedRate(t *testing.T) {
	for _, test := range []struct {
		name     string
		service  assay.Service
		decide   []string
		intended float64 // that the load generator reports
		attained float64
		metrics  string // that decide
		load     assay.OfferedLoad
		warned   bool
	}{
		{"built in", assay.Service{HTTP: &assay.HTTPLoad{Rate: 350, Arrivals: assay.ArrivalsPoisson}}, []string{"latency.p99", assay.MetricRequests}, 350, 350, "latency.p99",
			assay.OfferedLoad{Rate: 350, Arrivals: assay.ArrivalsPoisson, BuiltIn: true}, false},
		{"wrk2", assay.Service{Load: []string{"wrk2", "-R350"}, Parse: "wrk2"}, []string{assay.MetricRequests, "latency.p99"}, 0, 350, "latency.p99", assay.OfferedLoad{Rate: 350}, false},
		{"one's own program", assay.Service{Load: []string{"mine"}, Parse: "assay"}, []string{"latency.p99", assay.MetricRequests}, 350, 350, "latency.p99", assay.OfferedLoad{Rate: 350}, false},
		{"alone", assay.Service{Load: []string{"sysbench", "--rate=350"}, Parse: "sysbench"}, []string{assay.MetricRequests}, 0, 350, "latency.p50 latency.p99", assay.OfferedLoad{Rate: 350}, false},
		{"missed by chance", assay.Service{Load: []string{"sysbench", "--rate=350"}, Parse: "sysbench"}, []string{"latency.p99"}, 0, 340, "latency.p99", assay.OfferedLoad{Rate: 350}, false},
		{"fell short", assay.Service{Load: []string{"vegeta", "-rate=350/1s"}, Parse: "vegeta"}, []string{"latency.p99"}, 0, 300, "latency.p99",
			assay.OfferedLoad{Rate: 350, Attained: 300, Slowest: "a"}, true},
	} {
		s := &loaded{plan: servedPlan("a", "b")}
		s.plan.Study.Workloads[0].Service = &test.service
		s.plan.Study.Decide.Metrics = test.decide
		rng := rand.New(rand.NewPCG(1, 1))
		for range 12 {
			s.add(func(tr *assay.Trial) {
				noisy := func() float64 { return 0.01 * math.Exp(rng.NormFloat64()) }
				tr.Intended = test.intended
				tr.Observations = map[string]float64{"latency.p50": noisy(), "latency.p99": noisy(), assay.MetricRequests: test.attained, assay.MetricErrors: 0}
			})
		}
		r := s.result(t)
		if got := strings.Join(r.Rule.Metrics, " "); got != test.metrics {
			t.Errorf("%s: %s decide, want %s", test.name, got, test.metrics)
		}
		for _, tab := range r.Tables {
			if tab.Metric.Name == assay.MetricRequests {
				t.Errorf("%s: the rate has a table: %+v", test.name, tab)
			}
		}
		text := strings.Join(r.Answer.Text, "\n")
		if r.Answer.Verdict != assay.Unclear || !strings.Contains(text, "latency") || strings.Contains(text, "tx/s") || strings.Contains(text, "same") {
			t.Errorf("%s: the answer is %s, %q", test.name, r.Answer.Verdict, text)
		}
		test.load.Benchmark = s.plan.Benchmarks[0].Benchmark
		if len(r.Loads) != 1 || r.Loads[0] != test.load {
			t.Errorf("%s: got the load %+v, want %+v", test.name, r.Loads, test.load)
		}
		if got := slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeOverload }); got != test.warned {
			t.Errorf("%s: warned %v, want %v", test.name, got, test.warned)
		}
		if !slices.Equal(s.plan.Study.Decide.Metrics, test.decide) {
			t.Errorf("%s: the plan has changed to %v", test.name, s.plan.Study.Decide.Metrics)
		}
	}
}

// Where no variant keeps up, none is told to be the one to use: not by latency,
// and not by what is still open.
func TestAllSaturated(t *testing.T) {
	s := &loaded{plan: servedPlan("a", "b", "c")}
	s.plan.Study.Decide.Metrics = []string{"latency.p50", assay.MetricServerCPU}
	rng := rand.New(rand.NewPCG(1, 1))
	tr := NewTracker(s.plan, s.plan.Study.Decide.Budget)
	for range 5 {
		s.add(func(tr *assay.Trial) {
			tr.Intended = 500
			tr.Observations = observed(rng, nil)
			tr.Observations[assay.MetricRequests] = 100 + rng.Float64()
			tr.Observations[assay.MetricServerCPU] = math.Exp(rng.NormFloat64())
		})
		tr.Add(s.trials[len(s.trials)-3:])
	}
	a := tr.Result(assay.Platform{}, "budget").Answer
	if a.Use != "" || a.Verdict.Differs() || !strings.Contains(strings.Join(a.Text, " "), "of 500 requests a second") {
		t.Errorf("got %q, use %q: %q", a.Verdict, a.Use, a.Text)
	}
}

// A gate that asks for the latency of a load that was not kept up with has no
// answer, and has not held.
func TestGateOfSaturated(t *testing.T) {
	s := &loaded{plan: servedPlan("a", "b")}
	s.plan.Study.Decide.Gate = 0.1
	rng := rand.New(rand.NewPCG(1, 1))
	for range 8 {
		s.add(func(tr *assay.Trial) {
			tr.Intended, tr.Observations = 2000, observed(rng, nil)
		})
	}
	if got := s.result(t).Answer.Gate; got != answer.GateOpen {
		t.Errorf("got gate %q, want undecided", got)
	}
}

// Traced trials tell of the collector and of nothing else, are priced, and are
// no round of the others.
func TestTracedTrials(t *testing.T) {
	w := newWorld([]string{"X"}, "a", "b")
	w.plan.Study.Measure.Collect = []string{assay.CollectGC}
	w.plan.Study.Workloads = []assay.Workload{{Kind: assay.KindGoTest}}
	rng := rand.New(rand.NewPCG(1, 1))
	tr := NewTracker(w.plan, time.Hour)
	turns := []assay.Turn{{Benchmark: w.plan.Benchmarks[0].Benchmark, Inner: 2}}
	if got, want := tr.costs.Block(turns, schedule.Width(tr.plan, nil)), 6*50*time.Millisecond; got != want {
		t.Errorf("before the first block a block costs %v, want %v: two rounds and a traced trial of each", got, want)
	}
	for block := 1; block <= 12; block++ {
		var trials []assay.Trial
		for _, v := range []string{"a", "b"} {
			for round := 1; round <= 3; round++ {
				x := assay.Trial{ID: len(trials) + 1, Block: block, Attempt: 1, Of: 6, Round: round, Variant: v, Benchmark: turns[0].Benchmark,
					Status: assay.StatusOK, Duration: 50 * time.Millisecond, Output: "x", Observations: map[string]float64{assay.MetricTime: math.Exp(0.001 * rng.NormFloat64())}}
				if round == 3 {
					x.Traced, x.Round, x.Duration, x.Output = true, 1, 150*time.Millisecond, fmt.Sprint(block, v)
					x.Observations = map[string]float64{assay.MetricTime: 7, assay.MetricGCMark: 0.1 * math.Exp(0.01*rng.NormFloat64())}
				}
				trials = append(trials, x)
			}
		}
		tr.Add(trials)
	}
	if got, want := tr.costs.Block(turns, schedule.Width(tr.plan, nil)), 2*(2*50+150)*time.Millisecond; got != want {
		t.Errorf("a block costs %v, want %v", got, want)
	}
	r := tr.Result(assay.Platform{}, "")
	if got := r.Tables[0].Rows[0]; math.Abs(got.Base-1) > 0.01 || got.Cells[0].Verdict != assay.Same || len(tr.set.Benchmarks[0].Samples[assay.MetricTime]["b"].Rounds[0]) != 2 {
		t.Errorf("time of the traced trials counts: %+v", got)
	}
	i := slices.IndexFunc(r.Tables, func(tab assay.Table) bool { return tab.Metric.Name == assay.MetricGCMark })
	if i < 0 || r.Tables[i].Decides || r.Tables[i].Rows[0].Cells[0].N != 12 {
		t.Errorf("got tables %v, want one of gc.mark with 12 blocks that decides nothing", r.Tables)
	}
	if len(r.Warnings) != 0 || r.Spent.Time != 12*(4*50+2*150)*time.Millisecond {
		t.Errorf("got warnings %v and %v spent", r.Warnings, r.Spent.Time)
	}
}

// A metric that decides and that no run is long enough for is told.
func TestMetricThatIsMissing(t *testing.T) {
	s := &loaded{plan: servedPlan("a", "b")}
	s.plan.Study.Decide.Metrics = []string{"latency.p99.9", "latency.p50"}
	a := s.measure(t, 1, 12, nil).Answer
	if text := strings.Join(a.Text, " / "); a.Verdict != assay.Same || !strings.Contains(text, "latency.p99.9 is unknown") {
		t.Errorf("got %s: %s", a.Verdict, text)
	}
}

// The stop rule is asked after every block: with 25 metrics of four variants and
// a hundred blocks it must not be felt.
func BenchmarkNextOfService(b *testing.B) {
	s := &loaded{plan: servedPlan("a", "b", "c", "d")}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		s.add(func(tr *assay.Trial) {
			tr.Observations = map[string]float64{}
			for k := range 22 {
				tr.Observations[fmt.Sprintf("gc.m%d", k)] = math.Exp(rng.NormFloat64())
			}
			for _, m := range s.plan.Study.Decide.Metrics {
				tr.Observations[m] = math.Exp(0.3 * rng.NormFloat64())
			}
		})
	}
	blocks := assay.Complete(s.trials)
	for b.Loop() {
		tr := NewTracker(s.plan, s.plan.Study.Decide.Budget)
		for _, block := range blocks {
			tr.Add(block)
			tr.Next()
		}
		tr.Result(assay.Platform{}, "")
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(blocks)), "ms/block")
}

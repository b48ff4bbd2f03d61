package analysis

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/slow"
)

// Studies with known truth, under every noise that docs/methodology.md names, go
// through the real tracker, its stop rule and its result. Every line of every answer
// must agree with the cells beside it, and a variant that is none better must not be
// recommended more often than the study's level allows.

// A simNoise draws the noise of the trials of one study, in the order in which they
// run; first marks the trial that opens a round.
type simNoise func(first bool) float64

// simNoises are the kinds of noise, of trials, about 1 % wide.
var simNoises = map[string]func(r *rand.Rand) simNoise{
	"normal": func(r *rand.Rand) simNoise { return func(bool) float64 { return 0.01 * r.NormFloat64() } },
	"t3": func(r *rand.Rand) simNoise {
		return func(bool) float64 {
			chi := 0.0
			for range 3 {
				chi += math.Pow(r.NormFloat64(), 2)
			}
			return 0.01 * r.NormFloat64() / math.Sqrt(chi)
		}
	},
	"spikes": func(r *rand.Rand) simNoise {
		return func(bool) float64 {
			x := 0.01 * r.NormFloat64()
			if r.Float64() < 0.1 {
				x += 0.01 * (5 + 10*r.Float64())
			}
			return x
		}
	},
	"skewed": func(r *rand.Rand) simNoise { return func(bool) float64 { return 0.01 * r.ExpFloat64() } },
	"two-level": func(r *rand.Rand) simNoise {
		return func(bool) float64 { return 0.001*r.NormFloat64() + 0.01*float64(r.IntN(2)) }
	},
	"position": func(r *rand.Rand) simNoise {
		return func(first bool) float64 {
			x := 0.01 * r.NormFloat64()
			if first {
				x += 0.03
			}
			return x
		}
	},
	"drift": func(r *rand.Rand) simNoise {
		level := 0.05 * r.NormFloat64()
		return func(bool) float64 {
			level = 0.95*level + 0.05*math.Sqrt(1-0.95*0.95)*r.NormFloat64()
			return level + 0.007*r.NormFloat64()
		}
	},
	"regimes": func(r *rand.Rand) simNoise {
		sd := 0.003
		return func(bool) float64 {
			if r.Float64() < 0.01 {
				sd = 0.033 - sd
			}
			return sd * r.NormFloat64()
		}
	},
}

// A simStudy is a study whose truth is known: ln effects against the base a, of
// which less is better.
type simStudy struct {
	plan    *assay.Plan
	effects map[string]float64
	last    string // what an answer is about, of a chain
	blocks  [][]assay.Trial
}

// simKinds are the families of answers.
var simKinds = map[string]func(r *rand.Rand) *simStudy{
	"three":    func(r *rand.Rand) *simStudy { return listed(r, 3, 1) },
	"suite":    func(r *rand.Rand) *simStudy { return listed(r, 3, 2) },
	"pair":     func(r *rand.Rand) *simStudy { return listed(r, 2, 1+r.IntN(2)) },
	"many":     func(r *rand.Rand) *simStudy { s := listed(r, 8, 1); s.plan.Together = 4; return s },
	"services": func(r *rand.Rand) *simStudy { return served(r, 2+r.IntN(2)) },
	"steps":    stepped,
}

// listed is a study of n variants on some benchmarks: all the same, or one that is
// better, or one that is worse, or one of each.
func listed(r *rand.Rand, n, benchmarks int) *simStudy {
	variants := strings.Split("abcdefgh", "")[:n]
	w := newWorld([]string{"X", "Y"}[:benchmarks], append(variants, assay.ControlName)...)
	s := &simStudy{plan: w.plan, effects: map[string]float64{}}
	switch kind := r.IntN(4); {
	case kind == 1:
		s.effects[variants[1+r.IntN(n-1)]] = -0.02 - 0.03*r.Float64()
	case kind == 2:
		s.effects[variants[1+r.IntN(n-1)]] = 0.03
	case kind == 3 && n > 2:
		s.effects["b"], s.effects["c"] = -0.03, []float64{0.02, -0.028}[r.IntN(2)]
	}
	w.plan.Study.Decide.Confidence = []float64{0.95, 0.99}[r.IntN(2)]
	return s
}

// served is a study of a service, by three metrics.
func served(r *rand.Rand, n int) *simStudy {
	s := listed(r, n, 1)
	study := &s.plan.Study
	study.Workloads = []assay.Workload{{Kind: assay.KindService, Names: []string{"X"}, Service: &assay.Service{}}}
	study.Decide.Metrics = []string{"latency.p50", "latency.p99", assay.MetricRequests}
	return s
}

// stepped is a chain of two steps.
func stepped(r *rand.Rand) *simStudy {
	s := listed(r, 3, 1+r.IntN(2))
	s.plan.Study.Steps = &assay.Steps{List: []assay.Step{{Variant: "b"}, {Variant: "c"}}}
	s.last = "c"
	return s
}

// run measures until the stop rule is satisfied or there are 30 blocks.
func (s *simStudy) run(r *rand.Rand, noise simNoise) *assay.Result {
	s.plan.Study.Decide.MaxBlocks = 30
	if s.plan.Together > 0 { // a block in three has a variant
		s.plan.Study.Decide.MaxBlocks = 70
	}
	s.plan.Study.Decide.Budget = time.Hour
	t := NewTracker(s.plan, time.Hour)
	stop := assay.StopReason("")
	for block := 1; stop == ""; block++ {
		next := t.Next()
		if stop = next.Stop; stop != "" {
			break
		}
		var trials []assay.Trial
		for _, turn := range next.Turns {
			present := design.Present(s.plan, next, block)
			for i, at := range r.Perm(len(present)) {
				v := present[at].Name
				trials = append(trials, assay.Trial{Block: block, Attempt: 1, Round: 1, Variant: v, Benchmark: turn.Benchmark, Status: assay.StatusOK,
					Duration: time.Millisecond, Observations: s.observe(v, func() float64 { return noise(i == 0) })})
			}
		}
		t.Add(trials)
		s.blocks = append(s.blocks, trials)
	}
	return t.Result(assay.Platform{}, stop)
}

func (s *simStudy) observe(v string, noise func() float64) map[string]float64 {
	if !s.plan.Study.Serves() {
		return map[string]float64{assay.MetricTime: 1e-6 * math.Exp(s.effects[v]+noise()), assay.MetricAllocs: 3}
	}
	x := noise() // of the run: its metrics share most of it
	return map[string]float64{"latency.p50": 0.01 * math.Exp(s.effects[v]+x), "latency.p99": 0.05 * math.Exp(s.effects[v]+x+noise()),
		assay.MetricRequests: 1000 * math.Exp(-s.effects[v]-x/2)}
}

// false reports whether an answer recommends what is no better, or passes over the
// best without naming it as tied; or keeps to the base for what is not worse.
func (s *simStudy) falseUse(r *assay.Result) bool {
	use := r.Answer.Use
	switch {
	case use == "":
		return false
	case s.last != "":
		return use == s.last && s.effects[use] >= 0 || use == "a" && s.effects[s.last] <= 0
	case use == "a":
		for _, v := range s.plan.Study.Variants {
			if v.Name != "a" && s.effects[v.Name] <= 0 {
				return true
			}
		}
		return false
	case s.effects[use] >= 0:
		return true
	}
	best := use
	for v, e := range s.effects {
		if e < s.effects[best] {
			best = v
		}
	}
	_, tied, _ := strings.Cut(r.Answer.Undecided, use+" is tied with ")
	_, early, _ := strings.Cut(r.Answer.Undecided, "distinguishing "+use+" from ")
	return best != use && !strings.Contains(tied+early, best)
}

// A simTally counts what came of a kind of study.
type simTally struct{ studies, uses, wrong int }

// simulate runs studies 1 to n of all kinds and noises in turn.
func simulate(t *testing.T, n int) map[string]simTally {
	kinds, noises := sortedKeys(simKinds), sortedKeys(simNoises)
	out := map[string]simTally{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			mine := map[string]simTally{}
			for i := w; i < n; i += workers {
				kind, noise := kinds[i%len(kinds)], noises[i/len(kinds)%len(noises)]
				r := rand.New(rand.NewPCG(uint64(i), 11))
				s := simKinds[kind](r)
				res := s.run(r, simNoises[noise](r))
				for _, wrong := range disagreements(res) {
					t.Errorf("study %d, %s, %s: %s\n%s", i, kind, noise, wrong, strings.Join(res.Answer.Text, "\n"))
				}
				level := fmt.Sprintf("%g %%", 100*s.plan.Study.Decide.Confidence)
				for _, key := range []string{level, kind + " " + level, noise + " " + level} {
					x := mine[key]
					x.studies++
					x.uses += btoi(res.Answer.Use != "" && res.Answer.Use != "a")
					x.wrong += btoi(s.falseUse(res))
					mine[key] = x
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for key, x := range mine {
				all := out[key]
				out[key] = simTally{all.studies + x.studies, all.uses + x.uses, all.wrong + x.wrong}
			}
		})
	}
	wg.Wait()
	return out
}

func sortedKeys[V any](m map[string]V) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// checkLevels holds the shares of wrong answers against the level α, with three standard
// errors for each kind of study and each noise: of n answers nα + 3√(nα) may be wrong. An
// answer that is wrong in α of all studies passes 995 times in 1,000 at least. Of 5,000
// studies half have α = 5 %, half 1 %; a rate of 8 % or 2.5 % over all of them fails 99
// times in 100, a rate of 12 % or 4 % of one kind or noise alone 9 times in 10.
func checkLevels(t *testing.T, tallies map[string]simTally) {
	for _, key := range sortedKeys(tallies) {
		x := tallies[key]
		alpha := 0.01
		if strings.HasSuffix(key, "95 %") {
			alpha = 0.05
		}
		n := float64(x.studies)
		t.Logf("%-16s %6d studies, %6d recommend a variant, %.2f %% wrong", key, x.studies, x.uses, 100*float64(x.wrong)/n)
		if most := alpha*n + 3*math.Sqrt(alpha*n); float64(x.wrong) > most {
			t.Errorf("%s: %d of %d answers are wrong, want %.0f at most", key, x.wrong, x.studies, most)
		}
		if x.uses == 0 {
			t.Errorf("%s: no answer recommends a variant: this tests nothing", key)
		}
	}
}

func TestAnswersAgreeWithTheirCells(t *testing.T) { checkLevels(t, simulate(t, 240)) }

func TestSlowAnswersAgreeWithTheirCells(t *testing.T) {
	slow.Test(t)
	checkLevels(t, simulate(t, manyStudies(t, 5000)))
}

// manyStudies is how many studies a slow simulation has: ASSAY_STUDIES, or a number that
// takes minutes of CPU time. 100,000 of one machine take about an hour; run them after a
// change of the rules.
func manyStudies(t *testing.T, usual int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("ASSAY_STUDIES"), strconv.Itoa(usual)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

package bisect_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/bisect"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

// A chain is a history of commits on a simulated machine: what each takes
// against GOOD, in ln units.
type chain struct {
	effects []float64
	broken  map[int]bool
	idle    bool // there is a second benchmark, which no commit changes
	noise   labtest.Noise
	seed    uint64
	budget  time.Duration
	started int // measurements
}

func (c *chain) at(i int) float64 {
	if i == bisect.BeforeFirst {
		return 0
	}
	return c.effects[i]
}

// bisect searches the history through the real lab, record and stop rule.
func (c *chain) bisect(t *testing.T) (*bisect.Result, error) {
	b := bisect.NewBisection(len(c.effects), 0.05)
	for ask, ok := b.Next(); ok; ask, ok = b.Next() {
		f, err := c.measure(t, ask)
		if err != nil {
			return nil, err
		}
		if err := b.Add(f); err != nil {
			return nil, err
		}
	}
	return b.Result(assay.Commit{Hash: "good"}, commits(len(c.effects)), assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}), nil
}

// measure is one run. A repeated measurement starts again with twice the budget, where
// assay would continue it.
func (c *chain) measure(t *testing.T, ask bisect.Ask) (bisect.Finding, error) {
	c.started++
	if ask.Kind == bisect.AskProbe && c.broken[ask.Index] {
		return bisect.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: bisect.PlaceSkip}, nil
	}
	good := c.at(ask.Good)
	m := &labtest.Simulator{Seed: c.seed*1000 + uint64(c.started), Start: time.Millisecond, Benchmarks: []labtest.Benchmark{{Name: "Hot", Time: time.Microsecond,
		Noise: c.noise, Effects: map[string]float64{"probe": c.at(ask.Index) - good, bisect.VariantBad: c.at(ask.Bad) - good}}}}
	if c.idle {
		m.Benchmarks = append(m.Benchmarks, labtest.Benchmark{Name: "Cold", Time: time.Microsecond, Noise: c.noise})
	}
	s := labtest.Study(bisect.VariantGood, bisect.VariantBad)
	s.Measure.Layouts, s.Measure.Trial, s.Decide.Budget = 1, 10*time.Millisecond, c.budget
	s = ask.Study(s, "probe", "c", "a", "b")
	if ask.Again {
		s.Decide.Budget *= 2
	}
	plan, builds, err := labtest.Plan(t.Context(), m, s)
	if err != nil {
		return bisect.Finding{}, err
	}
	platform, err := m.Platform(t.Context())
	if err != nil {
		return bisect.Finding{}, err
	}
	rec, err := record.Create(t.TempDir(), plan, platform, nil)
	if err != nil {
		return bisect.Finding{}, err
	}
	defer rec.Close()
	rule := bisect.NewProbe(ask, plan, analysis.NewTracker(plan, s.Decide.Budget), "probe")
	job := &lab.Job{Plan: plan, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: func(lab.Event) {}}
	_, err = job.Run(t.Context())
	return rule.Finding(), err
}

// A change of one of two benchmarks is counted: their geomean is that of neither.
func TestChangeOfOneBenchmark(t *testing.T) {
	for _, idle := range []bool{true, false} {
		c := &chain{effects: steps(1, map[int]float64{0: 0.46}), idle: idle, noise: labtest.Normal(0.01), budget: time.Hour}
		f, err := c.measure(t, bisect.Ask{Kind: bisect.AskEnds, Good: bisect.BeforeFirst, Alpha: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Change.Benchmarks; strings.HasPrefix(got, "1 of 2 benchmarks slower (Hot +4") != idle || !idle && got != "" {
			t.Errorf("idle %t: got %+v, %q", idle, f, got)
		}
	}
}

// steps are n effects: ln(1+by) from commit at on.
func steps(n int, at map[int]float64) []float64 {
	out := make([]float64, n)
	sum := 0.0
	for i := range out {
		sum += math.Log1p(at[i])
		out[i] = sum
	}
	return out
}

// tries bisects n chains in parallel.
func tries(t *testing.T, n int, of func(seed uint64) *chain) []*bisect.Result {
	t.Helper()
	out := make([]*bisect.Result, n)
	var g errgroup.Group
	g.SetLimit(8)
	for i := range n {
		g.Go(func() (err error) {
			out[i], err = of(uint64(i)).bisect(t)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	return out
}

// 64 commits, a slowdown at a random one: the right commit is found in 19 of 20
// tries at least, in fewer than 12 probes. The noise is of one trial.
func TestBisectionOfSimulatedCommits(t *testing.T) {
	for _, x := range []struct {
		name   string
		effect float64
		noise  labtest.Noise
		tries  int
	}{
		{"20 %, normal", 0.20, labtest.Normal(0.02), 10},
		{"5 %, normal", 0.05, labtest.Normal(0.01), 20},
		{"5 %, t3", 0.05, labtest.T3(0.01), 20},
		{"5 %, spikes", 0.05, labtest.Spikes(0.01, 0.1), 20},
		{"2 %, normal", 0.02, labtest.Normal(0.005), 10},
		{"5 % faster, normal", -0.05, labtest.Normal(0.01), 10},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			at := func(seed uint64) int { return int(seed*37+11) % 64 }
			right, probes, blocks := 0, 0, 0
			for i, r := range tries(t, x.tries, func(seed uint64) *chain {
				return &chain{effects: steps(64, map[int]float64{at(seed): x.effect}), noise: x.noise, seed: seed, budget: 20 * time.Second}
			}) {
				if r.Status == bisect.StatusFound && len(r.Candidates) == 1 && r.Culprit.Hash == fmt.Sprint(at(uint64(i))) && !r.Spread {
					right++
				} else {
					t.Logf("try %d: %s %+v, want commit %d", i, r.Status, r.Candidates, at(uint64(i)))
				}
				probes = max(probes, r.Probes)
				for _, f := range r.Findings {
					blocks += f.Blocks
				}
			}
			t.Logf("%d of %d right, %d probes at most, %d blocks a bisection", right, x.tries, probes, blocks/x.tries)
			if right < x.tries-1 || probes >= 12 {
				t.Errorf("%d of %d right in up to %d probes, want %d in fewer than 12", right, x.tries, probes, x.tries-1)
			}
		})
	}
}

// Where nothing changed, nothing is found.
func TestBisectionOfNoChange(t *testing.T) {
	t.Parallel()
	const n = 40
	found := 0
	for _, r := range tries(t, n, func(seed uint64) *chain {
		return &chain{effects: steps(64, nil), noise: labtest.Normal(0.02), seed: 100 + seed, budget: 2 * time.Second}
	}) {
		if r.Culprit != nil {
			found++
		}
	}
	t.Logf("%d of %d name a commit", found, n)
	// Each end is misjudged with .05/8 at most: 3 of 40 have probability .002.
	if found > 2 {
		t.Errorf("%d of %d bisections of unchanged code name a commit", found, n)
	}
}

// Commits that do not build hide the culprit only where they are beside it.
func TestBisectionPastBrokenCommits(t *testing.T) {
	t.Parallel()
	broken := map[int]bool{31: true, 32: true, 33: true, 34: true, 47: true}
	for i, r := range tries(t, 4, func(seed uint64) *chain {
		return &chain{effects: steps(64, map[int]float64{34 + int(seed): 0.1}), noise: labtest.Normal(0.01), seed: 200 + seed, broken: broken, budget: 20 * time.Second}
	}) {
		last, want := 34+i, 1
		if i < 2 {
			last, want = 35, 5 // 31 to 34 and the first after them
		}
		if r.Status != bisect.StatusFound || len(r.Candidates) != want || r.Culprit.Hash != fmt.Sprint(last) {
			t.Errorf("culprit %d: %s %+v, want %d candidates up to %d", 34+i, r.Status, r.Candidates, want, last)
		}
	}
}

// A change in two or three parts is reported as spread, and the named commit is one that
// did change the benchmark. To show that a third is less than three quarters of the whole
// takes intervals of both. If the first blocks decided the re-check, they may be too
// wide.
func TestBisectionOfSpreadChanges(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]map[int]float64{
		"halves": {12: 0.06, 51: 0.06},
		"thirds": {9: 0.05, 30: 0.05, 55: 0.05},
	} {
		spread := 0
		for i, r := range tries(t, 5, func(seed uint64) *chain {
			return &chain{effects: steps(64, at), noise: labtest.Normal(0.01), seed: 300 + seed, budget: 20 * time.Second}
		}) {
			var culprit int
			if r.Culprit == nil {
				t.Errorf("%s, try %d: %s", name, i, r.Status)
				continue
			}
			fmt.Sscan(r.Culprit.Hash, &culprit)
			if r.Status != bisect.StatusFound || at[culprit] == 0 {
				t.Errorf("%s, try %d: %s, commit %d", name, i, r.Status, culprit)
			}
			spread += btoi(r.Spread)
			if name == "halves" && len(r.Parts) != 2 {
				t.Errorf("%s, try %d: parts %+v, want two", name, i, r.Parts)
			}
		}
		if spread < 4 {
			t.Errorf("%s: %d of 5 are told to be spread", name, spread)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

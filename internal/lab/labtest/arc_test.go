package labtest_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/slow"
)

// chains runs a chain many times, four at once, each with a seed of its own.
func chains(t *testing.T, runs, benchmarks int, noise labtest.Noise, changes [][]float64, look func(*assay.Result)) {
	t.Helper()
	seeds := make(chan uint64, runs)
	for i := range uint64(runs) {
		seeds <- i + 1
	}
	close(seeds)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for seed := range seeds {
				s, m := labtest.Chain(benchmarks, changes...)
				s.Measure.Inner, s.Decide.MaxBlocks = 1, 20
				m.Seed = seed
				for i := range m.Benchmarks {
					m.Benchmarks[i].Noise = noise
				}
				r, err := labtest.Run(t.Context(), m, s, t.TempDir())
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				look(r)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// An arcTally counts what chains of known changes say.
type arcTally struct {
	runs, wholes, cells           int
	falseWholes, falseCells       int // "different" where nothing changed
	missedWholes, missedCells     int // the truth lies outside of the interval
	withFalseWhole, withFalseCell int // chains
	disagree, compounds           int
}

func (a *arcTally) add(r *assay.Result, changes [][]float64) {
	a.runs++
	truth := func(step, bench int) float64 { return changes[step][min(bench, len(changes[step])-1)] }
	before := *a
	for i, s := range r.Tables[0].Steps {
		mean := 0.0
		for b, c := range s.Cells {
			x := truth(i, b)
			mean += x / float64(len(s.Cells))
			a.cells++
			a.falseCells += count(x == 0 && c.Verdict.Differs())
			a.missedCells += count(missed(c, x))
		}
		a.wholes++
		a.falseWholes += count(mean == 0 && s.Whole.Verdict.Differs())
		a.missedWholes += count(missed(*s.Whole, mean))
	}
	a.withFalseCell += count(a.falseCells > before.falseCells)
	a.withFalseWhole += count(a.falseWholes > before.falseWholes)
	for _, c := range r.Arc.Compound {
		a.compounds++
		a.disagree += count(!c.Agree)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// missed allows for the four digits that times are printed with.
func missed(c assay.Comparison, ln float64) bool {
	const digits = 1e-4
	return c.Interval == nil || c.Interval.Lo.Log() > ln+digits || c.Interval.Hi.Log() < ln-digits
}

// most is the number of events that n trials at rate p have at most, but for one
// time in a thousand or so.
func most(n int, p float64) int {
	mean := float64(n) * p
	return int(mean + 3.1*math.Sqrt(mean) + 1)
}

// arcNoises are the kinds of noise of chains.
var arcNoises = map[string]labtest.Noise{"normal": labtest.Normal(0.01), "t3": labtest.T3(0.01), "spikes": labtest.Spikes(0.01, 0.1), "two levels": labtest.TwoLevel(0.005, 0.02)}

// Chains of 20 equal steps claim next to nothing, and their intervals hold the
// truth, under each kind of noise: here under one. Blocks hold windows of neighbours.
func TestEqualSteps(t *testing.T) { checkEqualSteps(t, 1, "t3") }

func TestSlowEqualSteps(t *testing.T) {
	slow.Test(t)
	checkEqualSteps(t, 4, "normal", "t3", "spikes")
}

// Of 40 runs none had a false claim, and none of the products disagreed.
func checkEqualSteps(t *testing.T, runs int, noises ...string) {
	changes := make([][]float64, 20)
	for i := range changes {
		changes[i] = []float64{0}
	}
	for _, name := range noises {
		var a arcTally
		chains(t, runs, 2, arcNoises[name], changes, func(r *assay.Result) { a.add(r, changes) })
		t.Logf("%s: %+v", name, a)
		// A list without any real effect claims falsely at all in 5 % of cases.
		if a.withFalseCell > most(runs, 0.05) || a.withFalseWhole > most(runs, 0.05) {
			t.Errorf("%s: %d and %d of %d chains with a false claim", name, a.withFalseCell, a.withFalseWhole, runs)
		}
		checkCoverage(t, name, a)
	}
}

func checkCoverage(t *testing.T, name string, a arcTally) {
	t.Helper()
	if a.missedWholes > most(a.wholes, 0.01) || a.missedCells > most(a.cells, 0.01) {
		t.Errorf("%s: %d of %d geomeans and %d of %d cells outside of their 99 %% intervals", name, a.missedWholes, a.wholes, a.missedCells, a.cells)
	}
	if a.compounds < a.runs*9/10 || a.disagree > most(a.compounds, 0.02) {
		t.Errorf("%s: %d of %d products disagree, in %d chains", name, a.disagree, a.compounds, a.runs)
	}
}

// The intervals of steps hold true changes, and the product agrees with the
// end-to-end change.
func TestTrueSteps(t *testing.T) { checkTrueSteps(t, 1, "spikes") }

func TestSlowTrueSteps(t *testing.T) {
	slow.Test(t)
	checkTrueSteps(t, 4, "normal", "t3", "spikes", "two levels")
}

// Of 30 runs none of the products disagreed.
func checkTrueSteps(t *testing.T, runs int, noises ...string) {
	changes := make([][]float64, 12)
	for i := range changes {
		changes[i] = []float64{[]float64{-0.3, 0, 0.02, -0.05, 0.9, -0.01}[i%6], []float64{-0.1, 0, -0.02}[i%3]}
	}
	for _, name := range noises {
		var a arcTally
		chains(t, runs, 2, arcNoises[name], changes, func(r *assay.Result) { a.add(r, changes) })
		t.Logf("%s: %+v", name, a)
		checkCoverage(t, name, a)
	}
}

// A chain with everything that goes wrong at once is analysed to its end: steps
// that do not build, the same code, and benchmarks that steps lack.
func TestBrokenChain(t *testing.T) {
	changes := make([][]float64, 12)
	for i := range changes {
		changes[i] = []float64{-0.05}
	}
	s, m := labtest.Chain(4, changes...)
	s.Measure.Inner = 1
	m.Fails = map[string][]string{"s03": {"./x.go:1:1: undefined: y"}, "s12": {"./x.go:1:1: undefined: y"}}
	m.Code = map[string]string{"s07": "seven", "s08": "seven"}
	for i := range m.Benchmarks {
		m.Benchmarks[i].Effects["s08"] = m.Benchmarks[i].Effects["s07"]
	}
	m.Benchmarks[3].Lacks = []string{"s05", "s06"}
	r, err := labtest.Run(t.Context(), m, s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if r.Spent.Stop != "decided" || r.Tables[0].Common != 3 || r.Answer.Use != "s11" {
		t.Errorf("stopped by %q, %d common benchmarks, answer %v", r.Spent.Stop, r.Tables[0].Common, r.Answer.Text)
	}
	for i, c := range r.Tables[0].Steps {
		want := map[int]string{2: "<nil>", 11: "<nil>", 7: string(assay.SameCoded)}[i]
		if want == "" {
			want = string(assay.Faster)
		}
		got := "<nil>"
		if c.Whole != nil {
			got = string(c.Whole.Verdict)
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%s)", c.Variant, got, want, r.Arc.Steps[i].Text)
		}
	}
	if got := r.Tables[0].Steps[3].Previous; got != "s02" {
		t.Errorf("s04 is compared with %s, want s02", got)
	}
	if got := fmt.Sprint(r.Arc.Steps[4].Missing); got != fmt.Sprint(r.Arc.Steps[5].Missing) || len(r.Arc.Steps[4].Missing) != 1 {
		t.Errorf("missing %s", got)
	}
}

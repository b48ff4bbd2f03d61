package labtest_test

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/slow"
)

// The whole program on machines of every kind of noise: of 20 benchmarks two
// really changed by 10 %. Among the 18 others hardly any may be called
// different, and the two must be found. The engine's own error rates are
// simulated in package stats, over thousands of runs; this is about what
// scheduling, leaving, pilots and lists make of them.
func TestErrorRates(t *testing.T) { checkErrorRates(t, 1) }

func TestSlowErrorRates(t *testing.T) {
	slow.Test(t)
	checkErrorRates(t, 4)
}

func checkErrorRates(t *testing.T, runs int) {
	for name, set := range map[string]func(*labtest.Simulator){
		"normal":   noise(labtest.Normal(0.01)),
		"t3":       noise(labtest.T3(0.01)),
		"spikes":   noise(labtest.Spikes(0.01, 0.1)),
		"levels":   noise(labtest.TwoLevel(0.002, 0.02)),
		"regimes":  noise(labtest.Regimes(1, 0.005)),
		"drift":    func(m *labtest.Simulator) { noise(labtest.Normal(0.01))(m); m.Drift = 0.002 },
		"position": func(m *labtest.Simulator) { noise(labtest.Normal(0.01))(m); m.PositionPenalty = 0.03 },
		"layout":   func(m *labtest.Simulator) { noise(labtest.Normal(0.005))(m); m.Layout = 0.02 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var wg sync.WaitGroup
			var mu sync.Mutex
			wrong, missed := 0, 0
			for seed := range uint64(runs) {
				wg.Go(func() {
					w, m := errorsOf(t, set, seed)
					mu.Lock()
					defer mu.Unlock()
					wrong, missed = wrong+w, missed+m
				})
			}
			wg.Wait()
			// 18 cells without an effect a run, at a rate of 1 % at most: of 72 cells 5 or
			// more have probability .0008, of 18 two or more .014.
			if wrong > runs || missed > runs/4 {
				t.Errorf("%d of %d unchanged benchmarks called different, %d of %d changes missed", wrong, 18*runs, missed, 2*runs)
			}
		})
	}
}

func noise(n labtest.Noise) func(*labtest.Simulator) {
	return func(m *labtest.Simulator) {
		for i := range m.Benchmarks {
			m.Benchmarks[i].Noise = n
		}
	}
}

func errorsOf(t *testing.T, set func(*labtest.Simulator), seed uint64) (wrong, missed int) {
	m := &labtest.Simulator{Seed: seed, Start: time.Millisecond, LinkTime: 50 * time.Millisecond}
	for i := range 20 {
		b := labtest.Benchmark{Name: fmt.Sprintf("B%02d", i), Time: time.Microsecond}
		if i < 2 {
			b.Effects = map[string]float64{"new": math.Log(1.1)}
		}
		m.Benchmarks = append(m.Benchmarks, b)
	}
	set(m)
	s := labtest.Study("old", "new")
	s.Measure.Trial, s.Decide.MaxBlocks, s.Measure.Inner = 10*time.Millisecond, 25, 1
	r, err := labtest.Run(t.Context(), m, s, t.TempDir())
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	for _, row := range r.Tables[0].Rows {
		v := row.Cells[0].Verdict
		changed := row.Benchmark.Name < "B02"
		switch {
		case changed && v != assay.Slower:
			missed++
		case !changed && v.Differs():
			wrong++
		}
	}
	return wrong, missed
}

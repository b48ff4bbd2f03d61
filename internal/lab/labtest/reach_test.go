package labtest_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

// What is foretold of a machine from a run of the same code is what a run with a
// change needs: half as much again is nearly always shown in that time, two thirds
// of it is mostly not.
func TestReach(t *testing.T) {
	const budget = 20 * time.Second // of simulated time
	for name, noise := range map[string]labtest.Noise{"normal": labtest.Normal(0.02), "t3": labtest.T3(0.02), "spikes": labtest.Spikes(0.01, 0.05)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			smallest := foretold(t, noise, budget)
			if smallest <= 0 || smallest > 0.05 {
				t.Fatalf("the smallest change is %v", smallest)
			}
			const runs = 12
			more, less := shown(t, noise, budget, 1.5*smallest, runs), shown(t, noise, budget, smallest/1.5, runs)
			t.Logf("%.2g %%: shown %d times of %d at 1.5 times as much, %d times at a 1.5th", 100*smallest, more, runs, less)
			if more < 9 || less > 8 {
				t.Errorf("%d of %d runs show 1.5 times %.2g %%, %d a 1.5th", more, runs, 100*smallest, less)
			}
		})
	}
}

func reachMachine(seed uint64, noise labtest.Noise, effect float64) *labtest.Simulator {
	return &labtest.Simulator{Seed: seed, Start: 2 * time.Millisecond, LinkTime: 20 * time.Millisecond, Benchmarks: []labtest.Benchmark{
		{Name: "X", Time: time.Microsecond, Noise: noise, Effects: map[string]float64{"new": effect}}}}
}

// foretold is the smallest change, from a run of the same code.
func foretold(t *testing.T, noise labtest.Noise, d time.Duration) float64 {
	store := t.TempDir()
	s := labtest.Study("base", "same1", "same2", "same3")
	s.Decide.MinBlocks, s.Decide.MaxBlocks = 60, 60
	if _, err := labtest.Run(t.Context(), reachMachine(1, noise, 0), s, store); err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(os.DirFS(filepath.Join(store, labtest.RunID)))
	if err != nil {
		t.Fatal(err)
	}
	tracker := analysis.NewTracker(run.Plan, 0)
	for _, block := range run.Blocks() {
		tracker.Add(block)
	}
	whole, each := tracker.Reach(d)
	if whole == nil || len(each) != 1 || math.Abs(each[0].Smallest[0].Log()/whole.Smallest[0].Log()-1) > 0.2 {
		t.Fatalf("the only benchmark is not the suite: %+v, %+v", whole, each)
	}
	return whole.Smallest[0].Log()
}

// shown counts the runs that call a change of this size different within d.
func shown(t *testing.T, noise labtest.Noise, d time.Duration, effect float64, runs int) (n int) {
	for seed := range uint64(runs) {
		s := labtest.Study("old", "new")
		s.Decide.Budget, s.Decide.MinEffect = d, 1e-6
		r, err := labtest.Run(t.Context(), reachMachine(100+seed, noise, effect), s, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if r.Tables[0].Rows[0].Cells[0].Verdict == assay.Slower {
			n++
		}
	}
	return n
}

package survey

import (
	"cmp"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A benchmark that has had its share of the time is tried with one slice of each variant,
// and nobody traces its collections: the time is the blocks'.
func TestLate(t *testing.T) {
	for _, test := range []struct {
		late           bool
		rounds, traces int
	}{{false, probeLong, 4}, {true, 1, 0}} {
		rounds, traces := 0, 0
		m := &made{cpus: []int{0, 1},
			run: func(r lab.RunRequest) trial.Outcome {
				if r.GCTrace {
					traces++
				}
				return result(1e-6, r.N, r.Names...)
			},
			together: func(r lab.TogetherRequest) ([]trial.Outcome, error) {
				rounds = r.Rounds
				outs := make([]trial.Outcome, len(r.Arms))
				for i := range outs {
					outs[i] = trial.Outcome{Status: assay.StatusOK, Slices: map[string][]float64{assay.MetricTime: make([]float64, r.Rounds)}}
					for k := range r.Rounds {
						outs[i].Slices[assay.MetricTime][k] = 1e-6
					}
				}
				return outs, nil
			}}
		c := chosen(t, oldNew(), m)
		// With 10 kB an operation and 1 GB of memory, three collections may take 300 ms.
		r := calibration.Plain{PerOp: 1e-6, Bytes: 1e4, RSS: 1e9}
		if c.refs = (calibration.Plains{r, r}); test.late {
			c.until = time.Now()
		}
		if err := c.long(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rounds != test.rounds || traces != test.traces {
			t.Errorf("late %t: %d slices and %d traces, want %d and %d", test.late, rounds, traces, test.rounds, test.traces)
		}
		if c.bench.Gear != assay.GearSlices || !c.bench.Long || len(c.few) > 0 {
			t.Errorf("late %t: planned is %+v, few cycles in %v", test.late, *c.bench, c.few)
		}
	}
}

// What allocates nothing and keeps one CPU busy has one for all long slices, unless that makes
// another time; then they have all CPUs, at the same length. What keeps a little more busy
// hands over between goroutines, and has all CPUs from the start.
func TestLongOnOneCPU(t *testing.T) {
	for _, test := range []struct {
		name    string
		busy    float64
		onOne   float64 // seconds of an operation on one CPU
		bound   bool    // in the end
		tries   int     // of slices
		atFirst int     // CPUs of the first try; 0 is all
	}{
		{"one goroutine", 1.01, 1e-6, true, 1, 1},
		{"faster on one", 1.01, 0.8e-6, false, calibration.Tries + 1, 1},
		{"two that hand over", 1.12, 0.8e-6, false, 1, 0},
	} {
		var cpus []int
		m := &made{cpus: []int{0, 1},
			run: func(r lab.RunRequest) trial.Outcome {
				return result(1e-6, cmp.Or(r.N, 1_000_000), r.Names...)
			},
			together: func(r lab.TogetherRequest) ([]trial.Outcome, error) {
				cpus = append(cpus, len(r.CPUs))
				sec := 1e-6
				if len(r.CPUs) == 1 {
					sec = test.onOne
				}
				outs := make([]trial.Outcome, len(r.Arms))
				for i := range outs {
					outs[i] = trial.Outcome{Status: assay.StatusOK, Slices: map[string][]float64{assay.MetricTime: {sec, sec, sec}}}
				}
				return outs, nil
			}}
		c := chosen(t, oldNew(), m)
		c.cpus = m.cpus
		r := calibration.Plain{PerOp: 1e-6, Busy: test.busy}
		c.refs = calibration.Plains{r, r}
		if err := c.long(t.Context()); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if c.bench.OneCPU != test.bound || len(cpus) != test.tries || cpus[0] != test.atFirst || c.bench.N != 100_000 {
			t.Errorf("%s: one CPU %t with N=%d after tries on %v CPUs; want %t with 100000 after %d", test.name, c.bench.OneCPU, c.bench.N, cpus, test.bound, test.tries)
		}
	}
}

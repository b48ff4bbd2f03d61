package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/slow"
)

// machines measures a study of n variants on some machines, each with noise of its own
// kind. effects has those of the variants on each machine.
func machines(r *rand.Rand, n, benchmarks int, effects ...map[string]float64) []Part {
	noises := sortedKeys(simNoises)
	var parts []Part
	for i, e := range effects {
		s := listed(r, n, benchmarks)
		s.effects, s.plan.Machines = e, len(effects)
		s.plan.Study.Decide.Confidence = 0.95
		s.plan.Run, s.plan.Machine = fmt.Sprint("run", i), fmt.Sprint("m", i)
		res := s.run(r, simNoises[noises[r.IntN(len(noises))]](r))
		res.Platform.ID, res.Created = fmt.Sprint("p", i), time.Unix(int64(i), 0)
		parts = append(parts, Part{Result: *res, Plan: s.plan, Blocks: s.blocks})
	}
	return parts
}

// families measures identical code on two to four machines, and variants whose effects are
// the same on all machines, with every stop rule at work. It counts the families in which
// some difference is confirmed though there is none, or machines are said to disagree.
func families(t *testing.T, n int) (differ, disagree int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				r := rand.New(rand.NewPCG(uint64(i), 18))
				list := make([]map[string]float64, 2+i%3)
				effect := 0.0
				if i%2 == 1 { // of one size everywhere
					effect = 0.02 + 0.03*r.Float64()
				}
				for j := range list {
					list[j] = map[string]float64{"b": effect}
				}
				m, err := Merge(machines(r, 2+i%2, 1+i%4/3, list...))
				if err != nil {
					t.Error(err)
					return
				}
				wrong, split := false, false
				for _, h := range m.Heads {
					for j, x := range h.On {
						wrong = wrong || x.Confirmed && list[j][h.Variant] == 0
						if own := x.Verdict.Differs(); own != x.Confirmed {
							t.Errorf("family %d: %s on m%d: confirmed %v, its own run says %q", i, h.Variant, j, x.Confirmed, x.Verdict)
						}
					}
				}
				for _, x := range m.Interactions {
					split = split || x.Verdict == assay.Changed
				}
				mu.Lock()
				differ, disagree = differ+btoi(wrong), disagree+btoi(split)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return differ, disagree
}

// With several machines of identical code, the chance that a difference is confirmed on any
// of them is at most the level; so is the chance that machines on which a variant has the
// same effect are said to disagree. Three standard errors are allowed: of 500 families 40,
// so that a true rate of 10 % fails 9 times in 10, and the level itself once in 600.
func checkFamilies(t *testing.T, n int) {
	differ, disagree := families(t, n)
	t.Logf("of %d families %.2f %% confirm a difference that is not there, %.2f %% an interaction", n, 100*float64(differ)/float64(n), 100*float64(disagree)/float64(n))
	if most := 0.05*float64(n) + 3*math.Sqrt(0.05*float64(n)); float64(differ) > most || float64(disagree) > most {
		t.Errorf("%d and %d of %d families are wrong, want %.0f at most", differ, disagree, n, most)
	}
}

func TestMachinesOfIdenticalCode(t *testing.T) { checkFamilies(t, 20) }

func TestSlowMachinesOfIdenticalCode(t *testing.T) {
	slow.Test(t)
	checkFamilies(t, manyStudies(t, 500))
}

// An effect is confirmed on the machines that have it, and where it turns around the
// machines disagree, with an interval that holds the difference.
func TestMachinesConfirm(t *testing.T) {
	confirmed, wrong, n := 0, 0, 12
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		m, err := Merge(machines(r, 2, 1, map[string]float64{"b": -0.1}, map[string]float64{"b": -0.12}, map[string]float64{"b": 0.08}))
		if err != nil {
			t.Fatal(err)
		}
		h := m.Heads[0]
		confirmed += h.Better + h.Worse
		if h.Of != 3 || m.Claims != 3 || len(m.Interactions) != 3 {
			t.Fatalf("%d machines, %d claims, %d interactions", h.Of, m.Claims, len(m.Interactions))
		}
		x := m.Interactions[0]
		if x.Verdict != assay.Changed || x.Interval == nil || m.Answer.Verdict != assay.Mixed ||
			!strings.Contains(strings.Join(m.Answer.Text, "\n"), "machines disagree: the time of b, relative to a, is ") {
			t.Errorf("seed %d: %+v\n%s", seed, x, strings.Join(m.Answer.Text, "\n"))
			continue
		}
		truth := assay.ChangeOfLog([]float64{-0.1, -0.12, 0.08}[x.Machines[1]] - []float64{-0.1, -0.12, 0.08}[x.Machines[0]])
		if !x.Interval.Covers(truth) {
			wrong++
		}
	}
	if confirmed < 3*n-4 || wrong > 2 {
		t.Errorf("%d of %d effects confirmed, %d intervals miss", confirmed, 3*n, wrong)
	}
}

// A machine that an emulator stands in for has no say.
func TestEmulatedMachinesDoNotCount(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	parts := machines(r, 2, 1, map[string]float64{"b": -0.1}, map[string]float64{"b": -0.1}, map[string]float64{"b": 0.3})
	parts[2].Result.Platform.Emulated = "qemu-aarch64"
	m, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(m.Answer.Text, "\n")
	if h := m.Heads[0]; h.Of != 2 || h.Worse != 0 || m.Answer.Use != "b" || len(m.Interactions) != 1 ||
		!strings.Contains(text, "faster on both machines") || !strings.Contains(text, "not counted: m2") {
		t.Errorf("%+v\n%s", h, text)
	}
}

// The answer over machines says on how many of them, and names those that differ.
func TestAnswerOverMachines(t *testing.T) {
	b := func(list ...float64) (out []map[string]float64) {
		for _, e := range list {
			out = append(out, map[string]float64{"b": e})
		}
		return out
	}
	for _, tc := range []struct {
		effects []map[string]float64
		use     string
		want    string
	}{
		{b(-0.1, -0.12, -0.2), "b", "use b: faster on all 3 machines, −"},
		{b(0.1, 0.12), "a", "use a: b is slower on both machines, +"},
		{b(-0.1, -0.1, 0), "b", "use b: faster on 2 of 3 machines, −"},
		{b(-0.1, 0.1), "", "it depends on the machine: b: faster on 1 of 2 machines, −"},
	} {
		m, err := Merge(machines(rand.New(rand.NewPCG(2, 2)), 2, 1, tc.effects...))
		if err != nil {
			t.Fatal(err)
		}
		t.Log(strings.Join(append(m.Answer.Text, m.Answer.Basis), "\n"))
		if a := m.Answer; a.Use != tc.use || !strings.HasPrefix(a.Text[0], tc.want) {
			t.Errorf("%v: use %q\n%s\nwant %q", tc.effects, a.Use, strings.Join(a.Text, "\n"), tc.want)
		}
	}
	m, err := Merge(machines(rand.New(rand.NewPCG(5, 2)), 4, 2, map[string]float64{"b": -0.1, "c": 0.04}, map[string]float64{"b": -0.02, "d": -0.2}))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(strings.Join(append(m.Answer.Text, m.Answer.Basis), "\n"))
}

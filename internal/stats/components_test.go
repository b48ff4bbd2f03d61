package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestComponents(t *testing.T) {
	for _, c := range []struct {
		name            string
		groups          [][]float64
		between, within float64
	}{
		// Means 2 and 8, grand mean 5: SS_within = 2+2 over 4-2 = 2;
		// SS_between = 2*(9+9) = 36 over 1; n0 = 2: (36-2)/2 = 17.
		{"two by two", [][]float64{{1, 3}, {7, 9}}, 17, 2},
		// Means 0 and 4, grand mean 3: SS_within = 1+0+1 over 4-2 = 1;
		// SS_between = 1*9 + 3*1 = 12 over 1; n0 = 4 - (1+9)/4 = 1.5: (12-1)/1.5.
		{"unequal", [][]float64{{0}, {3, 4, 5}}, 11 / 1.5, 1},
		// Equal means: SS_between = 0, the estimate would be negative.
		{"no difference between", [][]float64{{1, 3}, {3, 1}}, 0, 2},
		{"one round each", [][]float64{{1}, {3}}, 2, 0},
		{"one block", [][]float64{{1, 3}, nil}, 0, 2},
		{"nothing", nil, 0, 0},
	} {
		between, within := Components(c.groups)
		if !near(between, c.between, 1e-12) || !near(within, c.within, 1e-12) {
			t.Errorf("%s: %g, %g, want %g, %g", c.name, between, within, c.between, c.within)
		}
	}
}

// TestComponentsSimulated: unequal groups, true components 9 and 4.
func TestComponentsSimulated(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	groups := make([][]float64, 4000)
	for i := range groups {
		level := 3 * rng.NormFloat64()
		for range 1 + i%4 {
			groups[i] = append(groups[i], level+2*rng.NormFloat64())
		}
	}
	between, within := Components(groups)
	if !near(between, 9, 0.07) || !near(within, 4, 0.07) {
		t.Errorf("components %g, %g, want 9, 4", between, within)
	}
}

// TestShareBetweenSimulated: blocks of 51 rounds of three arms, each round with a drift
// that all share and with spikes, each arm and block with a layout. The share of layouts
// in the variance of a difference of two arms is set, and has to be found.
func TestShareBetweenSimulated(t *testing.T) {
	const runs, blocks, rounds = 300, 20, 51
	rng := rand.New(rand.NewPCG(7, 7))
	block := func(layout float64) (d, within float64) {
		arms := make([][]float64, 3)
		level := []float64{layout * rng.NormFloat64(), layout * rng.NormFloat64(), layout * rng.NormFloat64()}
		drift := 0.0
		for range rounds {
			drift += 0.02 * rng.NormFloat64()
			for i := range arms {
				x := level[i] + drift + 0.01*rng.NormFloat64()
				if rng.IntN(20) == 0 {
					x += 0.5 * rng.ExpFloat64()
				}
				arms[i] = append(arms[i], x)
			}
		}
		return Arms(arms)[1] - Arms(arms)[0], ArmErrors(arms, 0)[1]
	}
	var noise float64 // of the difference, without layouts
	for range 4000 {
		d, _ := block(0)
		noise += d * d / 4000
	}
	for _, want := range []float64{0, 0.3, 0.6, 0.9} {
		layout := math.Sqrt(noise * want / (1 - want) / 2) // two links, one an arm
		var estimates []float64
		covered := 0
		for range runs {
			d, within := make([]float64, blocks), make([]float64, blocks)
			for i := range d {
				d[i], within[i] = block(layout)
			}
			s, ok := ShareBetween(d, within, ErrorFreedom, 0.95)
			if !ok {
				t.Fatal("no share")
			}
			estimates = append(estimates, s.Estimate)
			if s.Lo <= want && want <= s.Hi {
				covered++
			}
		}
		if got := Median(estimates); math.Abs(got-want) > 0.1 {
			t.Errorf("share %.1f: the median estimate is %.2f", want, got)
		}
		if got := float64(covered) / runs; got < 0.9 {
			t.Errorf("share %.1f: the 95 %% interval covers it in %.3f of runs", want, got)
		}
		t.Logf("share %.1f: median %.2f, covered %.3f", want, Median(estimates), float64(covered)/runs)
	}
}

func TestShareBetweenUnknown(t *testing.T) {
	for name, c := range map[string]struct{ values, within []float64 }{
		"one block":       {[]float64{1}, []float64{1}},
		"no noise within": {[]float64{1, 2}, []float64{0, 0}},
		"slices missing":  {[]float64{1, 2}, []float64{1}},
	} {
		if s, ok := ShareBetween(c.values, c.within, 4, 0.95); ok {
			t.Errorf("%s: share %v, want none", name, s)
		}
	}
	if got := ArmErrors([][]float64{make([]float64, 14), make([]float64, 14)}, 0); got != nil {
		t.Errorf("14 rounds have errors %v, want none", got)
	}
}

// TestArmSpread: six arms whose levels scatter by a known amount, over rounds that drift.
func TestArmSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, want := range []float64{0, 0.01, 0.07} {
		var squared []float64
		for range 400 {
			arms, drift := make([][]float64, 6), 0.0
			level := make([]float64, len(arms))
			for i := range level {
				level[i] = want * rng.NormFloat64()
			}
			for range 31 {
				drift += 0.02 * rng.NormFloat64()
				for i := range arms {
					arms[i] = append(arms[i], level[i]+drift+0.01*rng.NormFloat64())
				}
			}
			s, noise := ArmSpread(arms)
			if noise < 0.0005 || noise > 0.01 {
				t.Fatalf("noise %.4f, want about 0.01 / sqrt(31)", noise)
			}
			squared = append(squared, s*s)
		}
		if got := math.Sqrt(Mean(squared)); math.Abs(got-want) > 0.05*want+0.0015 {
			t.Errorf("levels that scatter by %g: spread %.4f", want, got)
		}
	}
	if got, _ := ArmSpread([][]float64{{1, 2}, {3, 4}}); !math.IsNaN(got) {
		t.Errorf("spread %g of two rounds, want none", got)
	}
}

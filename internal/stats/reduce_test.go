package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestArmsByHand: rounds of 1, 2, 30 shift all arms alike; the third arm takes 5 more;
// one value spikes. Medians of differences: b-a 0, c-a 5, c-b 5.
func TestArmsByHand(t *testing.T) {
	values := [][]float64{{1, 2, 30, 4, 5}, {1, 2, 30, 4, 99}, {6, 7, 35, 9, 10}}
	got := Arms(values)
	for i, want := range []float64{-5.0 / 3, -5.0 / 3, 10.0 / 3} {
		if !near(got[i], want, 1e-12) {
			t.Errorf("arms %v, want the third 5 above the others", got)
		}
	}
	if got := Arms([][]float64{{3}, {4}, {8}}); got[1]-got[0] != 1 || !near(got[2]-got[0], 5, 1e-12) {
		t.Errorf("one round gives %v, want the differences of the values", got)
	}
	if got := Arms([][]float64{{}, {}}); len(got) != 2 || got[0] != 0 {
		t.Errorf("no rounds give %v", got)
	}
}

// Exchanging arms exchanges their values: what the engine's first assumption rests on.
func TestArmsTreatsArmsAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for arms := 2; arms <= 6; arms++ {
		values := make([][]float64, arms)
		for i := range values {
			values[i] = make([]float64, 21)
			for r := range values[i] {
				values[i][r] = rng.NormFloat64()
			}
		}
		want := Arms(values)
		perm := rng.Perm(arms)
		moved := make([][]float64, arms)
		for i, p := range perm {
			moved[i] = values[p]
		}
		for i, x := range Arms(moved) {
			if !near(x, want[perm[i]], 1e-12) {
				t.Errorf("%d arms: arm %d has %g in another place, %g before", arms, i, x, want[perm[i]])
			}
		}
	}
}

// TestArmsOfDriftAndSpikes: where the speed drifts from round to round and one slice
// in ten is interrupted, the error of the reduced ratio is a fraction of that of the
// sums, which is what lockstep is for.
func TestArmsOfDriftAndSpikes(t *testing.T) {
	const rounds, blocks, effect = 51, 200, 0.01
	var reduced, polish, sums []float64
	for seed := range uint64(blocks) {
		rng := rand.New(rand.NewPCG(seed, 2))
		values := make([][]float64, 3)
		speed := 0.0
		for range rounds {
			for i := range values {
				speed = 0.99*speed + 0.02*rng.NormFloat64()
				x := speed + 0.002*rng.NormFloat64()
				if i == 0 {
					x += effect
				}
				if rng.Float64() < 0.1 {
					x += rng.ExpFloat64()
				}
				values[i] = append(values[i], x)
			}
		}
		arms := Arms(values)
		reduced = append(reduced, arms[0]-arms[1]-effect)
		arms = medianPolish(values)
		polish = append(polish, arms[0]-arms[1]-effect)
		sum := [2]float64{}
		for i := range sum {
			for _, x := range values[i] {
				sum[i] += math.Exp(x)
			}
		}
		sums = append(sums, math.Log(sum[0]/sum[1])-effect)
	}
	a, b := math.Sqrt(Variance(reduced)), math.Sqrt(Variance(sums))
	t.Logf("sd of the reduced ratio %.4f, of the sums %.4f; mean error %.4f", a, b, Mean(reduced))
	t.Logf("median polish of an effect of %.3f: sd %.4f, mean error %.4f", effect, math.Sqrt(Variance(polish)), Mean(polish))
	if Mean(polish) > -effect/2 {
		t.Error("median polish keeps the effect: the reason not to use it is gone")
	}
	if a > b/4 {
		t.Errorf("sd of the reduced ratio %.4f, of the sums %.4f: want a quarter at most", a, b)
	}
	if m := Mean(reduced); math.Abs(m) > 4*a/math.Sqrt(blocks) {
		t.Errorf("mean error %.5f with sd %.5f", m, a)
	}
}

// TestArmsOfDisturbedSlices: four slices of five take longer, each by another amount, as on
// a machine that others use too. The fastest slices of each arm tell more than differences
// within rounds; of rates they are the largest values.
func TestArmsOfDisturbedSlices(t *testing.T) {
	const rounds, blocks, effect = 201, 200, 0.01
	var reduced, pairs []float64
	for seed := range uint64(blocks) {
		rng := rand.New(rand.NewPCG(seed, 3))
		values := make([][]float64, 3)
		for i := range values {
			for range rounds {
				x := 0.001 * rng.NormFloat64()
				if rng.Float64() < 0.8 {
					x += 0.3 * rng.ExpFloat64()
				}
				values[i] = append(values[i], x)
			}
		}
		arms := Arms(values)
		reduced = append(reduced, arms[0]-arms[1])
		byPairs, _ := byPairs(values)
		pairs = append(pairs, byPairs[0]-byPairs[1])

		slower, rates := make([][]float64, 3), make([][]float64, 3)
		for i, v := range values {
			for _, x := range v {
				rates[i] = append(rates[i], -x)
				if i == 0 {
					x += effect
				}
				slower[i] = append(slower[i], x)
			}
		}
		if got := Arms(slower); !near(got[0]-got[1]-arms[0]+arms[1], effect, 1e-12) {
			t.Fatalf("seed %d: an effect of %g moves the arms by %g", seed, effect, got[0]-got[1]-arms[0]+arms[1])
		}
		for i, x := range Arms(rates) {
			if !near(x, -arms[i], 1e-12) {
				t.Fatalf("seed %d: arm %d has %g as a time and %g as a rate", seed, i, arms[i], x)
			}
		}
	}
	a, b := math.Sqrt(Variance(reduced)), math.Sqrt(Variance(pairs))
	t.Logf("sd of the reduced ratio %.4f, of medians of differences %.4f", a, b)
	if a > b/10 {
		t.Errorf("sd of the reduced ratio %.4f, of medians of differences %.4f: want a tenth at most", a, b)
	}
}

// TestArmsDisturbedUnequally: the fastest slices of an arm take 3 % longer, and all that others
// disturb 11 %. Users meet those.
func TestArmsDisturbedUnequally(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	var got []float64
	for range 50 {
		values := make([][]float64, 3)
		for range 201 {
			for i := range values {
				x, disturbed := 0.001*rng.NormFloat64(), rng.Float64() < 0.8
				if disturbed {
					x += 0.1 * rng.ExpFloat64()
				}
				if i == 2 {
					x += 0.03
					if disturbed {
						x += 0.08
					}
				}
				values[i] = append(values[i], x)
			}
		}
		arms := Arms(values)
		got = append(got, arms[2]-arms[0])
	}
	if mean := Mean(got); !near(mean, 0.105, 0.05) {
		t.Errorf("the change is %.3f, want about 0.105 as in the median", mean)
	}
}

// TestArmErrorsSimulated: the errors that slices have are those that ArmErrors tells, where
// each of the two ways is chosen.
func TestArmErrorsSimulated(t *testing.T) {
	for name, c := range map[string]struct{ drift, disturbed float64 }{
		"drift": {0.02, 0.05}, "disturbed": {0, 0.8}, "quiet": {0, 0},
	} {
		rng := rand.New(rand.NewPCG(5, 5))
		var seen, told float64
		const blocks = 2000
		for range blocks {
			values, speed := make([][]float64, 2), 0.0
			for range 101 {
				speed += c.drift * rng.NormFloat64()
				for i := range values {
					x := speed + 0.002*rng.NormFloat64()
					if rng.Float64() < c.disturbed {
						x += 0.3 * rng.ExpFloat64()
					}
					values[i] = append(values[i], x)
				}
			}
			arms := Arms(values)
			seen += (arms[1] - arms[0]) * (arms[1] - arms[0]) / blocks
			told += ArmErrors(values, 0)[1] / blocks
		}
		t.Logf("%s: sd %.5f, told %.5f", name, math.Sqrt(seen), math.Sqrt(told))
		if r := told / seen; r < 0.5 || r > 1.4 {
			t.Errorf("%s: the variance that is told is %.2f times the one that is", name, r)
		}
	}
}

// medianPolish is Tukey's, by rounds and then by arms.
func medianPolish(values [][]float64) (arms []float64) {
	arms = make([]float64, len(values))
	if len(values) == 0 || len(values[0]) == 0 {
		return arms
	}
	rest := make([][]float64, len(values))
	for i := range values {
		rest[i] = slices.Clone(values[i])
	}
	column := make([]float64, len(values))
	for range 10 {
		moved := false
		for r := range rest[0] {
			for i := range rest {
				column[i] = rest[i][r]
			}
			m := Median(column)
			for i := range rest {
				rest[i][r] -= m
			}
		}
		for i := range rest {
			m := Median(rest[i])
			arms[i] += m
			for r := range rest[i] {
				rest[i][r] -= m
			}
			moved = moved || m != 0
		}
		if !moved {
			break
		}
	}
	return arms
}

package labtest

import (
	"math"
	"math/rand/v2"

	"github.com/seed-1318a441/assay/internal/design"
)

// Normal noise with standard deviation sd.
func Normal(sd float64) Noise {
	return func(r *rand.Rand, _ int) float64 { return sd * r.NormFloat64() }
}

// T3 is Student's t with 3 degrees of freedom, scaled to standard deviation
// sd: heavy tails that still have a variance.
func T3(sd float64) Noise {
	return func(r *rand.Rand, _ int) float64 {
		chi := 0.0
		for range 3 {
			x := r.NormFloat64()
			chi += x * x
		}
		return sd / math.Sqrt(3) * r.NormFloat64() / math.Sqrt(chi/3)
	}
}

// Spikes is normal noise with a share of trials slowed by 5 to 15 sd: what a
// neighbour's burst does.
func Spikes(sd, share float64) Noise {
	return func(r *rand.Rand, _ int) float64 {
		x := sd * r.NormFloat64()
		if r.Float64() < share {
			x += sd * (5 + 10*r.Float64())
		}
		return x
	}
}

// TwoLevel is a machine that is in one of two states, trial by trial.
func TwoLevel(sd, gap float64) Noise {
	return func(r *rand.Rand, _ int) float64 {
		x := sd * r.NormFloat64()
		if r.IntN(2) == 0 {
			x += gap
		}
		return x
	}
}

// Regimes is normal noise whose scale changes tenfold every few blocks.
func Regimes(seed uint64, sd float64) Noise {
	return func(r *rand.Rand, block int) float64 {
		if design.Rand(seed, "regime", block/7).IntN(3) == 0 {
			return 10 * sd * r.NormFloat64()
		}
		return sd * r.NormFloat64()
	}
}

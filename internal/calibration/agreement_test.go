package calibration

import (
	"math/rand/v2"
	"testing"
)

// What measures the same is admitted also on a noisy machine, and what measures something
// else is not, on a machine that is quiet enough to see it.
func TestDisagreement(t *testing.T) {
	for _, test := range []struct {
		name        string
		off         []float64 // by variant; the base is the first
		noise       float64
		least, most float64 // share that is admitted
	}{
		{"the same", []float64{0, 0}, 0.01, 0.999, 1},
		{"a little slower", []float64{0.03, 0.03}, 0.005, 0.99, 1},
		{"the same, noisy", []float64{0, 0, 0}, 0.2, 0.95, 1},
		{"slower", []float64{0.2, 0.2}, 0.01, 0, 0.01},
		{"slower in one variant", []float64{0, 0.15}, 0.01, 0, 0.02},
		{"half slower again, noisy", []float64{0.45, 0.45}, 0.2, 0, 0.1},
		{"slower, noisier", []float64{0.5, 0.5}, 0.05, 0, 0.05},
	} {
		rnd := rand.New(rand.NewPCG(1, 2))
		const runs = 2000
		admitted := 0
		for range runs {
			var off [][]float64
			for range Tries {
				try := make([]float64, len(test.off))
				for v := range try {
					try[v] = test.off[v] + test.noise*rnd.NormFloat64()
				}
				off = append(off, try)
				if _, near := Disagreement(off, 0, 0); near {
					admitted++
					break
				}
			}
		}
		if share := float64(admitted) / runs; share < test.least || share > test.most {
			t.Errorf("%s: admitted in %.3f of runs, want %.3f to %.3f", test.name, share, test.least, test.most)
		}
	}
}

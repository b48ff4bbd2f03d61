package stats

import (
	"cmp"
	"slices"
)

// EBH returns the number k* of cells rejected by the e-BH procedure at false discovery
// rate q: the largest k for which the k-th largest e-value is at least m/(q k). It holds
// under any dependence between the m cells (Wang and Ramdas 2022). The rejected cells are
// those with e >= m/(q k*).
//
// It requires true e-values. The engine's are, at every block and under either of its
// assumptions, so every cell may stop on its own data. TestSimulatedFDR has a list with
// and without real effects, also with a penalty of five standard deviations for the first
// position.
func EBH(e []float64, q float64) int {
	down := slices.Clone(e)
	slices.SortFunc(down, func(a, b float64) int { return cmp.Compare(b, a) })
	for k := len(down); k > 0; k-- {
		if down[k-1]*q*float64(k) >= float64(len(e)) {
			return k
		}
	}
	return 0
}

// Holm returns p-values adjusted by Holm's step-down method (1979), in the order of the
// input. At family-wise error alpha those of at most alpha are rejected.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	running := 0.0
	for rank, i := range order {
		running = max(running, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = running
	}
	return adjusted
}

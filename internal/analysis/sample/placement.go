package sample

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

// relinked returns the variants that a fresh layout moves against the base: those with
// another link, or other code of one link.
func relinked(p *assay.Plan) map[string]bool {
	out := map[string]bool{}
	for _, v := range p.Variants {
		apart := p.Study.By != nil || design.LinkOf(p, v.Name) != design.LinkOf(p, p.Study.Base)
		out[v.Name] = apart && p.Study.Measure.Layouts != 1
	}
	return out
}

// addSlices notes how exact the slices of a block make the values that were just added.
func (b *Benchmark) addSlices(block []assay.Trial) {
	var arms [][]float64
	var means []float64 // ln of the mean of all slices
	var names []string
	base := -1
	for _, tr := range block {
		if tr.Benchmark != b.Plan.Benchmark || len(tr.Slices) == 0 || len(arms) > 0 && len(tr.Slices) != len(arms[0]) {
			continue
		}
		if tr.Variant == b.set.Plan.Study.Base {
			base = len(arms)
		}
		ln := make([]float64, len(tr.Slices))
		for i, x := range tr.Slices {
			ln[i] = math.Log(x)
		}
		names, arms, means = append(names, tr.Variant), append(arms, ln), append(means, math.Log(stats.Mean(tr.Slices)))
	}
	if base < 0 {
		return
	}
	errors := stats.ArmErrors(arms, base)
	if errors == nil {
		return
	}
	medians := stats.ArmMedians(arms)
	for i, v := range errors {
		if s := b.Samples[assay.MetricTime][names[i]]; s != nil && s.Blocks[len(s.Blocks)-1] == b.set.Blocks {
			s.Within = append(s.Within, v)
			counts := s.D[len(s.D)-1]
			s.byMedian = append(s.byMedian, medians[i]-medians[base]-counts)
			s.byMean = append(s.byMean, means[i]-means[base]-counts)
		}
	}
}

// SliceGap returns by how much the change by the medians or the means of all slices
// differs from the one that counts, in ln units. ok means that it is more than the margin,
// and clearly no noise. Medians show costs of many slices soonest, means those of a few.
func (s *Sample) SliceGap(margin float64) (by float64, ok bool) {
	for _, gaps := range [][]float64{s.byMedian, s.byMean} {
		if len(gaps) < 2 || s.Zero {
			return 0, false
		}
		by = stats.Mean(gaps)
		if math.Abs(by) > math.Log1p(margin) && math.Abs(by) > doubt(gaps) {
			return by, true
		}
	}
	return by, false
}

// Contradicted reports whether the medians or the means of all slices clearly show a
// change beyond the margin, whatever the value says that counts: some slices cost more in
// one variant.
func (s *Sample) Contradicted(margin float64) bool {
	n := len(s.byMean)
	if n < 2 || s.Zero || n > len(s.D) {
		return false
	}
	for _, gaps := range [][]float64{s.byMedian, s.byMean} {
		changes := slices.Clone(s.D[len(s.D)-n:])
		for i, by := range gaps {
			changes[i] += by
		}
		if math.Abs(stats.Mean(changes))-math.Log1p(margin) > doubt(changes) {
			return true
		}
	}
	return false
}

// doubt returns how far the mean of some values may be from the truth by chance.
func doubt(x []float64) float64 {
	n := float64(len(x))
	return distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1-unevenDoubt) * math.Sqrt(stats.Variance(x)/n)
}

// unevenDoubt is the probability, on either side, that such a mean is that far from 0 by chance: four standard errors over twelve blocks.
const unevenDoubt = 1e-3

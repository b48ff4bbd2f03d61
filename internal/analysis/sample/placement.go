package sample

import (
	"math"

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
		names, arms = append(names, tr.Variant), append(arms, ln)
	}
	if base < 0 {
		return
	}
	errors := stats.ArmErrors(arms, base)
	if errors == nil {
		return
	}
	values, medians := stats.Arms(arms), stats.ArmMedians(arms)
	for i, v := range errors {
		if s := b.Samples[assay.MetricTime][names[i]]; s != nil && s.Blocks[len(s.Blocks)-1] == b.set.Blocks {
			s.Within = append(s.Within, v)
			s.middle = append(s.middle, medians[i]-medians[base]-values[i]+values[base])
		}
	}
}

// SliceGap returns by how much the change by the medians of all slices differs from the
// one that counts, in ln units. ok means that it is more than the margin, and clearly no
// noise.
func (s *Sample) SliceGap(margin float64) (by float64, ok bool) {
	n := len(s.middle)
	if n < 2 || s.Zero {
		return 0, false
	}
	by = stats.Mean(s.middle)
	off := math.Sqrt(stats.Variance(s.middle) / float64(n))
	far := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(1 - unevenDoubt)
	return by, math.Abs(by) > math.Log1p(margin) && math.Abs(by) > far*off
}

// unevenDoubt is the probability, on either side, that the mean difference of the two
// reductions is that far from 0 by chance: four standard errors over twelve blocks.
const unevenDoubt = 1e-3

package analysis

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

// relinked are the variants that a fresh layout moves against the base: those that run
// another link than it, or other code of one link.
func relinked(p *assay.Plan) map[string]bool {
	out := map[string]bool{}
	for _, v := range p.Variants {
		apart := p.Study.By != nil || design.LinkOf(p, v.Name) != design.LinkOf(p, p.Study.Base)
		out[v.Name] = apart && p.Study.Measure.Layouts != 1
	}
	return out
}

// addSlices notes how well the slices of a block fix the values that were just added.
func (set *Set) addSlices(b *benchmark, block []assay.Trial) {
	var arms [][]float64
	var names []string
	base := -1
	for _, tr := range block {
		if tr.Benchmark != b.plan.Benchmark || len(tr.Slices) == 0 || len(arms) > 0 && len(tr.Slices) != len(arms[0]) {
			continue
		}
		if tr.Variant == set.plan.Study.Base {
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
		if s := b.samples[assay.MetricTime][names[i]]; s != nil && s.blocks[len(s.blocks)-1] == set.blocks {
			s.within = append(s.within, v)
			s.middle = append(s.middle, medians[i]-medians[base]-values[i]+values[base])
		}
	}
}

// shareConfidence is that of the interval of the share between layouts, of which no
// verdict is made.
const shareConfidence = 0.95

// placement adds to a comparison the share of the variance of its blocks that their
// slices do not explain. Each block has links and processes of its own, which nothing
// tells apart in one trial of each.
func (s *sample) placement(c *assay.Comparison) {
	if share, ok := stats.ShareBetween(s.d, s.within, stats.ErrorFreedom, shareConfidence); ok {
		c.LayoutShare, c.LayoutRange = share.Estimate, &assay.ShareRange{Lo: share.Lo, Hi: share.Hi}
	}
}

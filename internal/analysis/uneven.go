package analysis

import (
	"fmt"
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// unevenSpreads is how many standard errors from 0 the mean difference of the two ways to
// reduce slices has to be.
const unevenSpreads = 4

// uneven tells of the variants whose slices cost more or less only now and then: the
// fastest slices, by which the table may go, do not have it in them.
func (t *Tracker) uneven(r *assay.Result) (out []assay.Warning) {
	margin := t.plan.Study.Decide.Margin(assay.MetricTime)
	for _, tab := range r.Tables {
		if tab.Metric.Name != assay.MetricTime || !tab.Decides {
			continue
		}
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				b := t.index[c.Benchmark]
				if b == nil || b.samples[assay.MetricTime][c.Variant] == nil {
					continue
				}
				s := b.samples[assay.MetricTime][c.Variant]
				if by, ok := s.uneven(margin); ok {
					out = append(out, t.unevenWarning(b, c.Variant, stats.Median(s.d), by))
				}
			}
		}
	}
	return out
}

// unevenWarning is that of one variant, of which the fastest slices tell the change d and all
// slices one that is larger by so much.
func (t *Tracker) unevenWarning(b *benchmark, variant string, d, by float64) assay.Warning {
	change := func(d float64) string {
		return assay.ChangeOfLog(d).Format(assay.Change(math.Abs(by)))
	}
	return assay.Warning{Code: "uneven",
		Text: fmt.Sprintf("%s: by all its slices %s differs by %s from %s, by the fastest, which the table has, by %s",
			b.plan.Name, variant, change(d+by), t.plan.Study.Base, change(d)),
		Facts: []string{"some slices cost more in one of the two, or something disturbs one of them more than the other"},
		Try:   "--pair=turns, which takes the mean of all operations"}
}

// uneven is by how much the medians of all slices differ from what counts, in ln units:
// ok where that is more than the margin, and clearly no noise.
func (s *sample) uneven(margin float64) (by float64, ok bool) {
	n := len(s.middle)
	if n < 2 || s.zero {
		return 0, false
	}
	by = stats.Mean(s.middle)
	off := math.Sqrt(stats.Variance(s.middle) / float64(n))
	return by, math.Abs(by) > math.Log1p(margin) && math.Abs(by) > unevenSpreads*off
}

package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// maxPrice bounds the search for the price of a decision, in blocks.
const maxPrice = 5000

// maxPriced is the longest list whose unclear cells get a price each.
const maxPriced = 2000

// Unbounded is the width, in ln units, from which an interval says nothing: so few blocks
// reach the threshold at no change, or only at absurd ones. JSON has no infinity either.
var Unbounded = math.Log(1e9)

// A judge makes comparisons of the samples of one metric. It tries the verdicts in the
// order of docs/methodology.md.
type judge struct {
	metric assay.Metric
	alpha  float64
	from   int
	// claim is what a difference needs.
	claim claim
	// priced is false if no more blocks can be bought, as for results from files.
	priced bool
	// scale is the number of blocks per value, above 1 if a block holds only some
	// variants.
	scale float64
}

// compare judges one sample. base is the base's value in the output; value and difference
// follow from it and the change, so that the three agree. The medians of the two sides
// may point another way than the ratios of the blocks.
func (j judge) compare(s *sample.Sample, base float64) assay.Comparison {
	c := assay.Comparison{N: len(s.D), E: s.E}
	if len(s.D) == 0 {
		c.Verdict, c.Reason = assay.Unclear, "no block yet"
		c.MoreBlocks = j.least(j.from)
		return c
	}
	mid := stats.Median(s.D)
	switch {
	case s.Exact(j.from):
		mid = j.exact(&c, s)
	case s.Early(j.from):
		from := j.from
		if s.Constant() || s.Never() {
			from = s.ExactFrom(from)
		}
		c.Verdict, c.Reason = assay.Unclear, fmt.Sprintf("%d of %d blocks", len(s.D), from)
		c.MoreBlocks = j.least(from - len(s.D))
		if c.Exact = s.Constant(); c.Exact {
			mid = s.Value[0] - s.Base[0]
		}
	case s.Zero:
		mid = j.differences(&c, s)
	default:
		mid = j.ratios(&c, s)
	}
	switch {
	case c.Exact || s.Zero:
		c.Difference = mid
		if c.Exact && s.Base[0] != 0 {
			c.Change = assay.Change(mid / s.Base[0])
		}
	default:
		return valued(c, base, assay.ChangeOfLog(mid))
	}
	c.Value = base + c.Difference
	return c
}

// valued returns a comparison with a change, and the value and difference that follow from
// it and the base's value.
func valued(c assay.Comparison, base float64, change assay.Change) assay.Comparison {
	c.Change, c.Difference = change, base*float64(change)
	c.Value = base + c.Difference
	return c
}

// least returns the number of blocks before the first decision, which takes so many more
// values: the only price known by then.
func (j judge) least(more int) int {
	if !j.priced {
		return 0
	}
	return j.blocks(more)
}

// blocks returns the number of blocks for n more values.
func (j judge) blocks(n int) int { return int(math.Ceil(float64(n) * max(j.scale, 1))) }

// exact compares counts that never varied, and returns the difference. What never happened
// is the same, and no more: more trials may show one.
func (j judge) exact(c *assay.Comparison, s *sample.Sample) float64 {
	c.E, c.Verdict = 0, assay.Same
	c.Exact = s.Constant()
	diff := s.Value[0] - s.Base[0]
	if diff != 0 {
		c.Verdict = assay.Differing(j.metric, diff)
	}
	return diff
}

// differences judges values without a ratio, since some are 0 or less. Like ratios it returns the
// estimate.
func (j judge) differences(c *assay.Comparison, s *sample.Sample) float64 {
	lo, hi, ok := s.Interval(1 / j.alpha)
	if !ok {
		return j.drift(c, s)
	}
	mid, ok := s.Centre(lo, hi, 0)
	if !ok {
		return j.drift(c, s)
	}
	c.Verdict, c.Reason = assay.Unclear, "a difference of values that are "+noRatio(s.Base, s.Value)
	if (lo > 0 || hi < 0) && j.claim.holds(s) {
		c.Verdict = assay.Differing(j.metric, lo)
		c.Reason = "a difference: the base is " + noRatio(s.Base)
	}
	return mid
}

// noRatio says why values have no ratio.
func noRatio(lists ...[]float64) string {
	for _, x := range slices.Concat(lists...) {
		if x < 0 {
			return "not always above 0"
		}
	}
	return "sometimes 0"
}

func (j judge) ratios(c *assay.Comparison, s *sample.Sample) float64 {
	lo, hi, ok := s.Interval(1 / j.alpha)
	if !ok {
		return j.drift(c, s)
	}
	claimed := j.claim.holds(s)
	if claimed && !j.claim.ever && j.claim.at > 1/j.alpha {
		// The e-BY interval {mu: e_n(mu) < m/(q k*)} of a claimed cell, if that is wider
		// (Xu, Wang, Ramdas 2022); of a look, the interval at level q k*/m (Benjamini and
		// Yekutieli 2005).
		if l, h, ok := s.LastInterval(j.claim.at); ok {
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	if hi-lo > Unbounded {
		c.Verdict, c.Reason = assay.Unclear, fmt.Sprintf("%d blocks bound nothing yet", len(s.D))
		j.price(c, s)
		return stats.Median(s.D)
	}
	mid, ok := s.Centre(lo, hi, stats.Slack)
	if !ok {
		return j.drift(c, s)
	}
	c.Interval = &assay.Interval{Lo: assay.ChangeOfLog(lo), Hi: assay.ChangeOfLog(hi)}
	margin := math.Log1p(j.metric.MinEffect)
	switch {
	case lo >= -margin && hi <= margin && s.Contradicted(j.metric.MinEffect):
		c.Verdict = assay.Unclear
		c.Reason = "most slices are the same, and their mean is not: some cost more in one variant"
	case lo >= -margin && hi <= margin:
		c.Verdict = assay.Same
	case lo <= 0 && hi >= 0:
		c.Verdict = assay.Unclear
		c.Reason = "the interval covers 0"
		j.price(c, s)
	case !claimed:
		c.Verdict = assay.Unclear
		c.Reason = fmt.Sprintf("not claimed: 1 of %d comparisons", j.claim.list)
		j.price(c, s)
	default:
		c.Verdict = assay.Differing(j.metric, lo)
		c.MayBeSmall = lo < margin && hi > -margin
	}
	j.layouts(c, s)
	return mid
}

func (j judge) drift(c *assay.Comparison, s *sample.Sample) float64 {
	c.Verdict = assay.Invalid
	c.Reason = "drift: no constant change fits all blocks"
	return stats.Median(s.D)
}

// price estimates the number of blocks until a look decides.
func (j judge) price(c *assay.Comparison, s *sample.Sample) {
	if !j.priced {
		return
	}
	alpha := j.alpha
	if j.claim.at > 0 {
		alpha = min(alpha, 1/j.claim.at)
	}
	c.MoreBlocks = j.blocks(s.More(alpha, j.metric.MinEffect, maxPrice))
}

// layouts adds the share of variance between layouts, and the descriptive interval for
// the measured binaries, which has only the variance within layouts.
func (j judge) layouts(c *assay.Comparison, s *sample.Sample) {
	if !s.Relinked || len(s.D) < 2 {
		return
	}
	if len(s.Rounds) < len(s.D) {
		// Every block has its own links and processes; one trial of each cannot separate the
		// two, but slices tell how much of the variance is theirs.
		if share, ok := stats.ShareBetween(s.D, s.Within, stats.ErrorFreedom, shareConfidence); ok {
			c.LayoutShare, c.LayoutRange = share.Estimate, &assay.ShareRange{Lo: share.Lo, Hi: share.Hi}
		}
		return
	}
	between, within := stats.Components(s.Rounds)
	if between+within <= 0 {
		return
	}
	c.LayoutShare = max(between, 0) / (max(between, 0) + within)
	sum, df, inv := 0.0, 0, 0.0
	for _, r := range s.Rounds {
		sum += stats.Mean(r)
		df += len(r) - 1
		inv += 1 / float64(len(r))
	}
	n := float64(len(s.Rounds))
	mean, se := sum/n, math.Sqrt(within*inv)/n
	half := se * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(1-j.alpha/2)
	c.Within = &assay.Interval{Lo: assay.ChangeOfLog(mean - half), Hi: assay.ChangeOfLog(mean + half)}
}

// of returns the judge of another list.
func (j judge) of(c claim) judge {
	j.claim = c
	return j
}

// saturate turns a comparison into one that only says that.
func saturate(c assay.Comparison, reason string) assay.Comparison {
	c.Verdict, c.Reason = assay.Saturated, reason
	c.Exact, c.MayBeSmall, c.MoreBlocks, c.MoreTime, c.Within, c.E = false, false, 0, 0, nil, 0
	return c
}

// shareConfidence is the confidence of the interval of the share between layouts. No
// verdict depends on it.
const shareConfidence = 0.95

package stats

import (
	"gonum.org/v1/gonum/stat/distuv"
)

// Components estimates the variance between blocks (layouts, processes) and
// within them (rounds) from groups[i], the ln-ratios of block i's rounds, by the
// analysis of variance of a one-way random model with unequal group sizes
// (Searle, Casella and McCulloch 1992, section 3.6):
//
//	within  = SS_within / (N - groups)
//	between = max(0, (SS_between/(groups-1) - within) / n0)
//	n0      = (N - sum(n_i^2)/N) / (groups-1)
//
// The mean of a block of k rounds has variance between + within/k. Empty groups do not
// count. Without a second round in any block the two cannot be separated, and all of the
// variance is returned as between. Without a second block between is 0.
func Components(groups [][]float64) (between, within float64) {
	var all []float64
	var ssWithin, sizes float64
	blocks := 0
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		blocks++
		all = append(all, g...)
		sizes += float64(len(g)) * float64(len(g))
		ssWithin += squares(g)
	}
	n := float64(len(all))
	if spare := len(all) - blocks; spare > 0 {
		within = ssWithin / float64(spare)
	}
	if blocks < 2 {
		return 0, within
	}
	free := float64(blocks - 1)
	n0 := (n - sizes/n) / free
	ssBetween := squares(all) - ssWithin
	return max(0, (ssBetween/free-within)/n0), within
}

// A Share is a part of a variance, between 0 and 1, with its interval.
type Share struct{ Estimate, Lo, Hi float64 }

// ShareBetween returns the share of the variance of block values that comes from
// differences between blocks. within has an estimate of each value's own variance, with
// free degrees of freedom:
//
//	F = var(values) / mean(within), share = max(0, 1 - 1/F)
//
// The interval at confidence follows from the F distribution of F / its true value
// (Searle, Casella and McCulloch 1992, section 3.6): exact for normal noise, and wide for
// few blocks. ok is false without a second block, or without noise.
func ShareBetween(values, within []float64, free int, confidence float64) (s Share, ok bool) {
	n := float64(len(values))
	noise := Mean(within)
	if len(values) < 2 || len(within) != len(values) || free < 1 || !(noise > 0) {
		return s, false
	}
	f := squares(values) / (n - 1) / noise
	dist := distuv.F{D1: n - 1, D2: n * float64(free)}
	share := func(f float64) float64 { return max(0, 1-1/f) }
	tail := (1 - confidence) / 2
	return Share{share(f), share(f / dist.Quantile(1-tail)), share(f / dist.Quantile(tail))}, true
}

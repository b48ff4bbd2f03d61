package stats

import "math"

// MaxRepeats is the most that [Repeats] asks for.
const MaxRepeats = 1000

// Components estimates the variance between blocks (layouts, processes) and
// within them (rounds) from groups[i], the ln-ratios of block i's rounds, by the
// analysis of variance of a one-way random model with unequal group sizes
// (Searle, Casella and McCulloch 1992, section 3.6):
//
//	within  = SS_within / (N - groups)
//	between = max(0, (SS_between/(groups-1) - within) / n0)
//	n0      = (N - sum(n_i^2)/N) / (groups-1)
//
// where the mean of a block of k rounds has variance between + within/k. Empty
// groups do not count. Without a second round in any block the two cannot be
// told apart and all of the variance is returned as between; without a second
// block between is 0.
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

// Repeats is how often the lower level is best repeated inside one unit of the
// upper level, ceil(sqrt((costUpper/costLower) * (varLower/varUpper))), between
// 1 and [MaxRepeats] (Kalibera and Jones 2013, section 6.2). Costs are in one
// unit of time: costUpper of one more unit of the upper level, costLower of one
// more repeat. Variances are components, as [Components] gives them. An upper
// level that neither varies nor is free asks for all the repeats; where nothing
// is known the answer is 1.
func Repeats(costUpper, costLower, varUpper, varLower float64) int {
	r := math.Ceil(math.Sqrt(costUpper / costLower * varLower / varUpper))
	if math.IsNaN(r) {
		return 1
	}
	return int(min(max(r, 1), MaxRepeats))
}

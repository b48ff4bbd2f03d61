package stats

import (
	"math"
	"slices"
)

// quantiles are those that [Arms] may use to reduce the rounds of an arm, besides the
// median of the differences within rounds.
var quantiles = []float64{0.02, 0.05, 0.1, 0.2, 0.8, 0.9, 0.95, 0.98}

// tailRounds is the minimum number of rounds beyond a quantile used by Arms. With fewer,
// the two order statistics that determine its error coincide.
const tailRounds = 2

// quantileAdvantage is the largest ratio of a quantile's variance to that of the medians of
// differences at which Arms uses the quantile. The smallest of several estimates is
// biased low, and without disturbances medians of differences are best.
const quantileAdvantage = 0.5

// sameChange is how far the change between two arms by a quantile may lie from that by the
// median of their differences, in standard errors of the median, as pooled over all pairs:
// a single one has too few degrees of freedom. What disturbs slices may disturb one arm more:
// with a call in its loop a benchmark took 3 % longer in the fastest slices, 11 % in the median,
// and 12 to 16 % in plain runs.
const sameChange = 6

// Arms reduces the rounds of one block to a value for each arm. values[arm][round] are
// logarithms; every arm has the same number of rounds. The results add up to 0: only
// their differences have a meaning.
//
// There are two ways; the one with the smaller standard error is used for all arms of the
// block. The median over the rounds of the difference of two arms cancels effects shared
// by a whole round, such as drift. A quantile of each arm by itself excludes slices
// disturbed by another guest or program: if three of four slices are disturbed by
// different amounts, the fastest twentieth is many times more exact than any median. It is
// used only if it shows the same change as the median.
//
// All arms are treated alike, so that equal arms stay equal. The median of ratios to one
// arm would not do that. The standard errors do not change when an arm gets slower by a
// factor, so neither does the choice, and an effect on all rounds of an arm is found in
// full. Tukey's two-way median polish treats all arms alike too, but with three arms it
// removes most of an effect that is smaller than the scatter of a round
// (TestArmsOfDriftAndSpikes has the figures).
func Arms(values [][]float64) (arms []float64) {
	arms, _ = reduce(values)
	return arms
}

// ArmMedians reduces the rounds of one block by the medians of differences alone, which
// depend on all rounds; [Arms] may use the fastest. It is nil for fewer than 15 rounds.
func ArmMedians(values [][]float64) (arms []float64) {
	if len(values) == 0 || len(values[0]) < leastRounds {
		return nil
	}
	arms, _ = byPairs(values)
	return arms
}

// ErrorFreedom is about the degrees of freedom of each variance from [ArmErrors], the
// squared distance of two order statistics about 4 rounds apart, twice.
const ErrorFreedom = 4

// leastRounds is the minimum number of rounds for ArmErrors and ArmMedians.
const leastRounds = 15

// ArmErrors estimates from the rounds of one block, for each arm, the variance of the
// difference between its value from [Arms] and that of the arm reference. It returns nil
// for fewer than 15 rounds.
//
// The standard error of a quantile p of n rounds is half the distance of the order
// statistics sqrt(np(1-p)) to either side of it (David and Nagaraja, Order Statistics,
// section 7.1), assuming independent rounds. Noise that outlasts the block is not
// included.
func ArmErrors(values [][]float64, reference int) []float64 {
	if len(values) == 0 || len(values[0]) < leastRounds {
		return nil
	}
	_, errors := reduce(values)
	out := make([]float64, len(values))
	for i := range out {
		out[i] = errors(i, reference)
	}
	return out
}

// reduce returns the values of the arms, and the variance of the difference of two of them.
func reduce(values [][]float64) (arms []float64, variance func(i, j int) float64) {
	arms = make([]float64, len(values))
	if len(values) == 0 || len(values[0]) == 0 {
		return arms, nil
	}
	medians, pairs := byPairs(values)
	arms = medians
	variance = func(i, j int) float64 { return pairs[i][j] }
	least := 0.0
	for i := range pairs {
		least += quantileAdvantage * Mean(pairs[i]) // counts each pair twice, and an arm with itself as 0
	}
	allowed := sameChange * math.Sqrt(least/quantileAdvantage/float64(max(1, len(values)-1)))
	sorted := make([][]float64, len(values))
	for i, v := range values {
		sorted[i] = slices.Sorted(slices.Values(v))
	}
	for _, p := range quantiles {
		if min(p, 1-p)*float64(len(values[0])) < tailRounds {
			continue
		}
		at, errors := make([]float64, len(values)), make([]float64, len(values))
		for i, s := range sorted {
			at[i], errors[i] = quantile(s, p), quantileError(s, p)
		}
		// Over all pairs each arm's error counts with every other arm, in both orders.
		all := 2 * float64(len(values)-1) * Mean(errors)
		if all < least && agree(at, medians, allowed) {
			least, arms = all, at
			variance = func(i, j int) float64 {
				if i == j {
					return 0
				}
				return errors[i] + errors[j]
			}
		}
	}
	mean := Mean(arms)
	for i := range arms {
		arms[i] -= mean
	}
	return arms, variance
}

// agree reports whether arms differ from each other as others do, up to what is allowed.
func agree(arms, others []float64, allowed float64) bool {
	for i := range arms {
		for j := range i {
			if math.Abs(arms[i]-arms[j]-(others[i]-others[j])) > allowed {
				return false
			}
		}
	}
	return true
}

// byPairs returns the arms by the medians of their differences, and the variances of
// these.
func byPairs(values [][]float64) (arms []float64, variance [][]float64) {
	arms, variance = make([]float64, len(values)), make([][]float64, len(values))
	differences := make([]float64, len(values[0]))
	for i := range values {
		variance[i] = make([]float64, len(values))
		for j := range i {
			for r := range differences {
				differences[r] = values[i][r] - values[j][r]
			}
			slices.Sort(differences)
			m := medianSorted(differences) / float64(len(values))
			arms[i] += m
			arms[j] -= m
			e := quantileError(differences, 0.5)
			variance[i][j], variance[j][i] = e, e
		}
	}
	return arms, variance
}

// quantile returns the quantile p of sorted values, interpolated.
func quantile(sorted []float64, p float64) float64 {
	return atRank(sorted, p*float64(len(sorted)-1))
}

// quantileError returns the variance of a quantile of sorted values. The distance of two
// order statistics that are m apart is about a sum of m exponential ones, whose square is
// larger by 1 + 1/m than the square of its mean; the result is corrected for that. If an
// end of the values is too near, the distance to the other side counts twice.
func quantileError(sorted []float64, p float64) float64 {
	n := float64(len(sorted))
	centre, steps := p*(n-1), math.Sqrt(n*p*(1-p))
	low, high := centre-steps, centre+steps
	if low < 0 {
		low = centre
	}
	if high > n-1 {
		high = centre
	}
	apart := high - low
	if apart == 0 {
		return math.Inf(1)
	}
	// Half the distance of ranks that are 2 steps apart, the whole of those 1 step apart.
	e := (atRank(sorted, high) - atRank(sorted, low)) / apart * steps
	return e * e * apart / (apart + 1)
}

// atRank is the value at a rank from 0, interpolated between two ranks.
func atRank(sorted []float64, rank float64) float64 {
	rank = min(max(rank, 0), float64(len(sorted)-1))
	i := int(rank)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	rest := rank - float64(i)
	return sorted[i]*(1-rest) + sorted[i+1]*rest
}

// ArmSpread is the standard deviation between the arms of one block, without what noise
// within the rounds adds to it (ArmErrors), and that noise: the standard error of an arm.
// Both are NaN for fewer than two arms or 15 rounds.
func ArmSpread(values [][]float64) (spread, noise float64) {
	errors := ArmErrors(values, 0)
	if len(errors) < 2 {
		return math.NaN(), math.NaN()
	}
	variance := 0.0
	for _, e := range errors[1:] { // of a difference: that of two arms
		variance += e / 2 / float64(len(errors)-1)
	}
	return math.Sqrt(max(0, squares(Arms(values))/float64(len(values)-1)-variance)), math.Sqrt(variance)
}

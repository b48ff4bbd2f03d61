package stats

import "math"

// Arms reduces the rounds of one block to a value for each arm: the mean over all arms
// of the median over the rounds of the difference to that arm. values[arm][round] are
// logarithms; every arm has the same number of rounds, an odd one. Only differences of
// the result mean something.
//
// Differences within a round cancel what the whole round shares, and their median
// leaves spikes out. All arms are treated alike, so that arms that nothing tells apart
// stay so: ratios to one of them alone, and then their median, would not. Tukey's
// two-way median polish treats them alike too, but with three arms it removes most of
// an effect that is smaller than the scatter of a round: the median of a round is the
// value of one of the three, and an arm whose rest is 0 in a third of the rounds has
// the median 0 (TestArmsOfDriftAndSpikes has the figures).
func Arms(values [][]float64) (arms []float64) {
	arms = make([]float64, len(values))
	if len(values) == 0 || len(values[0]) == 0 {
		return arms
	}
	rounds := len(values[0])
	differences := make([]float64, rounds)
	for i := range values {
		for j := range i {
			for r := range rounds {
				differences[r] = values[i][r] - values[j][r]
			}
			m := Median(differences) / float64(len(values))
			arms[i] += m
			arms[j] -= m
		}
	}
	return arms
}

// batches is the number of stretches of a block's rounds that ArmErrors compares. Longer
// ones leave too few of them, and shorter ones miss noise that lasts for some rounds.
const batches = 5

// ErrorFreedom is the number of degrees of freedom of each variance of [ArmErrors].
const ErrorFreedom = batches - 1

// ArmErrors estimates from the rounds of one block the variance of the difference of
// each arm's value, as [Arms] gives it, to that of the arm reference: the variance of the
// same over successive batches of rounds, scaled to all rounds (batch means; Law and
// Kelton, Simulation Modeling and Analysis, section 9.5.3). Noise that outlasts a batch
// counts too little. It is nil for fewer than 15 rounds.
func ArmErrors(values [][]float64, reference int) []float64 {
	if len(values) == 0 {
		return nil
	}
	rounds := len(values[0])
	size := (rounds/batches - 1) | 1 // odd, as Arms wants it
	if size < 3 {
		return nil
	}
	differences := make([][]float64, len(values))
	for k := range batches {
		batch := make([][]float64, len(values))
		for i, v := range values {
			batch[i] = v[k*size : (k+1)*size]
		}
		arms := Arms(batch)
		for i := range arms {
			differences[i] = append(differences[i], arms[i]-arms[reference])
		}
	}
	out := make([]float64, len(values))
	for i, d := range differences {
		out[i] = squares(d) / ErrorFreedom * float64(size) / float64(rounds)
	}
	return out
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

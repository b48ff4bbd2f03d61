package stats

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

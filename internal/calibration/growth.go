package calibration

import "math"

// How growth is found: the time of an iteration at a b.N is compared with that at GrowthSpan
// times fewer iterations, each the least of growthRuns runs. Appending to what every iteration
// reads makes it GrowthSpan times as long; noise hardly ever makes it MinGrowth times.
const (
	GrowthSpan = 16
	MinGrowth  = 3.0
	growthRuns = 2
)

// Growth returns how many times as long an iteration takes among n as among GrowthSpan times
// fewer; 0 if there are too few to say.
func Growth(run Runner, n int) (float64, error) {
	if n < GrowthSpan {
		return 0, nil
	}
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range growthRuns {
		for i, n := range []int{n / GrowthSpan, n} {
			p, err := run(n)
			if err != nil {
				return 0, err
			}
			least[i] = min(least[i], p.Measured.Seconds()/float64(n))
		}
	}
	if least[0] <= 0 {
		return 0, nil
	}
	return least[1] / least[0], nil
}

package calibration

import "time"

// b.RunParallel hands out operations in portions of about 100 µs, whose size package testing
// takes from the run before. With a fixed number of operations (-benchtime=Nx) the only run
// before has one operation, which takes as long as starting the goroutines. Portions are then
// of a few operations, and short ones measure the counter that hands them out: Disabled of
// zerolog v1.33.0 takes 10 times as long. So such a benchmark gets a time in each trial, as
// from go test -bench, and not a number of operations.
const (
	// smallPart is the longest operation of which a portion has many.
	smallPart = 10 * time.Microsecond
	// severalCPUs is how many CPUs its process keeps busy at least.
	severalCPUs = 1.15
	// fixedSlower is how much longer its operations take where their number is fixed, the
	// shortest of fixedPairs runs.
	fixedSlower, fixedPairs = 1.15, 3
)

// A Handing says whether a benchmark needs a time in each trial, and how a trial with one
// was.
type Handing struct {
	Timed bool
	N     int
	Wall  time.Duration
}

// MayHandOut reports whether a benchmark whose operation takes so many seconds, with so many
// CPUs busy, may hand them out in portions.
func MayHandOut(perOp, busy float64) bool {
	return busy >= severalCPUs && perOp > 0 && perOp <= smallPart.Seconds()
}

// HandsOut runs a benchmark with n operations and with 0, which stands for as many as take a
// trial's time, in turn. run returns the seconds of an operation, 0 if they are unknown.
func HandsOut(n int, run func(n int) (perOp float64, h Handing, err error)) (h Handing, err error) {
	var fixed, free float64
	for range fixedPairs {
		a, _, err := run(n)
		if err != nil || a <= 0 {
			return Handing{}, err
		}
		b, one, err := run(0)
		if err != nil || b <= 0 {
			return Handing{}, err
		}
		if fixed == 0 || a < fixed {
			fixed = a
		}
		if free == 0 || b < free {
			free = b
		}
		h.N, h.Wall = one.N, max(h.Wall, one.Wall)
	}
	h.Timed = fixed > fixedSlower*free
	return h, nil
}

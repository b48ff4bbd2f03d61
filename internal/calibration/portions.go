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
	// fixedSlower is how much longer its operations take where their number is fixed, in
	// each of fixedPairs: on a restless machine one pair alone differs by that.
	fixedSlower, fixedPairs = 1.15, 3
)

// RunParallel is the function that hands out; the linker leaves it out of a binary that does
// not call it. How many CPUs a process keeps busy tells less: others may have them.
const RunParallel = "testing.(*B).RunParallel"

// A Handing says whether a benchmark needs a time in each trial, and how a trial with one
// was.
type Handing struct {
	Timed bool
	N     int
	Wall  time.Duration
}

// IsSmall reports whether a portion has many operations that take so many seconds.
func IsSmall(perOp float64) bool { return perOp > 0 && perOp <= smallPart.Seconds() }

// HandsOut runs a benchmark with n operations and with 0, which stands for as many as take a
// trial's time, in turn. run returns the seconds of an operation, 0 if they are unknown.
func HandsOut(n int, run func(n int) (perOp float64, h Handing, err error)) (h Handing, err error) {
	for range fixedPairs {
		a, _, err := run(n)
		if err != nil || a <= 0 {
			return Handing{}, err
		}
		b, one, err := run(0)
		if err != nil || b <= 0 {
			return Handing{}, err
		}
		if a < fixedSlower*b {
			return Handing{}, nil
		}
		h.N, h.Wall = one.N, max(h.Wall, one.Wall)
	}
	h.Timed = true
	return h, nil
}

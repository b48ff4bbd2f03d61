// Package calibration finds how many iterations of a Go benchmark take a time. It runs
// nothing: it asks a Runner. Package survey uses it for benchmarks that run as processes.
package calibration

import "time"

// Limits of calibration, from docs/methodology.md.
const (
	MaxTrial = time.Second // the longest trial, unless the study has another

	maxCold  = MaxTrial / 2 // from here on the first iteration is enough
	maxSetUp = 0.40         // the largest share of a trial's wall time
	maxRuns  = 8            // to hit the target time

	longStart = 100 * time.Millisecond // longer than a process takes to start
	maxOver   = 3 * MaxTrial           // longer trials are shortened
)

// A Runner runs a benchmark with n iterations.
type Runner func(n int) (Probe, error)

// A Probe is one calibration run.
type Probe struct {
	N        int           // iterations
	Measured time.Duration // N times sec/op, unless the clock differs
	Beyond   time.Duration // how much Wall is longer than that of the first run
	Wall     time.Duration // of the process
	Claimed  time.Duration // N times the benchmark's own sec/op
	Bytes    float64       // B/op
	Allocs   float64       // allocs/op
	Clocked  bool          // Measured comes from the clock
	Timeless bool          // the benchmark reports no ns/op
	Grows    bool          // an iteration took far longer than among fewer of them (Reach)
}

// ByTheClock returns run with the wall-clock time of the operations if the benchmark's
// own time is impossible: an author may report another number as ns/op, or 0, which hides
// it. The first run is mostly start and set-up; the time beyond it is that of the
// operations.
func ByTheClock(run Runner) Runner {
	var first time.Duration
	untrue := false // its own time
	return func(n int) (Probe, error) {
		p, err := run(n)
		if err != nil {
			return p, err
		}
		if n == 1 {
			first = p.Wall
		}
		p.Beyond, p.Claimed = max(p.Wall-first, 0), p.Measured
		untrue = untrue || p.Measured <= 0 || p.Measured > p.Wall || p.Beyond > MaxTrial && p.Beyond > 2*p.Measured
		if untrue {
			p.Measured, p.Clocked = p.Beyond, true
		}
		return p, nil
	}
}

// Reach grows n until the measured time is within a fifth of the target. n is 1 only if
// an iteration is long: package testing runs one iteration before it runs n of them,
// unless n is 1. Then it times the first of the process, which fills pools and grows the
// heap. A benchmark that decodes 2 MB in 92 ms took 43 % less time after a rewrite by its
// first iteration, and 80 % less by the next.
func Reach(run Runner, target time.Duration) (p Probe, err error) {
	n, grows := 1, false
	for range maxRuns {
		before := p
		if p, err = run(n); err != nil {
			return p, err
		}
		grows = grows || before.N > 1 && p.N >= GrowthSpan/4*before.N && p.perOp() > MinGrowth*before.perOp()
		p.Grows = grows
		switch {
		case n == 1 && (p.Measured < maxCold && p.Measured >= target*4/5 || p.Wall > longStart && p.Measured < p.Wall/2):
			n = 2
		case p.Measured > maxOver && n > 1:
			n = max(1, RoundN(float64(n)*float64(target)/float64(p.Measured)))
			p, err = run(n)
			p.Grows = grows
			return p, err
		case p.Measured >= target*4/5 || n >= MaxN:
			return p, nil
		default:
			n = grow(p, target)
		}
	}
	return p, nil
}

// grow predicts n from the last run, growing at most a hundredfold as package testing
// does, since the first runs are the least reliable. With the clock alone it grows
// tenfold.
func grow(p Probe, target time.Duration) int {
	n := float64(p.N)
	want := 100 * n
	if p.Clocked {
		want = 10 * n
	}
	if p.Measured > 0 {
		want = min(want, n*float64(target)/float64(p.Measured))
	}
	if p.Beyond > longStart {
		want = min(want, n*2*float64(MaxTrial)/float64(p.Beyond))
	}
	return RoundN(min(max(want, n+1), MaxN))
}

// Still reports whether a run took far longer than its operations, by its own time of them.
func (p Probe) Still() bool { return p.Clocked && p.Claimed > 0 && p.Beyond > 2*p.Claimed }

// perOp returns the time of an iteration in seconds.
func (p Probe) perOp() float64 { return p.Measured.Seconds() / float64(p.N) }

// OutweighSetUp grows n until set-up takes less than maxSetUp of the wall time.
func OutweighSetUp(run Runner, p Probe, limit time.Duration) (Probe, error) {
	setUp := p.Wall - p.Measured
	if p.Measured <= 0 || p.Clocked || float64(setUp) <= maxSetUp*float64(p.Wall) {
		return p, nil
	}
	// A little more than the share requires, since set-up itself varies.
	want := min(time.Duration(1.1*float64(setUp)*(1-maxSetUp)/maxSetUp), limit)
	if want <= p.Measured {
		return p, nil
	}
	return run(RoundN(float64(p.N) * float64(want) / float64(p.Measured)))
}

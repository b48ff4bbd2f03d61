// Package calibration finds how many iterations of a Go benchmark take a time. It runs
// nothing: it asks a Runner. Package survey uses it for benchmarks that run as processes.
package calibration

import "time"

// Limits of calibration, from docs/methodology.md.
const (
	MaxTrial  = time.Second // the longest trial, unless the study has another
	MinCycles = 3           // a trial of a benchmark that allocates spans whole cycles

	maxCold  = MaxTrial / 2 // from here on the first iteration is enough
	maxSetUp = 0.40         // the largest share of a trial's wall time
	maxRuns  = 8            // to hit the target time

	longStart = 100 * time.Millisecond // longer than a process takes to start
	maxOver   = 3 * MaxTrial           // longer trials are shortened
)

// A Runner runs a benchmark with n iterations, and traces the collector if gc is set.
type Runner func(n int, gc bool) (Probe, error)

// A Probe is one calibration run.
type Probe struct {
	N        int           // iterations
	Measured time.Duration // N times sec/op, unless the clock differs
	Beyond   time.Duration // how much Wall is longer than that of the first run
	Wall     time.Duration // of the process
	Bytes    float64       // B/op
	Cycles   int           // unforced collections, if the run traced them
	Clocked  bool          // Measured comes from the clock
	Timeless bool          // the benchmark reports no ns/op
}

// ByTheClock returns run with the wall-clock time of the operations if the benchmark's
// own time is impossible: an author may report another number as ns/op, or 0, which hides
// it. The first run is mostly start and set-up; the time beyond it is that of the
// operations.
func ByTheClock(run Runner) Runner {
	var first time.Duration
	untrue := false // its own time
	return func(n int, gc bool) (Probe, error) {
		p, err := run(n, gc)
		if err != nil {
			return p, err
		}
		if n == 1 && !gc {
			first = p.Wall
		}
		p.Beyond = max(p.Wall-first, 0)
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
	n := 1
	for range maxRuns {
		if p, err = run(n, false); err != nil {
			return p, err
		}
		switch {
		case n == 1 && (p.Measured < maxCold && p.Measured >= target*4/5 || p.Wall > longStart && p.Measured < p.Wall/2):
			n = 2
		case p.Measured > maxOver && n > 1:
			n = max(1, RoundN(float64(n)*float64(target)/float64(p.Measured)))
			return run(n, false)
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

// SpanCycles doubles n until a trial that allocates spans whole GC cycles, so that no
// trial pays for another's garbage. Cycles of the start and the set-up, as in a run of
// two iterations, do not count. few means that the limit was reached before.
func SpanCycles(run Runner, p Probe, limit time.Duration) (_ Probe, few bool, err error) {
	if p.Bytes <= 0 || p.Measured >= limit {
		return p, false, nil
	}
	idle, err := run(min(2, p.N), true)
	if err != nil {
		return p, false, err
	}
	for p.Measured < limit {
		traced, err := run(p.N, true)
		if err != nil || traced.Cycles-idle.Cycles >= MinCycles {
			return p, false, err
		}
		if 2*p.Measured > limit {
			break
		}
		if p, err = run(2*p.N, false); err != nil {
			return p, false, err
		}
	}
	return p, true, nil
}

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
	return run(RoundN(float64(p.N)*float64(want)/float64(p.Measured)), false)
}

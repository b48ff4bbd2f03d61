package calibration

import (
	"testing"
	"time"
)

// A made benchmark takes setUp once and real for each operation, and says that it took
// claimed.
type madeBenchmark struct {
	setUp, real, claimed time.Duration
	spent                time.Duration
}

func (m *madeBenchmark) run(n int) (Probe, error) {
	ops := n
	if n > 1 {
		ops++ // package testing runs one operation before it runs n
	}
	wall := 3*time.Millisecond + m.setUp + time.Duration(ops)*m.real
	m.spent += wall
	return Probe{N: n, Wall: wall, Measured: time.Duration(n) * m.claimed}, nil
}

// TestCalibrationByTheClock: what a benchmark reports as ns/op does not make its trials
// long, nor calibration, whether it is 0, too small, or too large; a true one decides.
func TestCalibrationByTheClock(t *testing.T) {
	const target = 50 * time.Millisecond
	for _, test := range []struct {
		name        string
		made        madeBenchmark
		least, most time.Duration // of the operations of a trial
		spent       time.Duration // at most
	}{
		{"true", madeBenchmark{real: 20 * time.Microsecond, claimed: 20 * time.Microsecond}, 40 * time.Millisecond, 60 * time.Millisecond, time.Second},
		{"true, long set-up", madeBenchmark{setUp: 2 * time.Second, real: 20 * time.Microsecond, claimed: 20 * time.Microsecond}, 40 * time.Millisecond, 60 * time.Millisecond, 12 * time.Second},
		{"true, one long operation", madeBenchmark{real: 3 * time.Second, claimed: 3 * time.Second}, 3 * time.Second, 3 * time.Second, 4 * time.Second},
		{"hidden", madeBenchmark{real: time.Microsecond}, 30 * time.Millisecond, 200 * time.Millisecond, 2 * time.Second},
		{"hidden, of 40 ms", madeBenchmark{real: 40 * time.Millisecond}, 40 * time.Millisecond, 800 * time.Millisecond, 3 * time.Second},
		{"hidden, of a second", madeBenchmark{real: time.Second}, time.Second, 3 * time.Second, 8 * time.Second},
		{"hidden, long set-up", madeBenchmark{setUp: time.Second, real: time.Microsecond}, 30 * time.Millisecond, 3 * time.Second, 20 * time.Second},
		{"far too small", madeBenchmark{real: time.Millisecond, claimed: time.Nanosecond}, 40 * time.Millisecond, 3 * time.Second, 15 * time.Second},
		{"far too small, of 300 ms", madeBenchmark{real: 300 * time.Millisecond, claimed: time.Nanosecond}, 300 * time.Millisecond, 3 * time.Second, 15 * time.Second},
		{"far too small, of 8 s", madeBenchmark{real: 8 * time.Second, claimed: time.Nanosecond}, 8 * time.Second, 16 * time.Second, 60 * time.Second},
		{"far too large", madeBenchmark{real: time.Microsecond, claimed: time.Second}, 30 * time.Millisecond, 200 * time.Millisecond, 2 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := ByTheClock(test.made.run)
			p, err := Reach(run, target)
			if err == nil {
				p, err = OutweighSetUp(run, p, MaxTrial)
			}
			if err != nil {
				t.Fatal(err)
			}
			ops := time.Duration(p.N) * test.made.real
			least := test.least
			if test.made.setUp > 0 && !p.Clocked && ops > test.most { // made longer, so that set-up does not outweigh it
				ops = min(ops, test.most)
			}
			if ops < least || ops > test.most || test.made.spent > test.spent {
				t.Errorf("N = %d, operations of %v, want %v to %v; %v spent, want %v at most", p.N, ops, least, test.most, test.made.spent, test.spent)
			}
		})
	}
}

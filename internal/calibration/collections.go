package calibration

import "time"

// Package testing collects before each run. With x collections of its own in a run, of
// which all together take a share s of the time, the run is too short by s/2x on average.
const (
	// leastCycles is the number of collections in a run. Fewer are enough if the run is too
	// short by maxBias at most. MinCycles is the least of which a value says something.
	leastCycles = 8
	MinCycles   = 3
	maxBias     = 0.0025
	// byteCost is what collecting costs for a byte allocated, in seconds, with a heap that
	// a CPU scans at 1 GB/s and with GOGC=50.
	byteCost = 2e-9
)

// Collections says how often a benchmark collects, and how often a run should.
type Collections struct {
	perOp  float64 // seconds
	cycles float64 // of an operation
	needed float64 // in a run
}

// Matters reports whether collecting what an operation allocates, in bytes, takes enough of
// its time, in seconds, to matter.
func Matters(perOp, bytes float64) bool { return bytes*byteCost > maxBias*perOp }

// Counted returns what a trace of the collector shows: collections of an operation and
// their share of the CPU time.
func Counted(perOp, cycles, share float64) Collections {
	return Collections{perOp, cycles, min(leastCycles, share/(2*maxBias))}
}

// Enough returns the length of a run that holds as many as needed; an hour if it is more.
func (c Collections) Enough() time.Duration {
	if c.cycles == 0 {
		return time.Hour
	}
	return time.Duration(min(c.needed/c.cycles*c.perOp, 3600) * float64(time.Second))
}

// Few reports whether n operations hold so few that the time leaves most of them out.
func (c Collections) Few(n int) bool { return c.cycles*float64(n) < min(c.needed, MinCycles) }

package analysis

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// What another stop rule, such as that of a race, needs of a Tracker.

// A SuiteSeries has the values of one variant on the whole suite, by block.
type SuiteSeries struct {
	Blocks []int // ascending
	stats.Series
}

// Whole returns the series of a variant against the base, over the blocks in which it ran
// the whole suite. It is empty for the base, for a variant that has not run, and if a
// ratio does not exist. Minus compares two variants.
func (t *Tracker) Whole(metric, variant string) (s SuiteSeries) {
	x := t.set.Suite(metric).Sample(variant)
	if x == nil || x.Zero || len(x.D) == 0 {
		return s
	}
	return SuiteSeries{x.Blocks, x.Series()}
}

// Plus returns the series with a constant added.
func (s SuiteSeries) Plus(c float64) SuiteSeries {
	d := make([]float64, len(s.D))
	for i, x := range s.D {
		d[i] = x + c
	}
	s.D = d
	return s
}

// Minus returns s - k*w over the common blocks. A combination of several variants has no
// control.
func (s SuiteSeries) Minus(w SuiteSeries, k float64) SuiteSeries {
	out := SuiteSeries{Series: stats.Series{Floor: max(s.Floor, w.Floor)}}
	j := 0
	for i, block := range s.Blocks {
		for j < len(w.Blocks) && w.Blocks[j] < block {
			j++
		}
		if j < len(w.Blocks) && w.Blocks[j] == block {
			out.Blocks = append(out.Blocks, block)
			out.D = append(out.D, s.D[i]-k*w.D[j])
		}
	}
	return out
}

// Turns gives every benchmark that is not excluded its rounds.
func (t *Tracker) Turns() []assay.Turn {
	return schedule.Turns(sample.Planned(t.set.Active()))
}

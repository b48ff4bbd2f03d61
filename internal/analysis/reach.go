package analysis

import (
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A Reach is the smallest change that a machine can show for one benchmark or the whole
// suite, estimated from a run of the same code under several names.
type Reach struct {
	// Benchmark is nil for the whole suite.
	Benchmark *assay.Benchmark `json:"benchmark,omitempty"`
	// Scatter is the standard deviation of a block's change.
	Scatter assay.Change `json:"scatter"`
	// BlockTime is the expected time of a block of the base and one other variant, with
	// the control's part, of this benchmark or of all.
	BlockTime time.Duration `json:"block_ns"`
	// Smallest has for each of the given times the smallest true change shown with
	// probability [reachPower]; 0 if so few blocks decide nothing.
	Smallest []assay.Change `json:"smallest"`
}

// reachPower is the probability with which a change is shown.
const reachPower = 0.8

// ReachTimes are the lengths of the runs whose smallest visible change assay prints.
var ReachTimes = []time.Duration{time.Minute, 5 * time.Minute, 20 * time.Minute}

// Reach estimates the changes that this machine shows in runs of the given lengths, for
// the whole suite and for each benchmark alone. The tracked run must be of the same code
// under several names. It is the price of a look (stats.Series.Shows) for the scatter observed.
func (t *Tracker) Reach(times ...time.Duration) (whole *Reach, each []Reach) {
	metric := t.plan.Study.Decide.Metrics[0]
	active := t.set.Active()
	turns := schedule.Turns(sample.Planned(active))
	for i, b := range active {
		of := func(variant string) *sample.Sample { return b.Samples[metric][variant] }
		if r := t.reach(of, turns[i:i+1], times); r != nil {
			r.Benchmark = &b.Plan.Benchmark
			each = append(each, *r)
		}
	}
	return t.SuiteReach(times...), each
}

// SuiteReach is Reach for the whole suite alone. The variants may be of any code: a change
// that all blocks have is none of the scatter.
func (t *Tracker) SuiteReach(times ...time.Duration) *Reach {
	return t.reach(t.set.Suite(t.plan.Study.Decide.Metrics[0]).Sample, schedule.Turns(sample.Planned(t.set.Active())), times)
}

// reach returns the reach of the variants' samples, which scatter alike; nil if there are none.
func (t *Tracker) reach(of func(variant string) *sample.Sample, turns []assay.Turn, times []time.Duration) *Reach {
	block := t.costs.Block(turns, 1+schedule.Always(t.plan))
	var pool []stats.Series
	variance := 0.0
	for _, v := range t.set.Others() {
		if s := of(v); s != nil && !s.Zero && len(s.D) >= t.set.From && s.Varied {
			pool, variance = append(pool, s.Series()), variance+stats.Variance(s.D)
		}
	}
	if len(pool) == 0 || block <= 0 {
		return nil
	}
	out := &Reach{Scatter: assay.ChangeOfLog(math.Sqrt(variance / float64(len(pool)))), BlockTime: block}
	for _, d := range times {
		n, smallest := int(d/block), 0.0
		for _, s := range pool {
			smallest += s.Shows(n, stats.LookShare(1)*t.plan.Study.Decide.Alpha(), reachPower) / float64(len(pool))
		}
		if n < t.set.From || smallest >= Unbounded {
			smallest = 0
		}
		out.Smallest = append(out.Smallest, assay.ChangeOfLog(smallest))
	}
	return out
}

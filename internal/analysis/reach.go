package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/design"
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
	// BlockTime is the expected time of a block of the base, the control and one other
	// variant, of this benchmark or of all.
	BlockTime time.Duration `json:"block_ns"`
	// Smallest has for each of the given times the smallest true change shown with
	// probability [reachPower]; 0 if so few blocks decide nothing.
	Smallest []assay.Change `json:"smallest"`
}

const (
	// reachPower is the probability with which a change is shown.
	reachPower = 0.8
	// reachDraws is the number of simulated runs for each time. The quantile at .8 of two
	// values a run is then known to about 5 %.
	reachDraws = 100
	// reachBlocks is the longest simulated run. Beyond it intervals narrow with the root of
	// the number of blocks.
	reachBlocks = 100
	// reachVariants is the number of variants in a block: base, control and one other.
	reachVariants = 3
)

// ReachTimes are the lengths of the runs whose smallest visible change assay prints.
var ReachTimes = []time.Duration{time.Minute, 5 * time.Minute, 20 * time.Minute}

// Reach estimates the changes that this machine shows in runs of the given lengths, for
// the whole suite and for each benchmark alone. The tracked run must be of the same code
// under several names. It draws blocks from the observed ones with replacement, minus
// their mean, and takes the interval of the last look. A change shifts an interval as a whole, so
// the smallest one shown is the interval's end. The draws come from seed.
func (t *Tracker) Reach(seed uint64, times ...time.Duration) (whole *Reach, each []Reach) {
	metric := t.plan.Study.Decide.Metrics[0]
	active := t.set.Active()
	turns := schedule.Turns(sample.Planned(active))
	for i, b := range active {
		of := func(variant string) *sample.Sample { return b.Samples[metric][variant] }
		block := t.costs.Block(turns[i:i+1], reachVariants)
		if r := t.reach(of, block, design.Rand(seed, "reach", b.Plan.Name), times); r != nil {
			r.Benchmark = &b.Plan.Benchmark
			each = append(each, *r)
		}
	}
	return t.SuiteReach(seed, times...), each
}

// SuiteReach is Reach for the whole suite alone. The variants may be of any code: a change
// that all blocks have is none of the scatter.
func (t *Tracker) SuiteReach(seed uint64, times ...time.Duration) *Reach {
	turns := schedule.Turns(sample.Planned(t.set.Active()))
	return t.reach(t.set.Suite(t.plan.Study.Decide.Metrics[0]).Sample, t.costs.Block(turns, reachVariants), design.Rand(seed, "reach"), times)
}

// reach returns the reach of the variants' samples, which scatter alike; nil if there is
// nothing to draw from.
func (t *Tracker) reach(of func(variant string) *sample.Sample, block time.Duration, r *rand.Rand, times []time.Duration) *Reach {
	var pool []stats.Series
	floor, variance := 0.0, 0.0
	for _, v := range t.set.Variants {
		s := of(v)
		if s == nil || s.Zero || len(s.D) < t.set.From || !s.Varied {
			continue
		}
		pool = append(pool, stats.Series{D: residuals(s.D), Control: residuals(s.Control)})
		floor, variance = max(floor, s.Floor()), variance+stats.Variance(s.D)
	}
	if len(pool) == 0 || block <= 0 {
		return nil
	}
	out := &Reach{Scatter: assay.ChangeOfLog(math.Sqrt(variance / float64(len(pool)))), BlockTime: block}
	// The control's own series has no control, unlike the simulated run's.
	beside := func(s stats.Series) bool { return s.Control != nil }
	if slices.ContainsFunc(pool, beside) {
		pool = slices.DeleteFunc(pool, func(s stats.Series) bool { return !beside(s) })
	}
	for _, d := range times {
		out.Smallest = append(out.Smallest, assay.ChangeOfLog(t.smallest(pool, floor, int(d/block), r)))
	}
	return out
}

// residuals returns a series minus its mean, widened to the true scatter; nil if it is
// empty, NaN for blocks without a value.
func residuals(d []float64) []float64 {
	has := slices.DeleteFunc(slices.Clone(d), math.IsNaN)
	if len(has) < 2 {
		return nil
	}
	mean, wider := stats.Mean(has), math.Sqrt(float64(len(has))/float64(len(has)-1))
	out := make([]float64, len(d))
	for i, x := range d {
		out[i] = (x - mean) * wider
	}
	return out
}

// smallest returns the change, in ln units, that n blocks show with probability
// reachPower; 0 if they show none.
func (t *Tracker) smallest(pool []stats.Series, floor float64, n int, r *rand.Rand) float64 {
	alpha := t.plan.Study.Decide.Alpha()
	if n < t.set.From {
		return 0
	}
	k := min(n, reachBlocks)
	var need []float64
	for range reachDraws {
		from := pool[r.IntN(len(pool))]
		s := stats.Series{Floor: floor}
		for range k {
			i := r.IntN(len(from.D))
			s.D = append(s.D, from.D[i])
			if from.Control != nil {
				s.Control = append(s.Control, from.Control[i])
			}
		}
		lo, hi := s.Fixed(stats.LookShare(1) * alpha)
		need = append(need, -lo, hi)
	}
	slices.Sort(need)
	x := need[int(reachPower*float64(len(need)-1))]
	if x >= Unbounded {
		return 0
	}
	return max(x, 0) * math.Sqrt(float64(k)/float64(n))
}

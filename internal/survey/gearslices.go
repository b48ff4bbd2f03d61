package survey

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
	"github.com/seed-1318a441/assay/internal/trial"
)

// How calibration chooses the length of slices (docs/methodology.md).
const (
	// sliceTime is the total time of a variant's slices in a block, as a multiple of a
	// trial. On a machine used by others, the fastest of 200 slices are 2.5 times as
	// exact as those of 100. fitSlices makes it up to moreSlices times as long if links
	// take longer, and as short as lessSlices if the blocks for a verdict would not fit.
	sliceTime              = 4
	moreSlices, lessSlices = 1.5, 0.25
	// spareBlocks is how many blocks should fit, in multiples of those for a first
	// verdict.
	spareBlocks = 1.5

	minSlices, maxSlices = 31, 301 // of a variant in a block; odd, for the median

	// probeSlices is the number of slices of each of two compared lengths. It is
	// fewSlices if the longer takes longProbe, or if there are many variants.
	probeSlices, fewSlices = 45, 15
	longProbe              = 8 * time.Millisecond
	manyVariants           = 6
	// maxSliced is the maximum time of a variant's slices in a block, with their set-up.
	maxSliced = 1500 * time.Millisecond
	// maxSetUpTime is the set-up time beyond which slices are not tried.
	maxSetUpTime = 100 * time.Millisecond

	// maxSlowdown is how much longer an operation may take in a slice than in a longer
	// one, in ln units; maxSlowdownLongest is that for the longest slice but one. It may
	// be much faster: other programs on the CPU make long slices longer, but hardly ever
	// short ones.
	maxSlowdown, maxSlowdownLongest = 0.05, 0.1
	// spreadEffects is how much variants may differ in that from the base, in minimum
	// effects.
	spreadEffects = 2
	// noiseAllowance is for either, in standard errors with about 4 degrees of freedom.
	noiseAllowance = 4
)

// sliceLengths are the lengths tried.
var sliceLengths = []time.Duration{time.Millisecond, 4 * time.Millisecond, 20 * time.Millisecond}

const slowSetUp = "its set-up takes much longer than a slice"

const tooLong = "one operation takes longer than a slice"

const slicesDisagree = "slices disagree with go test -bench"

// slices gives the benchmark slices if that is right. The error is a misfit if not.
func (c *chooser) slices(ctx context.Context) error {
	if err := c.notSliced(); err != nil {
		return err
	}
	if err := c.references(ctx, unfit, false); err != nil {
		return err
	}
	forced := c.Study.Measure.Pair == assay.GearSlices
	if c.setUp() > maxSetUpTime && !forced {
		return misfit(slowSetUp)
	}
	b := *c.bench
	b.OneCPU = c.refs.oneCPU(maxBusy)
	p, i, err := c.sliceLength(ctx, design.CPUs(c.plan.Seed, b, 0, 0, c.cpus))
	if err != nil {
		return err
	}
	b.Gear, b.N = assay.GearSlices, p.n[i]
	b.Slices = min(max(int(sliceTime*c.target()/p.length[i])|1, minSlices), maxSlices)
	b.Trial = time.Duration(b.Slices+lab.WarmSlices) * (p.length[i] + p.beside)
	if b.Trial > maxSliced && !forced {
		return misfit(slowSetUp)
	}
	*c.bench = b
	return nil
}

// fitSlices gives the blocks of a plan as many slices as are worth their links, or fewer
// if there is not enough time for one and a half times the blocks of the first verdict.
func fitSlices(p *assay.Plan) {
	f := schedule.Foresee(p)
	var sliced time.Duration // for a block
	for _, b := range p.Benchmarks {
		if b.Gear == assay.GearSlices {
			sliced += time.Duration(float64(b.Trial) * f.Share.Present())
		}
	}
	if sliced == 0 {
		return
	}
	factor := min(max(f.Link.Seconds()/sliced.Seconds(), 1), moreSlices)
	if f.Time > 0 {
		room := f.Time.Seconds()/(spareBlocks*float64(f.First)) - (f.Block - sliced).Seconds()
		factor = min(factor, max(room/sliced.Seconds(), lessSlices))
	}
	for i := range p.Benchmarks {
		b := &p.Benchmarks[i]
		if b.Gear != assay.GearSlices {
			continue
		}
		n := min(max(int(factor*float64(b.Slices))|1, min(minSlices, b.Slices)), maxSlices)
		b.Trial = b.Trial * time.Duration(n+lab.WarmSlices) / time.Duration(b.Slices+lab.WarmSlices)
		b.Slices = n
	}
}

// sliceLength finds the shortest slices whose times agree with those of all longer ones;
// those of the longest must agree with the reference. p describes the slices chosen at i.
func (c *chooser) sliceLength(ctx context.Context, cpus []int) (p probing, i int, err error) {
	n := c.sliceCounts()
	last := len(n) - 1
	forced := c.Study.Measure.Pair == assay.GearSlices // the shortest, by the user's choice
	if last == 0 || forced {
		if p, err = c.probe(ctx, cpus, n[:1]); err == nil && !forced {
			err = c.disagree(ctx, slicesDisagree, p.level[0], unfit)
		}
		return p, 0, err
	}
	for i := range last {
		agree := true
		for j := i + 1; j <= last && agree; j++ {
			if p, agree, err = c.probeTwice(ctx, cpus, []int{n[i], n[j]}); err == nil && j == last {
				err = c.disagree(ctx, slicesDisagree, p.level[1], unfit)
			}
			if err != nil {
				return p, 0, err
			}
		}
		if agree {
			return p, 0, nil
		}
	}
	slows, _ := p.against(c.baseAt())
	switch {
	case p.allocates[1]:
		err = misfit("it allocates in short runs")
	case slows > maxSlowdownLongest:
		err = misfit(fmt.Sprintf("the time of an operation depends on how many are run: it is %.0f %% longer in %d than in %d",
			100*math.Expm1(slows), p.n[0], p.n[1]))
	}
	return p, 1, err
}

// retakes is the number of times that references which disagree with a gear are repeated.
const retakes = 3

// disagree returns a misfit if a gear disagrees with the references. A reference that disagrees is
// repeated, and the nearer one counts: the machine may have had another speed, and of
// sixteen references some always disagree. A gear that measures something else disagrees
// with all. unfit says why a reference is useless.
func (c *chooser) disagree(ctx context.Context, what string, level []float64, unfit func(reading) string) error {
	for range retakes {
		if c.refs.apart(what, level) == nil {
			return nil
		}
		off := make([]float64, len(c.refs))
		for i, r := range c.refs {
			off[i] = level[i] - math.Log(r.PerOp)
		}
		middle := stats.Median(off)
		for i, v := range c.variants {
			if math.Abs(off[i]) < nearReference/2 && math.Abs(off[i]-middle) < ratioReference/2 {
				continue
			}
			c.anew = true
			r, err := c.reference(ctx, v)
			c.anew = false
			if err != nil {
				return err
			}
			if why := unfit(r); why != "" {
				return misfitIn(v, why)
			}
			if math.Abs(level[i]-math.Log(r.PerOp)) < math.Abs(off[i]) {
				c.refs[i] = r
			}
		}
	}
	return c.refs.apart(what, level)
}

// sliceCounts returns the iterations of slices of every length, from the references.
func (c *chooser) sliceCounts() (counts []int) {
	perOp := 0.0
	for _, r := range c.refs {
		perOp += math.Log(r.PerOp) / float64(len(c.refs))
	}
	for _, length := range sliceLengths {
		n := max(1, int(length.Seconds()/math.Exp(perOp)))
		if length <= max(c.target(), sliceLengths[0]) && !slices.Contains(counts, n) {
			counts = append(counts, n)
		}
	}
	return counts
}

// baseAt returns the index of the base among the variants, 0 if it lacks the benchmark.
func (c *chooser) baseAt() int {
	return max(slices.IndexFunc(c.variants, func(v assay.Variant) bool { return v.Name == c.plan.Study.Base }), 0)
}

// probeTwice probes two lengths, and again if they disagree, since noise differs.
func (c *chooser) probeTwice(ctx context.Context, cpus, n []int) (p probing, agree bool, err error) {
	for range 2 {
		if p, err = c.probe(ctx, cpus, n); err != nil || c.agree(p) {
			return p, err == nil, err
		}
	}
	return p, false, nil
}

// agree reports whether the shorter slices measure the same as the longer ones.
func (c *chooser) agree(p probing) bool {
	slows, differ := p.against(c.baseAt())
	return !p.allocates[0] && slows <= maxSlowdown && differ <= spreadEffects*c.plan.Study.Decide.Margin(assay.MetricTime)
}

// A probing is the result of slices of one or two lengths.
type probing struct {
	n      []int           // by length
	length []time.Duration // of a slice of the slowest variant, as measured
	logs   [][][]float64   // ln of the time of an operation, by length, variant and round
	level  [][]float64     // the values that they are reduced to, by length and variant
	beside time.Duration   // time of a slice outside its operations
	// allocates says by length whether there were any bytes per operation.
	allocates []bool
}

// probe runs slices of every variant side by side, so that noise meets all of them.
func (c *chooser) probe(ctx context.Context, cpus, n []int) (p probing, err error) {
	p.n = n
	r := lab.TogetherRequest{Gear: assay.GearSlices, Warm: lab.WarmSlices, Rounds: probeSlices, CPUs: cpus, Memory: c.memory()}
	if len(c.variants) > manyVariants || c.refs.perOp()*float64(n[len(n)-1]) > longProbe.Seconds() {
		r.Rounds = fewSlices
	}
	outs, err := c.together(ctx, &r, n...)
	switch {
	case errors.Is(err, trial.ErrPrints):
		return p, misfit("it prints to standard output")
	case errors.Is(err, trial.ErrNoSlices):
		return p, misfit(err.Error())
	case err != nil:
		return p, err
	}
	return c.read(p, r, outs)
}

// read fills in the results of a probing.
func (c *chooser) read(p probing, r lab.TogetherRequest, outs []trial.Outcome) (probing, error) {
	arms := make([]map[string][]float64, len(outs))
	var wall, timed float64
	for i, out := range outs {
		if out.Status != assay.StatusOK || len(out.Slices[assay.MetricTime]) == 0 {
			return p, misfit(fmt.Sprintf("its slices failed in %s: %s", assay.Quoted(r.Arms[i].Variant.Name), out.Reason))
		}
		arms[i] = out.Slices
		wall = max(wall, out.Wall.Seconds())
		timed += stats.Mean(out.Slices[assay.MetricTime]) * float64(r.Arms[i].N)
	}
	slicesRun := float64((r.Warm + r.Rounds) * len(outs))
	p.beside = time.Duration(max(wall/slicesRun-timed/float64(len(outs)), 0) * float64(time.Second))
	for i, obs := range lab.ReduceSlices(arms) {
		k, v := i/len(c.variants), i%len(c.variants)
		if v == 0 {
			p.logs, p.level, p.length = append(p.logs, nil), append(p.level, nil), append(p.length, 0)
			p.allocates = append(p.allocates, false)
		}
		logs, _ := lab.Logs(arms[i:i+1], assay.MetricTime)
		if len(logs) == 0 {
			return p, misfit("a slice takes no time")
		}
		p.logs[k] = append(p.logs[k], logs[0])
		p.level[k] = append(p.level[k], math.Log(obs[assay.MetricTime]))
		p.length[k] = max(p.length[k], time.Duration(obs[assay.MetricTime]*float64(p.n[k])*float64(time.Second)))
		p.allocates[k] = p.allocates[k] || obs[assay.MetricBytes] > 0
	}
	return p, nil
}

// against compares the first length with the second. slows is the maximum over the
// variants of how much longer an operation takes in the shorter slices. differ is the
// largest difference of that to the base's. Both are reduced by what may be noise.
func (p probing) against(base int) (slows, differ float64) {
	variants := len(p.logs[0])
	arms := append(slices.Clone(p.logs[0]), p.logs[1]...)
	values := stats.Arms(arms)
	change, variance := make([]float64, variants), make([]float64, variants)
	for v := range variants {
		change[v] = values[v] - values[variants+v]
		variance[v] = stats.ArmErrors(arms, variants+v)[v]
	}
	for v := range variants {
		slows = max(slows, change[v]-noiseAllowance*math.Sqrt(variance[v]), -change[v]-nearReference)
		differ = max(differ, math.Abs(change[v]-change[base])-noiseAllowance*math.Sqrt(variance[v]+variance[base]))
	}
	return slows, differ
}

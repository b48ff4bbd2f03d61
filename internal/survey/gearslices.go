package survey

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
	"github.com/seed-1318a441/assay/internal/trial"
)

// How calibration chooses the length of slices (docs/methodology.md).
const (
	// probeSlices is the number of slices of each of two compared lengths. It is
	// fewSlices if the longer takes slowProbe with its set-up, or if there are many
	// variants.
	probeSlices, fewSlices = 45, 15
	slowProbe              = 8 * time.Millisecond
	manyVariants           = 6
	// maxCover is the maximum time of the slices of all variants that are compared with
	// the reference, with their set-up.
	maxCover = 5 * time.Second
	// repeatedShare is how many times fewer slices a repeated try has.
	repeatedShare = 3
	// maxSliced is the maximum time of a variant's slices in a block, with their set-up.
	maxSliced = 1500 * time.Millisecond

	// maxSlowdown is how much longer an operation may take in a slice than in a longer
	// one, in ln units; maxSlowdownLongest is that for the longest slice but one. It may
	// be much faster: other programs on the CPU make long slices longer, but hardly ever
	// short ones.
	maxSlowdown, maxSlowdownLongest = 0.05, 0.1
	// quicker is how much less time an operation may take in a slice, in ln units.
	quicker = 0.47 // ln 1.6
	// spreadEffects is how much variants may differ in that from the base, in minimum
	// effects.
	spreadEffects = 2
	// noiseAllowance is for either, in standard errors with about 4 degrees of freedom.
	noiseAllowance = 4
)

// sliceLengths are the lengths tried.
var sliceLengths = []time.Duration{time.Millisecond, 4 * time.Millisecond, 20 * time.Millisecond}

const slowSetUp = "its set-up takes much longer than a slice"

// leastOperations is the minimum number of operations in a short slice. The first one may find
// the caches cold: of operations on 10 MB that take 0.9 ms, slices of one took 31 and 43 % longer
// than go test -bench. Of 20, that is 2 %.
const leastOperations = 20

const tooLong = "one operation takes longer than a slice"

const slicesDisagree = "slices disagree with go test -bench"

// slices gives a benchmark that allocates nothing slices if that is right. The error is a
// misfit if not.
func (c *chooser) slices(ctx context.Context) error {
	if err := c.notSliced(); err != nil {
		return err
	}
	if err := c.references(ctx); err != nil {
		return err
	}
	if err := c.handsOut(ctx, c.refs[c.baseAt()].PerOp); err != nil {
		return err
	}
	if c.bench.BenchTime > 0 {
		return misfit(handedOut)
	}
	if err := c.measureSetUp(ctx); err != nil {
		return err
	}
	if c.refs.Allocate() {
		return misfit("it allocates in another variant than the base")
	}
	return shortSlices{c}.short(ctx)
}

// A shortSlices chooses the length of short slices.
type shortSlices struct{ chooser *chooser }

// short gives the benchmark the shortest slices that measure what longer ones and go test
// -bench do. The error is a misfit if there are none.
func (c shortSlices) short(ctx context.Context) error {
	b := *c.chooser.bench
	b.OneCPU = c.chooser.refs.OneCPU()
	p, i, err := c.sliceLength(ctx, b)
	if err == nil {
		err = c.covers(ctx, b, p, i)
	}
	if err != nil {
		return err
	}
	b.Gear, b.N, b.Warm = assay.GearSlices, p.n[i], assay.WarmSlices
	b.Slices = schedule.ShortSlices(p.length[i], c.chooser.target())
	b.Trial = time.Duration(b.Slices+b.Warm) * (p.length[i] + p.beside)
	*c.chooser.bench = b
	return nil
}

// covers checks short slices of every variant that have together at least as many
// operations as the reference, so that they meet its costs that come in lumps: buffers
// that flush, maps that grow. Their mean must agree with the reference. The value that
// counts, a quantile or a median, must make no other difference between variants than the
// mean does.
func (c shortSlices) covers(ctx context.Context, b assay.PlannedBenchmark, found probing, i int) error {
	n, length := found.n[i], max(found.length[i], 1)
	rounds := min(int(c.chooser.referenceTime()/length)+1, int(min(maxCover, c.chooser.spare())/(length+found.beside))/len(c.chooser.variants))
	rounds = max(rounds, c.rounds(n))
	var covering probing // the first
	probe := func() (m measured, err error) {
		p, err := c.probeRounds(ctx, b, rounds, n)
		if covering.n == nil {
			covering = p
			rounds = max(rounds/repeatedShare, c.rounds(n))
		}
		if err == nil {
			m = measured{level: p.mean[0], counts: p.level[0], noise: slices.Max(p.scale[0])}
		}
		return m, err
	}
	m, err := probe()
	if err == nil {
		err = c.chooser.admit(ctx, slicesDisagree, m, probe)
	}
	if err == nil && covering.lumps(c.chooser.baseAt()) > c.chooser.plan.Study.Decide.Margin(assay.MetricTime) {
		err = misfit("its costs come in lumps, which most slices do not have")
	}
	c.chooser.uneven = errors.As(err, new(misfit))
	return err
}

// sliceLength finds the shortest slices whose times agree with those of all longer ones.
// p describes the slices chosen at i.
func (c shortSlices) sliceLength(ctx context.Context, b assay.PlannedBenchmark) (p probing, i int, err error) {
	n, err := c.sliceCounts()
	last := len(n) - 1
	if err != nil {
		return p, 0, err
	}
	if last == 0 {
		p, err = c.probe(ctx, b, n[:1])
		return p, 0, err
	}
	for i := range last {
		agree := true
		for j := i + 1; j <= last && agree; j++ {
			if p, agree, err = c.probeTwice(ctx, b, []int{n[i], n[j]}); err != nil {
				return p, 0, err
			}
		}
		if agree {
			return p, 0, nil
		}
	}
	slows, _ := p.against(c.chooser.baseAt())
	switch {
	case p.allocates[1]:
		err = misfit("it allocates in short runs")
	case slows > maxSlowdownLongest:
		err = misfit(fmt.Sprintf("the time of an operation depends on how many are run: it is %.0f %% longer in %d than in %d",
			100*math.Expm1(slows), p.n[0], p.n[1]))
	}
	c.chooser.uneven = err != nil
	return p, 1, err
}

// sliceCounts returns the iterations of short slices of every length that holds
// leastOperations and outweighs its set-up. The error is a misfit if there are none.
func (c shortSlices) sliceCounts() (counts []int, err error) {
	perOp := c.chooser.refs.Typical()
	err = misfit(tooLong)
	for _, length := range sliceLengths {
		n := int(length.Seconds() / perOp)
		switch {
		case n < leastOperations || length > max(c.chooser.target(), sliceLengths[0]) || slices.Contains(counts, n):
		case time.Duration(schedule.ShortSlices(length, c.chooser.target()))*(length+c.chooser.setUp) > maxSliced ||
			schedule.MinSlices*(length+c.chooser.setUp) > c.chooser.affordable():
			err = misfit(slowSetUp)
		default:
			counts = append(counts, n)
		}
	}
	if len(counts) > 0 {
		err = nil
	}
	return counts, err
}

// baseAt returns the index of the base among the variants, 0 if it lacks the benchmark.
func (c *chooser) baseAt() int {
	return max(slices.IndexFunc(c.variants, func(v assay.Variant) bool { return v.Name == c.plan.Study.Base }), 0)
}

// probeTwice probes two lengths, and again if they disagree, since noise differs.
func (c shortSlices) probeTwice(ctx context.Context, b assay.PlannedBenchmark, n []int) (p probing, agree bool, err error) {
	if p, err = c.probe(ctx, b, n); err == nil && !c.agree(p) && !c.chooser.overdue() {
		p, err = c.probe(ctx, b, n)
	}
	return p, err == nil && c.agree(p), err
}

// agree reports whether the shorter slices measure the same as the longer ones.
func (c shortSlices) agree(p probing) bool {
	slows, differ := p.against(c.chooser.baseAt())
	return !p.allocates[0] && slows <= maxSlowdown && differ <= spreadEffects*c.chooser.plan.Study.Decide.Margin(assay.MetricTime)
}

// A probing is the result of slices of one or two lengths.
type probing struct {
	n      []int           // by length
	length []time.Duration // of a slice of the slowest variant, as measured
	logs   [][][]float64   // ln of the time of an operation, by length, variant and round
	level  [][]float64     // the values that they are reduced to, by length and variant
	mean   [][]float64     // ln of the mean time of an operation, by length and variant
	scale  [][]float64     // the standard error of that, by length and variant
	beside time.Duration   // time of a slice outside its operations
	// allocates says by length whether there were any bytes per operation.
	allocates []bool
}

// probe runs slices of every variant side by side, so that noise meets all of them.
func (c shortSlices) probe(ctx context.Context, b assay.PlannedBenchmark, n []int) (p probing, err error) {
	return c.probeRounds(ctx, b, c.rounds(n[len(n)-1]), n...)
}

// rounds returns how many slices of n operations a probe needs.
func (c shortSlices) rounds(n int) int {
	if len(c.chooser.variants) > manyVariants || c.chooser.refs.Fastest()*float64(n)+c.chooser.setUp.Seconds() > slowProbe.Seconds() {
		return fewSlices
	}
	return probeSlices
}

// probeRounds is probe with a number of rounds.
func (c shortSlices) probeRounds(ctx context.Context, b assay.PlannedBenchmark, rounds int, n ...int) (probing, error) {
	r := lab.TogetherRequest{Warm: assay.WarmSlices, Rounds: rounds, CPUs: c.chooser.drawCPUs(b), Memory: c.chooser.memory()}
	outs, err := c.chooser.sliced(ctx, &r, n...)
	if err != nil {
		return probing{}, err
	}
	return c.read(probing{n: n}, r, outs)
}

// read fills in the results of a probing.
func (c shortSlices) read(p probing, r lab.TogetherRequest, outs []trial.Outcome) (probing, error) {
	arms := make([]map[string][]float64, len(outs))
	var wall, timed float64
	for i, out := range outs {
		arms[i] = out.Slices
		wall = max(wall, out.Wall.Seconds())
		timed += stats.Mean(out.Slices[assay.MetricTime]) * float64(r.Arms[i].N)
	}
	slicesRun := float64((r.Warm + r.Rounds) * len(outs))
	p.beside = time.Duration(max(wall/slicesRun-timed/float64(len(outs)), 0) * float64(time.Second))
	for i, obs := range lab.ReduceSlices(arms) {
		k, v := i/len(c.chooser.variants), i%len(c.chooser.variants)
		if v == 0 {
			p.logs, p.level, p.length = append(p.logs, nil), append(p.level, nil), append(p.length, 0)
			p.mean, p.scale = append(p.mean, nil), append(p.scale, nil)
			p.allocates = append(p.allocates, false)
		}
		logs, _ := lab.Logs(arms[i:i+1], assay.MetricTime)
		if len(logs) == 0 {
			return p, misfit("a slice takes no time")
		}
		p.logs[k] = append(p.logs[k], logs[0])
		p.level[k] = append(p.level[k], math.Log(obs[assay.MetricTime]))
		times := arms[i][assay.MetricTime]
		mean := stats.Mean(times)
		p.mean[k] = append(p.mean[k], math.Log(mean))
		p.scale[k] = append(p.scale[k], math.Sqrt(stats.Variance(times)/float64(len(times)))/mean)
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
		slows = max(slows, change[v]-noiseAllowance*math.Sqrt(variance[v]), -change[v]-quicker)
		differ = max(differ, math.Abs(change[v]-change[base])-noiseAllowance*math.Sqrt(variance[v]+variance[base]))
	}
	return slows, differ
}

// lumps returns by how much the value that counts makes a variant differ from the base
// other than the mean does, reduced by what may be noise, in ln units. Of two variants the
// calmer one says what noise is: lumps make the mean of the other uncertain. It is about
// the first length.
func (p probing) lumps(base int) (most float64) {
	gap := func(v int) float64 { return p.mean[0][v] - p.level[0][v] }
	for v := range p.mean[0] {
		noise := math.Sqrt2 * min(p.scale[0][v], p.scale[0][base])
		most = max(most, math.Abs(gap(v)-gap(base))-noiseAllowance*noise)
	}
	return most
}

package stats

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// The simulations reproduce the figures of docs/methodology.md, section 3. They
// are seeded; more runs sharpen them:
//
//	go test ./internal/stats -run Simulated -v -runs 4000
var runs = flag.Int("runs", 500, "simulated studies per cell of the simulations")

// A noise draws the ln-ratios of n blocks of two versions that do not differ.
// Block sd is about 1 %. Each draws both sides where the sides are not normal:
// D is a difference, and under a random order symmetric when nothing differs.
type noise struct {
	name string
	draw func(rng *rand.Rand, n int) []float64
}

// each draws independent blocks.
func each(f func(rng *rand.Rand) float64) func(*rand.Rand, int) []float64 {
	return func(rng *rand.Rand, n int) []float64 {
		d := make([]float64, n)
		for i := range d {
			d[i] = 0.01 * f(rng)
		}
		return d
	}
}

// sides draws blocks as the difference of two sides.
func sides(f func(rng *rand.Rand) float64) func(*rand.Rand, int) []float64 {
	return each(func(rng *rand.Rand) float64 { return f(rng) - f(rng) })
}

var (
	normal = noise{"normal", each((*rand.Rand).NormFloat64)}
	t3     = noise{"t3", each(func(rng *rand.Rand) float64 {
		var chi float64
		for range 3 {
			chi += math.Pow(rng.NormFloat64(), 2)
		}
		return rng.NormFloat64() / math.Sqrt(chi) // sd 1: sqrt(3) sd of t3
	})}
	spikes = noise{"spikes", each(func(rng *rand.Rand) float64 {
		x := rng.NormFloat64()
		if rng.Float64() < 0.1 {
			x += (5 + 10*rng.Float64()) * sign(rng)
		}
		return x
	})}
	// A process lands in a slow mode with probability p, and then takes a
	// whole level more; everything else is a tenth of that.
	twoLevel = func(p float64) func(*rand.Rand, int) []float64 {
		return sides(func(rng *rand.Rand) float64 {
			x := 0.1 * rng.NormFloat64()
			if rng.Float64() < p {
				x++
			}
			return x
		})
	}
	skewed = noise{"skewed", sides(func(rng *rand.Rand) float64 { return rng.ExpFloat64() / math.Sqrt2 })}
)

func sign(rng *rand.Rand) float64 {
	if rng.Uint64()&1 == 0 {
		return -1
	}
	return 1
}

// drift is an AR(1) .95 series over the trials, 5 % wide, under 0.7 % of noise
// a trial; the order inside a block is a coin.
func drift(rng *rand.Rand, n int) []float64 {
	d := make([]float64, n)
	level := 0.05 * rng.NormFloat64()
	trial := func() float64 {
		level = 0.95*level + 0.05*math.Sqrt(1-0.95*0.95)*rng.NormFloat64()
		return level + 0.007*rng.NormFloat64()
	}
	for i := range d {
		first, second := trial(), trial()
		d[i] = (second - first) * sign(rng)
	}
	return d
}

// regimes switches between calm (0.3 %) and noisy (3 %) about every 20 blocks.
func regimes(rng *rand.Rand, n int) []float64 {
	d := make([]float64, n)
	sd := 0.003
	for i := range d {
		if rng.Float64() < 0.05 {
			sd = 0.033 - sd
		}
		d[i] = sd * rng.NormFloat64()
	}
	return d
}

// position makes whatever runs second slower by penalty: under a random order
// D is two-level, +-penalty, which is the hardest noise there is for e_t. Five
// blocks of one sign would look like a certain effect, were e_t not capped.
func position(penalty float64) func(*rand.Rand, int) []float64 {
	return each(func(rng *rand.Rand) float64 {
		return penalty*sign(rng) + rng.NormFloat64()
	})
}

var noises = []noise{
	normal, t3, spikes, skewed,
	{"two-level .1", twoLevel(0.1)},
	{"two-level .3", twoLevel(0.3)},
	{"two-level .5", twoLevel(0.5)},
	{"drift", drift},
	{"regimes", regimes},
	{"position 1 %", position(1)},
	{"position 5 %", position(5)},
}

// simulate calls f once per run, on two workers, with a generator that depends
// on the seed and the run alone; results come in the order of the runs.
func simulate[T any](seed uint64, runs int, f func(rng *rand.Rand) T) []T {
	const workers = 2
	out := make([]T, runs)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < runs; i += workers {
				out[i] = f(rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
	wg.Wait()
	return out
}

// share is the part of runs in which f holds.
func share(seed uint64, runs int, f func(rng *rand.Rand) bool) float64 {
	n := 0
	for _, yes := range simulate(seed, runs, f) {
		if yes {
			n++
		}
	}
	return float64(n) / float64(runs)
}

// atMost is p plus three standard errors of a share of runs.
func atMost(p float64, runs int) float64 {
	return p + 3*math.Sqrt(p*(1-p)/float64(runs))
}

func shifted(d []float64, by float64) []float64 {
	for i := range d {
		d[i] += by
	}
	return d
}

// resolution is that of a time printed with four digits or so.
const resolution = 1e-5

// TestSimulatedTypeI: looking after every block from the first allowed to 300, no
// noise makes more than alpha of studies of equal versions claim a difference.
func TestSimulatedTypeI(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.05} {
		var sum float64
		for _, nz := range noises {
			got := share(1, *runs, func(rng *rand.Rand) bool {
				_, top := EAt(nz.draw(rng, 300), 0, resolution, MinBlocks(alpha))
				return top >= 1/alpha
			})
			sum += got
			t.Logf("alpha %g: %-14s %.2f %%", alpha, nz.name, 100*got)
			if want := atMost(alpha, *runs); got > want {
				t.Errorf("alpha %g: %s: %.2f %% false, want at most %.2f %%", alpha, nz.name, 100*got, 100*want)
			}
		}
		if got := sum / float64(len(noises)); got > alpha {
			t.Errorf("alpha %g: all together: %.2f %% false", alpha, 100*got)
		}
	}
}

// TestSimulatedMinBlocks: a position penalty of ten block sds does within 100
// blocks what two-level noise does, whose errors one can count: 1.05 % at .01
// (2.1 % without the cap), of which starting at block 10 leaves .88 %, and 4.0 % at
// .05 from block 6 on (5.4 % without).
func TestSimulatedMinBlocks(t *testing.T) {
	n := 8 * (*runs)
	for _, c := range []struct {
		alpha float64
		from  int
		want  float64
	}{{0.01, 5, 0.0105}, {0.01, MinBlocks(0.01), 0.0088}, {0.05, MinBlocks(0.05), 0.0397}} {
		got := share(2, n, func(rng *rand.Rand) bool {
			_, top := EAt(position(10)(rng, 100), 0, resolution, c.from)
			return top >= 1/c.alpha
		})
		t.Logf("alpha %g from block %d: %.2f %%", c.alpha, c.from, 100*got)
		if off := atMost(c.want, n) - c.want; math.Abs(got-c.want) > off {
			t.Errorf("alpha %g from block %d: %.2f %% false, want %.2f %%", c.alpha, c.from, 100*got, 100*c.want)
		}
	}
}

// TestSimulatedCoverage: the interval after 100 blocks, which is the
// intersection of all from block 10 on, holds the effect 99 times in 100.
func TestSimulatedCoverage(t *testing.T) {
	effect := math.Log1p(0.02)
	for _, nz := range noises {
		missed := share(3, *runs, func(rng *rand.Rand) bool {
			d := shifted(nz.draw(rng, 100), effect)
			lo, hi, ok := Interval(d, resolution, 100, 10)
			return !ok || effect < lo || hi < effect
		})
		t.Logf("%-14s covered %.2f %%", nz.name, 100*(1-missed))
		if missed > atMost(0.01, *runs) {
			t.Errorf("%s: missed %.2f %%, want at most 1 %%", nz.name, 100*missed)
		}
	}
}

// TestSimulatedT: e_t alone, at every n from 2 on, under the normal noise for
// which it is exact. Methodology: covers at least 99.1 %.
func TestSimulatedT(t *testing.T) {
	missed := share(4, 4*(*runs), func(rng *rand.Rand) bool {
		g := newEngine(normal.draw(rng, 300), 0)
		defer g.free()
		return slices.ContainsFunc(g.step[1:], func(s step) bool { return s.lnT(0) >= math.Log(100) })
	})
	if missed > 0.01 {
		t.Errorf("missed %.2f %%, want at most 0.9 %%", 100*missed)
	}
}

// A list is how one simulated list of cells ended.
type list struct{ false, found float64 } // shares: of the claims, of the real effects

// runList runs 100 cells, some of them with an effect of 3 %, as the lab does: up
// to 40 blocks; k* is recomputed after every block over all cells; a cell leaves
// when it is the same or when its e-value is enough for a claim, and keeps the
// e-value at which it left.
func runList(rng *rand.Rand, nz noise, effects int) (l list) {
	const cells, blocks, q = 100, 40, 0.05
	// A claim that no e-value reaches leaves "same" as the only way out.
	same := Goal{
		Floor: resolution, Threshold: 100, Claim: math.Inf(1), Margin: math.Log1p(0.01), From: 10,
	}
	var course [cells][]float64 // e_k(0) of a cell for as long as it may run
	for i := range course {
		d := nz.draw(rng, blocks)
		if i < effects {
			shifted(d, math.Log1p(0.03))
		}
		if k := same.Decided(d); k > 0 {
			d = d[:k]
		}
		course[i] = EValues(d, 0, resolution)
	}
	e, left, k := make([]float64, cells), [cells]bool{}, 0
	for block := same.From; block <= blocks; block++ {
		for i, c := range course {
			if !left[i] && block <= len(c) {
				e[i] = c[block-1]
			}
		}
		k = EBH(e, cells, q)
		for i := range left {
			left[i] = left[i] || k > 0 && e[i] >= max(1/0.01, cells/(q*float64(k)))
		}
	}
	for i, v := range e {
		switch {
		case k == 0 || v < cells/(q*float64(k)):
		case i < effects:
			l.found += 1 / float64(effects)
		default:
			l.false += 1 / float64(k)
		}
	}
	return l
}

// fdr is the mean of the false shares, its standard error, and the mean of the
// found shares.
func fdr(nz noise, effects, runs int) (rate, se, power float64) {
	lists := simulate(5, runs, func(rng *rand.Rand) list { return runList(rng, nz, effects) })
	shares := make([]float64, runs)
	for i, l := range lists {
		shares[i] = l.false
		power += l.found / float64(runs)
	}
	return Mean(shares), math.Sqrt(Variance(shares) / float64(runs)), power
}

// TestSimulatedFDR: of the cells that e-BH claims, at most 5 % are false on
// average, though every cell stops on its own data.
func TestSimulatedFDR(t *testing.T) {
	for _, nz := range noises[:len(noises)-1] {
		rate, _, power := fdr(nz, 10, max(20, *runs/25))
		t.Logf("%-14s FDR %.3f, found %.0f %%", nz.name, rate, 100*power)
		if rate > 0.05 {
			t.Errorf("%s: false discovery rate %.3f, want at most .05", nz.name, rate)
		}
		if nz.name == "normal" && power < 0.9 {
			t.Errorf("%s: found %.0f %% of the real effects, want nine in ten", nz.name, 100*power)
		}
	}
}

// TestSimulatedFDRLimit: under a position penalty of five block sds the cap keeps
// e-BH over 100 cells, 10 of them real, within its rate (.09 without it). With none
// real it does not, and the known .08 (.22 without it) is held in place here, so
// that nobody forgets it.
func TestSimulatedFDRLimit(t *testing.T) {
	worst := noises[len(noises)-1]
	for _, c := range []struct {
		effects int
		want    float64
	}{{10, 0.05}, {0, 0.08}} {
		rate, se, _ := fdr(worst, c.effects, *runs)
		t.Logf("%s, %d effects: FDR %.3f, standard error %.3f", worst.name, c.effects, rate, se)
		if rate > c.want+3*se {
			t.Errorf("%s, %d effects: false discovery rate %.3f, want at most %g", worst.name, c.effects, rate, c.want)
		}
	}
}

// TestSimulatedBlocksToVerdict is the table of methodology, section 3, column
// "combined": block sd 1 %, alpha .01, margin 1 %, from block 10 to 100.
func TestSimulatedBlocksToVerdict(t *testing.T) {
	goal := Goal{Floor: resolution, Threshold: 100, Margin: math.Log1p(0.01), From: 10}
	for _, row := range []struct {
		noise           noise
		effect          float64
		median, decided float64
	}{
		{normal, 0, 23, 1}, {normal, 0.01, 19, 1}, {normal, 0.02, 10, 1}, {normal, 0.05, 10, 1},
		{t3, 0, 18, 1}, {t3, 0.01, 15, 1}, {t3, 0.02, 10, 1}, {t3, 0.05, 10, 1},
		// Methodology has .93 at effect 0; 4000 runs here give .885.
		{spikes, 0, 61, 0.885}, {spikes, 0.01, 46, 0.94}, {spikes, 0.02, 22, 1}, {spikes, 0.05, 10, 1},
	} {
		blocks := simulate(6, *runs, func(rng *rand.Rand) float64 {
			d := shifted(row.noise.draw(rng, 100), math.Log1p(row.effect))
			if k := goal.Decided(d); k > 0 {
				return float64(k)
			}
			return math.Inf(1)
		})
		slices.Sort(blocks)
		late, _ := slices.BinarySearch(blocks, 101)
		median, decided := middle(blocks), float64(late)/float64(len(blocks))
		t.Logf("%-7s %.0f %%: median %2.0f, decided %.1f %%", row.noise.name, 100*row.effect, median, 100*decided)
		if math.Abs(median-row.median) > max(1, 0.15*row.median) {
			t.Errorf("%s, effect %g: median %g blocks, want %g", row.noise.name, row.effect, median, row.median)
		}
		if math.Abs(decided-row.decided) > 0.05 {
			t.Errorf("%s, effect %g: decided %.2f, want %g", row.noise.name, row.effect, decided, row.decided)
		}
	}
}

// TestSimulatedFalseDifferent: among verdicts at effect 0 within 100 blocks, at
// most 1 % are "different" in every row (methodology: 0.5 %).
func TestSimulatedFalseDifferent(t *testing.T) {
	for _, nz := range []noise{normal, t3, spikes} {
		got := share(7, 2*(*runs), func(rng *rand.Rand) bool {
			lo, hi, ok := Interval(nz.draw(rng, 100), resolution, 100, 10)
			return !ok || lo > 0 || hi < 0
		})
		t.Logf("%-7s %.2f %%", nz.name, 100*got)
		if got > 0.01 {
			t.Errorf("%s: %.2f %% false, want at most 0.5 %%", nz.name, 100*got)
		}
	}
}

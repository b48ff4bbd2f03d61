package stats

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
)

// The simulations reproduce the figures of docs/methodology.md, section 3. They
// are seeded; more runs sharpen them:
//
//	go test ./internal/stats -run Simulated -v -runs 4000
var runs = flag.Int("runs", 125, "simulated studies per cell of the simulations")

// manyRuns are those of make test-slow.
const manyRuns = 500

func TestSlowSimulations(t *testing.T) {
	slow.Test(t)
	for name, check := range map[string]func(t *testing.T, runs int){
		"type I": checkTypeI, "outside": checkOutside, "coverage": checkCoverage, "blocks to verdict": checkBlocksToVerdict,
		"drift": checkDrift, "centre": checkCentre,
	} {
		t.Run(name, func(t *testing.T) { check(t, manyRuns) })
	}
}

// A noise draws the three sides of n blocks of versions that do not differ: the
// variant, the base and the control. A side scatters by about 0.7 %, an ln ratio of
// two by 1 %.
type noise struct {
	name string
	draw func(rng *rand.Rand, n int) Series
}

// sideSD makes an ln ratio of two normal sides scatter by 1 %.
var sideSD = 0.01 / math.Sqrt2

// sides draws each side of each block by itself.
func sides(f func(rng *rand.Rand) float64) func(*rand.Rand, int) Series {
	return blocksOf(func(rng *rand.Rand) (v, b, c float64) { return f(rng), f(rng), f(rng) })
}

// blocksOf draws whole blocks, in units of sideSD.
func blocksOf(f func(rng *rand.Rand) (v, b, c float64)) func(*rand.Rand, int) Series {
	return func(rng *rand.Rand, n int) Series {
		s := Series{D: make([]float64, n), Control: make([]float64, n), Floor: resolution}
		for i := range n {
			v, b, c := f(rng)
			s.D[i], s.Control[i] = sideSD*(v-b), sideSD*(c-b)
		}
		return s
	}
}

// resolution is that of a time printed with four digits or so.
const resolution = 1e-5

func drawT3(rng *rand.Rand) float64 {
	var chi float64
	for range 3 {
		chi += math.Pow(rng.NormFloat64(), 2)
	}
	return rng.NormFloat64() / math.Sqrt(chi) // sd 1: sqrt(3) sd of t3
}

func drawSpikes(rng *rand.Rand) float64 {
	x := rng.NormFloat64()
	if rng.Float64() < 0.05 {
		x += 5 + 10*rng.Float64()
	}
	return x
}

// level puts a side into a slow mode with probability p, which takes two units more;
// all else is a hundredth of that.
func level(p float64) func(rng *rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		x := 0.02 * rng.NormFloat64()
		if rng.Float64() < p {
			x += 2
		}
		return x
	}
}

// wide is normal noise whose variant scatters by a factor more than the base.
func wide(factor float64) func(*rand.Rand, int) Series {
	return blocksOf(func(rng *rand.Rand) (v, b, c float64) {
		return factor * rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
	})
}

// position makes whatever runs first slower by a penalty.
func position(penalty float64) func(*rand.Rand, int) Series {
	return blocksOf(func(rng *rand.Rand) (v, b, c float64) {
		x := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		x[rng.IntN(3)] += penalty
		return x[0], x[1], x[2]
	})
}

// drift is an AR(1) .98 series over the trials, five times as wide as a side; the
// order inside a block is random.
func drift(rng *rand.Rand, n int) Series {
	at := 5 * rng.NormFloat64()
	return blocksOf(func(rng *rand.Rand) (v, b, c float64) {
		var x [3]float64
		for _, i := range rng.Perm(3) {
			at = 0.98*at + 5*math.Sqrt(1-0.98*0.98)*rng.NormFloat64()
			x[i] = at + rng.NormFloat64()
		}
		return x[0], x[1], x[2]
	})(rng, n)
}

// regimes switches between calm and ten times as noisy about every 20 blocks.
func regimes(rng *rand.Rand, n int) Series {
	sd := 0.3
	return blocksOf(func(rng *rand.Rand) (v, b, c float64) {
		if rng.Float64() < 0.05 {
			sd = 3.3 - sd
		}
		return sd * rng.NormFloat64(), sd * rng.NormFloat64(), sd * rng.NormFloat64()
	})(rng, n)
}

// layouts are binaries of which each link is drawn from two levels, a lottery that
// all three sides take part in.
func layouts(rng *rand.Rand, n int) Series {
	return sides(func(rng *rand.Rand) float64 { return float64(rng.IntN(2)) + 0.3*rng.NormFloat64() })(rng, n)
}

var (
	normal = noise{"normal", sides((*rand.Rand).NormFloat64)}
	t3     = noise{"t3", sides(drawT3)}
	spikes = noise{"spikes", sides(drawSpikes)}
)

var noises = []noise{
	normal, t3, spikes,
	{"skewed", sides((*rand.Rand).ExpFloat64)},
	{"two-level .1", sides(level(0.1))},
	{"two-level .3", sides(level(0.3))},
	{"two-level .5", sides(level(0.5))},
	{"layouts", layouts},
	{"drift", drift},
	{"regimes", regimes},
	{"variant 1.5 x", wide(1.5)},
	{"variant 2 x", wide(2)},
	{"variant 0.5 x", wide(0.5)},
	{"position 1 sd", position(1)},
	{"position 5 sd", position(5)},
}

// alone is the same comparison without its control.
func (s Series) alone() Series { s.Control = nil; return s }

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

func shifted(s Series, by float64) Series {
	for i := range s.D {
		s.D[i] += by
	}
	return s
}

// TestSimulatedTypeI: looking after every block up to 150, no noise makes more than
// alpha of studies of equal versions claim a difference; with the control or
// without it.
func TestSimulatedTypeI(t *testing.T) { checkTypeI(t, *runs) }

func checkTypeI(t *testing.T, runs int) {
	for _, alpha := range []float64{0.01, 0.05} {
		for _, nz := range noises {
			for _, control := range []bool{true, false} {
				got := share(1, runs, func(rng *rand.Rand) bool {
					s := nz.draw(rng, 150)
					if !control {
						s = s.alone()
					}
					_, top := s.EAt(0)
					return top >= 1/alpha
				})
				t.Logf("alpha %g: %-14s control %-5t %.2f %%", alpha, nz.name, control, 100*got)
				if want := atMost(alpha, runs); got > want {
					t.Errorf("alpha %g: %s, control %t: %.2f %% false, want at most %.2f %%", alpha, nz.name, control, 100*got, 100*want)
				}
			}
		}
	}
}

// outside are kinds of noise that are neither exchangeable nor symmetric, or that remember.
// The documentation names them, with what they do. Each has the share of false verdicts that
// it may have at 99 % and at 95 %, with the control.
var outside = []struct {
	noise
	most [2]float64
}{
	{noise{"skewed, variant 1.5 x", unequal((*rand.Rand).ExpFloat64, 1, 1.5)}, [2]float64{0.03, 0.08}},
	{noise{"skewed, variant 2 x", unequal((*rand.Rand).ExpFloat64, 1, 2)}, [2]float64{0.05, 0.14}},
	{noise{"two-level .1, variant 2 x", unequal(level(0.1), 0, 2)}, [2]float64{0.04, 0.12}},
	{noise{"variant remembers .3", remembers(0.3)}, [2]float64{0.04, 0.11}},
	{noise{"variant remembers .7", remembers(0.7)}, [2]float64{0.30, 0.45}},
}

// unequal makes the variant scatter by a factor more than the base around the same mean.
func unequal(f func(*rand.Rand) float64, mean, factor float64) func(*rand.Rand, int) Series {
	return blocksOf(func(rng *rand.Rand) (v, b, c float64) { return factor * (f(rng) - mean), f(rng) - mean, f(rng) - mean })
}

// remembers gives the variant a level of its own, an AR(1) series over the blocks that is as
// wide as a side.
func remembers(keeps float64) func(*rand.Rand, int) Series {
	return func(rng *rand.Rand, n int) Series {
		at := rng.NormFloat64()
		return blocksOf(func(rng *rand.Rand) (v, b, c float64) {
			at = keeps*at + math.Sqrt(1-keeps*keeps)*rng.NormFloat64()
			return at + rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		})(rng, n)
	}
}

func TestSimulatedOutside(t *testing.T) { checkOutside(t, *runs) }

func checkOutside(t *testing.T, runs int) {
	for _, o := range outside {
		for i, alpha := range []float64{0.01, 0.05} {
			var got [2]float64
			for j, control := range []bool{true, false} {
				got[j] = share(8, runs, func(rng *rand.Rand) bool {
					s := o.draw(rng, 60)
					if !control {
						s = s.alone()
					}
					_, top := s.EAt(0)
					return top >= 1/alpha
				})
			}
			t.Logf("alpha %g: %-25s %.1f %% false, without a control %.1f %%", alpha, o.name, 100*got[0], 100*got[1])
			if want := atMost(o.most[i], runs); got[0] > want {
				t.Errorf("alpha %g: %s: %.2f %% false, want at most %.2f %%", alpha, o.name, 100*got[0], 100*want)
			}
		}
	}
}

// TestSimulatedCoverage: the interval after 100 blocks, which is the
// intersection of all before, holds the effect 99 times in 100.
func TestSimulatedCoverage(t *testing.T) { checkCoverage(t, *runs) }

func checkCoverage(t *testing.T, runs int) {
	effect := math.Log1p(0.02)
	for _, nz := range noises {
		missed := share(3, runs, func(rng *rand.Rand) bool {
			lo, hi, ok := shifted(nz.draw(rng, 100), effect).Interval(100)
			return !ok || effect < lo || hi < effect
		})
		t.Logf("%-14s covered %.2f %%", nz.name, 100*(1-missed))
		if missed > atMost(0.01, runs) {
			t.Errorf("%s: missed %.2f %%, want at most 1 %%", nz.name, 100*missed)
		}
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
	var course [cells][]float64 // e_k(0) of a cell for as long as it may run
	for i := range course {
		s := nz.draw(rng, blocks)
		if i < effects {
			shifted(s, math.Log1p(0.03))
		}
		e := newEngine(s)
		if k := (goal{100, math.Log1p(0.01)}).same(e, 1, 0); k > 0 {
			s = s.First(k)
		}
		e.free()
		course[i] = eValues(s, 0)
	}
	e, left, k := make([]float64, cells), [cells]bool{}, 0
	for block := 1; block <= blocks; block++ {
		for i, c := range course {
			if !left[i] && block <= len(c) {
				e[i] = c[block-1]
			}
		}
		k = EBH(e, q)
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
// average, though every cell stops on its own data; also where nothing is real, and
// under a penalty of five sds for whatever runs first.
func TestSimulatedFDR(t *testing.T) {
	// The others rarely tell more: make test-slow has them.
	testFDR(t, max(8, *runs/25), func(name string) bool { return slices.Contains([]string{"normal", "spikes", "position 5 sd"}, name) })
}

func TestSlowSimulatedFDR(t *testing.T) {
	slow.Test(t)
	testFDR(t, manyRuns/25, func(string) bool { return true })
}

func testFDR(t *testing.T, lists int, of func(noise string) bool) {
	for _, nz := range noises {
		if !of(nz.name) {
			continue
		}
		for _, effects := range []int{10, 0} {
			rate, se, power := fdr(nz, effects, lists)
			t.Logf("%-14s %2d effects: FDR %.3f, found %.0f %%", nz.name, effects, rate, 100*power)
			if rate > 0.05+3*se {
				t.Errorf("%s, %d effects: false discovery rate %.3f, want at most .05", nz.name, effects, rate)
			}
			if nz.name == "normal" && effects > 0 && power < 0.9 {
				t.Errorf("%s: found %.0f %% of the real effects, want nine in ten", nz.name, 100*power)
			}
		}
	}
}

// TestSimulatedBlocksToVerdict is the table of methodology, section 3: an ln ratio
// that scatters by 1 %, alpha .01, margin 1 %, at most 150 blocks.
func TestSimulatedBlocksToVerdict(t *testing.T) { checkBlocksToVerdict(t, *runs) }

func checkBlocksToVerdict(t *testing.T, runs int) {
	margin := goal{100, math.Log1p(0.01)}
	for _, row := range []struct {
		noise  noise
		effect float64
		median float64
	}{
		{normal, 0, 20}, {normal, 0.01, 15}, {normal, 0.02, 10}, {normal, 0.03, 7}, {normal, 0.05, 6}, {normal, 0.1, 6},
		{t3, 0, 15}, {t3, 0.01, 12}, {t3, 0.02, 9}, {t3, 0.03, 7}, {t3, 0.05, 6}, {t3, 0.1, 5},
		{spikes, 0, 29}, {spikes, 0.01, 18}, {spikes, 0.02, 11}, {spikes, 0.03, 9}, {spikes, 0.05, 8}, {spikes, 0.1, 6},
	} {
		blocks := simulate(6, runs, func(rng *rand.Rand) float64 {
			if k := margin.decided(shifted(row.noise.draw(rng, 150), math.Log1p(row.effect)), 1); k > 0 {
				return float64(k)
			}
			return math.Inf(1)
		})
		slices.Sort(blocks)
		late, _ := slices.BinarySearch(blocks, 151)
		median, decided := medianSorted(blocks), float64(late)/float64(len(blocks))
		t.Logf("%-7s %.0f %%: median %2.0f, decided %.1f %%", row.noise.name, 100*row.effect, median, 100*decided)
		if math.Abs(median-row.median) > max(1, 0.15*row.median) {
			t.Errorf("%s, effect %g: median %g blocks, want %g", row.noise.name, row.effect, median, row.median)
		}
		if decided < 0.99 {
			t.Errorf("%s, effect %g: decided %.2f, want all", row.noise.name, row.effect, decided)
		}
	}
}

package stats

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
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

// A course is how a run of one comparison goes: the numbers of blocks at its looks. The
// first is at the end of the budget, the others at the ends of what --more adds.
type course []int

// drawCourse draws a budget for 6 to 60 blocks, and two additions.
func drawCourse(rng *rand.Rand) course {
	n := []int{6, 10, 15, 16, 20, 30, 60}[rng.IntN(7)]
	return course{n, n + 1 + rng.IntN(n), 2*n + 1 + rng.IntN(n/2)}
}

// evidence is what a run has against mu: the e-process's share of it at any block, and that
// of all looks. Below FirstBlocks there is no look.
func (c course) evidence(s Series, mu, alpha float64) (early, looks float64) {
	_, top := s.First(c[len(c)-1]).EAt(mu)
	for k, n := range c {
		if n >= FirstBlocks(alpha, s.Control != nil) {
			looks = max(looks, LookShare(k+1)/s.First(n).FixedP(mu, mu))
		}
	}
	return EarlyShare * top, looks
}

// TestSimulatedTypeI: with early stops at any block, a look at the end of the budget and
// looks at the ends of two additions, no noise makes more than alpha of studies of equal
// versions claim a difference; with the control or without it.
func TestSimulatedTypeI(t *testing.T) { checkTypeI(t, *runs) }

func checkTypeI(t *testing.T, runs int) {
	for _, alpha := range []float64{0.01, 0.05} {
		for _, nz := range noises {
			for _, control := range []bool{true, false} {
				got, early := falseClaims(nz, alpha, control, runs)
				t.Logf("alpha %g: %-14s control %-5t %.2f %%, early %.2f %%", alpha, nz.name, control, 100*got, 100*early)
				if want := atMost(alpha, runs); got > want {
					t.Errorf("alpha %g: %s, control %t: %.2f %% false, want at most %.2f %%", alpha, nz.name, control, 100*got, 100*want)
				}
			}
		}
	}
}

// falseClaims is the share of runs that claim a difference, and that of those which the
// e-process claims.
func falseClaims(nz noise, alpha float64, control bool, runs int) (all, early float64) {
	type claimed struct{ all, early bool }
	for _, c := range simulate(1, runs, func(rng *rand.Rand) claimed {
		s, course := nz.draw(rng, 150), drawCourse(rng)
		if !control {
			s = s.alone()
		}
		e, look := course.evidence(s, 0, alpha)
		return claimed{max(e, look) >= 1/alpha, e >= 1/alpha}
	}) {
		if c.all {
			all += 1 / float64(runs)
		}
		if c.early {
			early += 1 / float64(runs)
		}
	}
	return all, early
}

// TestHalfWidthOverStudents logs what the split costs: half-widths at the end of a budget over
// those of Student's test of the same values.
func TestHalfWidthOverStudents(t *testing.T) {
	for _, nz := range []noise{normal, t3, spikes} {
		for _, n := range []int{8, 16, 30, 60} {
			ratios := simulate(9, *runs, func(rng *rand.Rand) float64 {
				s := nz.draw(rng, n)
				lo, hi, _ := s.Interval(100 / EarlyShare)
				l, h := s.Fixed(0.01 * LookShare(1))
				return (min(h, hi) - max(l, lo)) / 2 / StudentHalfWidth(s.D, 0.99)
			})
			got := Median(ratios)
			t.Logf("%-7s n %2d: %.3f of Student's", nz.name, n, got)
			if nz.name == "normal" && (got < 1 || got > 1.12) {
				t.Errorf("n %d: %.3f of Student's, want 1.02 to 1.1", n, got)
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
				got[j], _ = falseClaims(o.noise, alpha, control, runs)
			}
			t.Logf("alpha %g: %-25s %.1f %% false, without a control %.1f %%", alpha, o.name, 100*got[0], 100*got[1])
			if want := atMost(o.most[i], runs); got[0] > want {
				t.Errorf("alpha %g: %s: %.2f %% false, want at most %.2f %%", alpha, o.name, 100*got[0], 100*want)
			}
		}
	}
}

// TestSimulatedCoverage: what the confidence sequence and three looks leave holds the effect
// 99 times in 100.
func TestSimulatedCoverage(t *testing.T) { checkCoverage(t, *runs) }

func checkCoverage(t *testing.T, runs int) {
	effect := math.Log1p(0.02)
	for _, nz := range noises {
		missed := share(4, runs, func(rng *rand.Rand) bool {
			early, looks := drawCourse(rng).evidence(shifted(nz.draw(rng, 150), effect), effect, 0.01)
			return max(early, looks) >= 100
		})
		t.Logf("%-14s covered %.2f %%", nz.name, 100*(1-missed))
		if missed > atMost(0.01, runs) {
			t.Errorf("%s: missed %.2f %%, want at most 1 %%", nz.name, 100*missed)
		}
	}
}

// A list is how one simulated list of cells ended.
type list struct{ false, found float64 } // shares: of the claims, of the real effects

// beside says what the cells of a list have in common.
type beside string

const (
	apart    beside = "independent"
	together beside = "a block's noise" // as much as a cell's own, the same in all cells
	oneBase  beside = "one base"        // all are variants against the same base
)

// drawList draws the series of cells.
func drawList(rng *rand.Rand, nz noise, with beside, cells, blocks int) []Series {
	common := nz.draw(rng, blocks)
	out := make([]Series, cells)
	for i := range out {
		s := nz.draw(rng, blocks)
		switch with {
		case together:
			for k := range s.D {
				s.D[k], s.Control[k] = s.D[k]+common.D[k], s.Control[k]+common.Control[k]
			}
		case oneBase: // D = v - b: a variant of its own, and a base of all
			for k := range s.D {
				s.D[k], s.Control[k] = s.Control[k]-common.D[k], common.Control[k]-common.D[k]
			}
		}
		out[i] = s
	}
	return out
}

// runList runs cells, some of them with an effect of 2 %, as the lab does: up to a budget of
// some blocks; k* is recomputed after every block over all cells; a cell leaves when it is the
// same or when its evidence is enough for a claim, and keeps that. Those that are left have
// a look.
func runList(rng *rand.Rand, nz noise, with beside, cells, effects, blocks int) (l list) {
	const q = 0.05
	e, left, k := make([]float64, cells), make([]bool, cells), 0
	all := drawList(rng, nz, with, cells, blocks)
	courses := make([][]float64, cells) // e_k(0) of a cell for as long as it may run
	for i, s := range all {
		if i < effects {
			shifted(s, math.Log1p(0.02))
		}
		if k := sameAt(s, 100/EarlyShare, math.Log1p(0.01)); k > 0 {
			s = s.First(k)
		}
		courses[i] = eValues(s, 0)
	}
	for block := 1; block <= blocks; block++ {
		for i, c := range courses {
			if !left[i] && block <= len(c) {
				e[i] = EarlyShare * c[block-1]
			}
			if block == blocks && !left[i] && len(c) == blocks {
				e[i] = max(e[i], LookShare(1)/all[i].FixedP(0, 0))
			}
		}
		k = EBH(e, q)
		for i := range left {
			left[i] = left[i] || k > 0 && e[i] >= max(1/0.01, float64(cells)/(q*float64(k)))
		}
	}
	for i, v := range e {
		switch {
		case k == 0 || v < float64(cells)/(q*float64(k)):
		case i < effects:
			l.found += 1 / float64(effects)
		default:
			l.false += 1 / float64(k)
		}
	}
	return l
}

// sameAt returns the first block after which the interval lies inside the margin, 0 for none.
func sameAt(s Series, threshold, margin float64) int {
	e := newEngine(s)
	defer e.free()
	first := 1
	for _, mu := range [...]float64{-margin, margin} { // two passes reject both ends
		w := e.walk(mu, 1, threshold)
		if w.top < threshold {
			return 0
		}
		first = max(first, w.n)
	}
	inside := func(n int) bool {
		lo, hi, ok := s.First(n).Interval(threshold)
		return !ok || -margin <= lo && hi <= margin
	}
	if inside(first) { // nearly always, if at all
		return first
	}
	if !inside(len(s.D)) {
		return 0
	}
	return first + sort.Search(len(s.D)-first, func(i int) bool { return inside(first + i) })
}

// fdr is the mean of the false shares, its standard error, and the mean of the
// found shares.
func fdr(nz noise, with beside, cells, effects, runs int) (rate, se, power float64) {
	lists := simulate(5, runs, func(rng *rand.Rand) list { return runList(rng, nz, with, cells, effects, 30) })
	shares := make([]float64, runs)
	for i, l := range lists {
		shares[i] = l.false
		power += l.found / float64(runs)
	}
	return Mean(shares), math.Sqrt(Variance(shares) / float64(runs)), power
}

// TestSimulatedFDR: of the claims in a list, at most 5 % are false on average, though every
// cell stops on its own data and those that are left have a look; also where nothing is real,
// where cells share noise, and under a penalty of five sds for whatever runs first.
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
		for _, with := range []beside{apart, together, oneBase} {
			for _, cells := range []int{2, 29, 100} {
				for _, effects := range []int{0, (cells + 9) / 10} {
					n := lists * 100 / (cells + 20) // as long for each
					rate, se, power := fdr(nz, with, cells, effects, n)
					t.Logf("%-14s %-15s %3d cells, %2d effects: FDR %.3f ± %.3f, found %.0f %%", nz.name, with, cells, effects, rate, se, 100*power)
					if rate > 0.05+3*max(se, 0.05/math.Sqrt(float64(n))) {
						t.Errorf("%s, %s, %d cells, %d effects: false discovery rate %.3f, want at most .05", nz.name, with, cells, effects, rate)
					}
				}
			}
		}
	}
}

// TestSimulatedBlocksToVerdict is the table of methodology, section 3: an ln ratio
// that scatters by 1 %, alpha .01, margin 1 %, at most 150 blocks, and the e-process alone.
func TestSimulatedBlocksToVerdict(t *testing.T) { checkBlocksToVerdict(t, *runs) }

func checkBlocksToVerdict(t *testing.T, runs int) {
	for _, row := range []struct {
		noise  noise
		effect float64
		median float64
	}{
		{normal, 0, 24}, {normal, 0.01, 20}, {normal, 0.02, 12}, {normal, 0.03, 9}, {normal, 0.05, 7}, {normal, 0.1, 6},
		{t3, 0, 17}, {t3, 0.01, 15}, {t3, 0.02, 10}, {t3, 0.03, 8}, {t3, 0.05, 6}, {t3, 0.1, 6},
		{spikes, 0, 33}, {spikes, 0.01, 23}, {spikes, 0.02, 14}, {spikes, 0.03, 12}, {spikes, 0.05, 10}, {spikes, 0.1, 7},
	} {
		const threshold = 100 / EarlyShare
		blocks := simulate(6, runs, func(rng *rand.Rand) float64 {
			s := shifted(row.noise.draw(rng, 150), math.Log1p(row.effect))
			e := newEngine(s)
			defer e.free()
			at := math.Inf(1)
			if w := e.walk(0, 1, threshold); w.top >= threshold {
				at = float64(w.n)
			}
			if k := sameAt(s, threshold, math.Log1p(0.01)); k > 0 {
				at = min(at, float64(k))
			}
			return at
		})
		slices.Sort(blocks)
		late, _ := slices.BinarySearch(blocks, 151)
		median, decided := medianSorted(blocks), float64(late)/float64(len(blocks))
		t.Logf("%-7s %.0f %%: median %2.0f, decided %.1f %%", row.noise.name, 100*row.effect, median, 100*decided)
		if math.Abs(median-row.median) > max(1, 0.15*row.median) {
			t.Errorf("%s, effect %g: median %g blocks, want %g", row.noise.name, row.effect, median, row.median)
		}
		if decided < 0.97 {
			t.Errorf("%s, effect %g: decided %.2f, want nearly all", row.noise.name, row.effect, decided)
		}
	}
}

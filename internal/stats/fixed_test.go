package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// The critical values of the signed-rank sum, two-sided at 5 and 1 %, as every table has
// them (Wilcoxon and Wilcox 1964): the largest W that rejects. R: qsignrank(a/2, n) - 1.
func TestRankQuantile(t *testing.T) {
	for _, c := range []struct{ n, at5, at1 int }{
		{6, 0, -1}, {8, 3, 0}, {10, 8, 3}, {12, 13, 7}, {16, 29, 19}, {20, 52, 37}, {25, 89, 68}, {30, 137, 109}, {40, 264, 220}, {50, 434, 373},
	} {
		if a, b := rankQuantile(c.n, 0.05)-1, rankQuantile(c.n, 0.01)-1; a != c.at5 || b != c.at1 {
			t.Errorf("n %d: W %d and %d, want %d and %d", c.n, a, b, c.at5, c.at1)
		}
	}
}

// R's example of wilcox.test, the depression scale of Hollander and Wolfe: V = 40 of 45,
// p = 0.01953 one-sided, so P(W <= 5) with 9 values. psignrank(88, 25) = 0.02361 in the
// table of Hollander and Wolfe (0.024).
func TestRankCDF(t *testing.T) {
	for _, c := range []struct {
		n, w int
		want float64
	}{{9, 5, 0.01953125}, {3, 0, 0.125}, {3, 2, 0.375}, {10, 8, 25.0 / 1024}} {
		if got := rankCDF(c.n, c.w); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("P(W <= %d), n %d: %.8f, want %.8f", c.w, c.n, got, c.want)
		}
	}
	// All 2^17 signs.
	const n = 17
	counts := make([]int, pairs(n)+1)
	for signs := range uint32(1 << n) {
		w := 0
		for rest := signs; rest != 0; rest &= rest - 1 {
			w += bits.TrailingZeros32(rest) + 1
		}
		counts[w]++
	}
	sum := 0
	for w := range pairs(n) / 2 {
		sum += counts[w]
		if got, want := rankCDF(n, w), float64(sum)/(1<<n); math.Abs(got-want) > 1e-12 {
			t.Errorf("P(W <= %d): %.12f, want %.12f", w, got, want)
		}
	}
	// The normal approximation begins where the exact distribution ends.
	exact := sumsOfRanks(ranksExact + 1)
	for _, p := range []float64{0.4, 0.05, 0.005, 0.0005} {
		w, _ := slices.BinarySearch(exact, p)
		if got := rankCDF(ranksExact+1, w) / exact[w]; got < 0.98 || got > 1.1 {
			t.Errorf("normal over exact at %g: %.3f", p, got)
		}
	}
}

// Order statistics by bisection are those of the sorted list.
func TestWalsh(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, round := range []float64{0, 1, 0.5} {
		for n := 1; n < 24; n++ {
			f := fixed{n: n}
			for range n {
				x := 3 * rng.NormFloat64()
				if round > 0 {
					x = math.Round(x/round) * round
				}
				f.sorted = append(f.sorted, x)
			}
			slices.Sort(f.sorted)
			var all []float64
			for i, x := range f.sorted {
				for _, y := range f.sorted[i:] {
					all = append(all, (x+y)/2)
				}
			}
			slices.Sort(all)
			for k, want := range all {
				if got := f.walsh(k + 1); got != want {
					t.Fatalf("n %d, k %d: %v, want %v of %v", n, k+1, got, want, f.sorted)
				}
			}
		}
	}
}

// Student's interval of 1..5: mean 3, sd sqrt(2.5), t(.975, 4) = 2.7764 (table): 3 ± 1.9632.
func TestFixedStudent(t *testing.T) {
	s := Series{D: []float64{1, 2, 3, 4, 5}}
	lo, hi := s.Fixed(0.05)
	if math.Abs(lo-1.0368) > 1e-4 || math.Abs(hi-4.9632) > 1e-4 {
		t.Errorf("got %.4f to %.4f, want 1.0368 to 4.9632", lo, hi)
	}
	// t = 3/(1.5811/sqrt(5)) = 4.2426, two-sided p with 4 degrees of freedom: 0.01324.
	if p := s.FixedP(0, 0); math.Abs(p-0.01324) > 1e-4 {
		t.Errorf("p = %.5f, want 0.01324", p)
	}
	if p := s.FixedP(-1, 3.5); p != 1 {
		t.Errorf("the mean lies inside, and p = %g", p)
	}
	// The control scatters more: half of its variance counts, 0.5 · 40 = 20 instead of 2.5.
	s.Control = []float64{4, 8, 12, 16, 20}
	if l, h := s.Fixed(0.05); math.Abs((h-l)/(hi-lo)-math.Sqrt(8)) > 1e-9 {
		t.Errorf("%.3f wide beside such a control, want %.3f", h-l, math.Sqrt(8)*(hi-lo))
	}
}

// 1..16 has Walsh averages in steps of 1/2; by W = 29 the 30th from either end: three of
// them are at most 2, 6 at most 2.5 is (1,1) (1,2) (1,3),(2,2) (1,4),(2,3): counts 1, 2, 4, 6,
// 9, 12, 16, 20, 25, 30, so that the 30th is 5.5, and 17 - 5.5 = 11.5.
func TestFixedRanks(t *testing.T) {
	var s Series
	for i := range 16 {
		s.D = append(s.D, float64(i+1))
	}
	if lo, hi := s.Fixed(0.05); lo != 5.5 || hi != 11.5 {
		t.Errorf("got %g to %g, want 5.5 to 11.5", lo, hi)
	}
	// All signs are equal: 2/2^16.
	if p := s.FixedP(0, 0); math.Abs(p-2.0/65536) > 1e-15 {
		t.Errorf("p = %g, want 2/65536", p)
	}
	if lo, hi := s.Fixed(1e-5); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
		t.Errorf("16 blocks bound %g to %g at a level that they cannot reach", lo, hi)
	}
}

// Values that rounding makes equal still have an interval, that of the resolution.
func TestFixedFloor(t *testing.T) {
	for _, n := range []int{8, 30} {
		s := Series{D: make([]float64, n), Floor: 0.001}
		lo, hi := s.Fixed(0.01)
		if want := 0.001 * perBlock(n, 0.01); math.Abs(hi-want) > 1e-9 || lo != -hi {
			t.Errorf("%d equal values: %g to %g, want ± %g", n, lo, hi, want)
		}
		if p := s.FixedP(hi*0.999, hi*0.999); p <= 0.01 {
			t.Errorf("%d equal values: p %g inside the interval", n, p)
		}
	}
	for _, s := range []Series{{}, {D: []float64{1}}, {D: []float64{1, 1, 1}}, {D: []float64{1, math.NaN(), 2}}} {
		if lo, hi := s.Fixed(0.05); !math.IsInf(hi-lo, 1) || s.FixedP(5, 5) != 1 {
			t.Errorf("%v: %g to %g", s.D, lo, hi)
		}
	}
}

// The interval has the effects whose p-value is above its level, and no others.
func TestFixedDuality(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, nz := range noises {
		for _, n := range []int{5, 9, 15, 16, 17, 31, 64, 300} {
			s := nz.draw(rng, n)
			if n%2 == 1 { // rounded values have ties
				s.Floor = 0.004
				for i := range s.D {
					s.D[i] = math.Round(s.D[i]/s.Floor) * s.Floor
				}
			}
			for _, alpha := range []float64{0.05, 0.007, 0.0005} {
				lo, hi := s.Fixed(alpha)
				if math.IsInf(hi-lo, 1) {
					continue
				}
				tiny := 1e-9 * (hi - lo)
				for _, c := range []struct {
					mu float64
					in bool
				}{{lo + tiny, true}, {hi - tiny, true}, {lo - tiny, false}, {hi + tiny, false}, {(lo + hi) / 2, true}} {
					if p := s.FixedP(c.mu, c.mu); p > alpha*(1-1e-9) != c.in && math.Abs(p-alpha) > 1e-6*alpha {
						t.Errorf("%s, n %d, alpha %g: %g of %g..%g has p %g", nz.name, n, alpha, c.mu, lo, hi, p)
					}
				}
				if p := s.FixedP(hi+tiny, hi+1); p > alpha*(1+1e-6) {
					t.Errorf("%s, n %d: p %g beyond the interval at %g", nz.name, n, p, alpha)
				}
			}
		}
	}
}

// Thousands of blocks take no quadratic time.
func BenchmarkFixed(b *testing.B) {
	s := normal.draw(rand.New(rand.NewPCG(1, 1)), 5000)
	for b.Loop() {
		s.Fixed(0.007)
		s.FixedP(0, 0)
	}
}

// The shares add up to the level.
func TestShares(t *testing.T) {
	sum := EarlyShare
	for k := 1; k < 60; k++ {
		sum += LookShare(k)
	}
	if sum > 1 || sum < 1-1e-12 {
		t.Errorf("all shares add up to %g", sum)
	}
}

func TestEnough(t *testing.T) {
	clear := Series{D: normals(1, 12, 0.1, 0.01), Floor: resolution} // ten sds from 0
	tiny := Series{D: normals(1, 12, 0, 0.0005), Floor: resolution}
	between := Series{D: normals(2, 12, 0.01, 0.012), Floor: resolution} // near the margin
	for _, c := range []struct {
		name      string
		s         Series
		max, want int
	}{
		// 0.1 is about ten sds of a block: with 3 blocks t(.995, 2)/sqrt(3) = 9.92/1.73 = 5.7.
		{"different", clear, 100, 3},
		// The margin is 20 sds: with 3 blocks ± 5.7, with 2 blocks 63.66/1.41 = 45.
		{"same", tiny, 100, 3},
		{"not within max", between, 12, 13},
		{"one block", clear.First(1), 50, 51},
		{"none", Series{}, 50, 51},
	} {
		if got := c.s.Enough(0.01, 0.01, c.max); got != c.want {
			t.Errorf("%s: %d blocks, want %d", c.name, got, c.want)
		}
	}
}

// TestEnoughIsAFairPrice: among studies undecided after 20 blocks, the half-width that was
// foretold for the price is near that which came of it.
func TestEnoughIsAFairPrice(t *testing.T) {
	var ratios []float64
	for seed := range uint64(200) {
		s := Series{D: normals(seed, 400, 0.02, 0.03), Floor: resolution}
		if n := s.First(20).Enough(0.007, 0.01, 300); n > 20 && n <= 300 {
			lo, hi := s.First(n).Fixed(0.007)
			ratios = append(ratios, s.First(20).HalfWidth(n, 0.007)/((hi-lo)/2))
		}
	}
	got := Median(ratios)
	t.Logf("%d studies: foretold %.2f of the half-width that came", len(ratios), got)
	if got < 0.9 || got > 1.1 {
		t.Errorf("foretold %.2f of the half-width that came", got)
	}
}

// The width before any measurement scales with the scatter, and falls with the blocks.
func TestHalfWidth(t *testing.T) {
	for n := 7; n < 600; n += 7 {
		a, b, c := HalfWidth(n-1, 0.01, 0.01, true), HalfWidth(n, 0.01, 0.01, true), HalfWidth(n, 0.03, 0.01, true)
		if b >= a || math.Abs(c/b-3) > 1e-9 {
			t.Errorf("%d blocks give %.6f, one less %.6f, three times the scatter %.6f", n, b, a, c)
		}
	}
	if !math.IsInf(HalfWidth(4, 0.01, 0.01, true), 1) {
		t.Error("four blocks bounded something at 99 %")
	}
}

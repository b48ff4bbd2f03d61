package stats

import (
	"math"
	"testing"
)

// largestE bounds e_k: e_t <= 2^(k-1), and e_s <= exp((k-1)/2)/sqrt(k), since
// S^2 <= kV and exp(kV/(2(V+1)))/sqrt(V+1) is at its largest where V+1 = k.
func largestE(k int) float64 {
	n := float64(k)
	return (math.Pow(2, n-1) + math.Exp((n-1)/2)/math.Sqrt(n)) / 2
}

// TestFirstPossibleDifference: no series reaches the threshold a block earlier
// than MinBlocks says, and a clear effect does reach it there.
func TestFirstPossibleDifference(t *testing.T) {
	for threshold, k := range map[float64]int{20: 7, 100: 9, 1000: 12} {
		if got := largestE(k - 1); got >= threshold {
			t.Errorf("e after %d blocks may be %g, want below %g", k-1, got, threshold)
		}
		if got, _ := EAt(normals(1, k, 1, 1e-3), 0, 0, 1); got < threshold {
			t.Errorf("e of a clear effect after %d blocks = %g, want %g", k, got, threshold)
		}
	}
}

// overSigns calls f with d under each of the 2^n patterns of signs.
func overSigns(d []float64, f func(signed []float64)) {
	signed := make([]float64, len(d))
	for pattern := range 1 << len(d) {
		for i, x := range d {
			if pattern>>i&1 == 1 {
				x = -x
			}
			signed[i] = x
		}
		f(signed)
	}
}

// TestSignsAreFairCoins enumerates what symmetric noise of given sizes can do. The
// mean of e_s is at most 1, exactly; that of e_t would have to be, and is not: the
// cap is necessary only. It is reached where it should be, by one sign throughout.
func TestSignsAreFairCoins(t *testing.T) {
	const n = 10
	for _, c := range []struct {
		name  string
		sizes []float64
		meanT float64 // after n blocks; 0 where not known
	}{
		{"equal", []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 2.03},
		{"normal", normals(3, n, 0, 1), 0},
		{"growing", []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}, 0},
		{"spike", []float64{1, 1.1, 0.9, 1, 1, 30, 1, 1, 1, 1}, 0},
	} {
		var meanT, meanS, top [n]float64
		overSigns(c.sizes, func(d []float64) {
			g := newEngine(d, 0)
			defer g.free()
			for i, e := range EValues(d, 0, 0)[1:] {
				i++
				et := math.Exp(g.step[i].lnT(0))
				meanT[i] += et / (1 << n)
				meanS[i] += (2*e - et) / (1 << n)
				top[i] = max(top[i], et)
			}
		})
		for i := 1; i < n; i++ {
			limit := math.Pow(2, float64(i))
			if meanS[i] > 1+1e-12 || top[i] > limit*(1+1e-12) {
				t.Errorf("%s, %d blocks: mean e_s %g, largest e_t %g, want at most 1 and %g", c.name, i+1, meanS[i], top[i], limit)
			}
			if c.name == "equal" && i >= 3 && !near(top[i], limit, 1e-12) {
				t.Errorf("%d equal blocks: e_t = %g, want the cap %g", i+1, top[i], limit)
			}
		}
		if c.meanT > 0 && !near(meanT[n-1], c.meanT, 0.01) {
			t.Errorf("%s: mean e_t %g, want %g", c.name, meanT[n-1], c.meanT)
		}
	}
}

// crossing is the probability that e_k(0) reaches bound for some from <= k <= n
// where D = +-1: e then depends on the number of minus signs alone, so that one
// can count. course[m] is e_1..e_n of a series that begins with m minus signs.
func crossing(course [][]float64, bound float64, from int) (crossed float64) {
	n := len(course) - 1
	alive := make([]float64, n+1) // by the number of minus signs
	alive[0] = 1
	for k := 1; k <= n; k++ {
		for minus := k; minus >= 0; minus-- {
			alive[minus] /= 2
			if minus > 0 {
				alive[minus] += alive[minus-1] / 2
			}
			if k >= from && course[minus][k-1] >= bound {
				crossed += alive[minus]
				alive[minus] = 0
			}
		}
	}
	return crossed
}

// TestTwoLevelExactly: the error under the hardest noise there is, without
// drawing it, against a count in NumPy. Within 300 blocks it is below .05, at .01
// from block 10 on, and twice .001; and at 2000, e-BH's bound for one cell among
// 100, 2.2 times what an e-value may have.
func TestTwoLevelExactly(t *testing.T) {
	const n = 300
	course := make([][]float64, n+1)
	for minus := range course {
		d := make([]float64, n)
		for i := range d {
			d[i] = 1
			if i < minus {
				d[i] = -1
			}
		}
		course[minus] = EValues(d, 0, 0)
	}
	for _, c := range load(t).TwoLevel {
		got := crossing(course, c.Bound, c.From)
		t.Logf("e >= %g from block %d: %.4f %%", c.Bound, c.From, 100*got)
		if !near(got, c.P, 1e-9) || c.Blocks != n {
			t.Errorf("e >= %g from block %d: %g, want %g", c.Bound, c.From, got, c.P)
		}
	}
	for _, c := range []struct{ alpha, want float64 }{{0.05, 0.05}, {0.01, 0.0101}, {0.001, 0.0021}} {
		if got := crossing(course, 1/c.alpha, MinBlocks(c.alpha)); got > c.want {
			t.Errorf("alpha %g: wrong with probability %g, want at most %g", c.alpha, got, c.want)
		}
	}
}

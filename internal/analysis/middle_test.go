package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/stats"
)

// TestGeomeanAmongRows: no geomean of any table, step or effect lies outside the range of
// the changes that it is over, unless its interval excludes all of it: then the geomean is
// the nearest end.
func TestGeomeanAmongRows(t *testing.T) { checkGeomeans(t, 12) }

func TestSlowGeomeanAmongRows(t *testing.T) {
	slow.Test(t)
	checkGeomeans(t, 40)
}

func checkGeomeans(t *testing.T, studies int) {
	seen, forced := 0, 0
	check := func(seed uint64, what string, whole assay.Comparison, cells []assay.Comparison) {
		if whole.N == 0 || whole.Verdict == assay.SameCoded {
			return
		}
		lo, hi := assay.Change(math.Inf(1)), assay.Change(math.Inf(-1))
		for _, c := range cells {
			lo, hi = min(lo, c.Change), max(hi, c.Change)
		}
		seen++
		const rounding = 1e-12
		switch i := whole.Interval; {
		case whole.Change >= lo-rounding && whole.Change <= hi+rounding:
		case i != nil && (i.Hi < lo && whole.Change == i.Hi || i.Lo > hi && whole.Change == i.Lo):
			forced++
		default:
			t.Errorf("seed %d: %s of %s is %g %v, the benchmarks are within %g and %g", seed, what, whole.Variant, float64(whole.Change), i, float64(lo), float64(hi))
		}
	}
	for seed := range uint64(studies) {
		r := rand.New(rand.NewPCG(seed, 8))
		w := chainWorld(seed, names(2+r.IntN(3)), 0.1*r.NormFloat64(), 0.1*r.NormFloat64())
		w.f = func(string, string, int) map[string]float64 {
			return map[string]float64{assay.MetricTime: 1e-6 * math.Exp(0.1*r.NormFloat64())}
		}
		tr := NewTracker(w.plan, time.Hour)
		for range 5 + r.IntN(30) {
			turns := tr.Turns()
			tr.Add(w.next(turns[:1+r.IntN(len(turns))])) // rows have more blocks than the geomean
		}
		res := tr.Result(assay.Platform{}, "")
		for _, tab := range res.Tables {
			for i, g := range tab.Geomean {
				var cells []assay.Comparison
				for _, row := range tab.Rows {
					cells = append(cells, row.Cells[i])
				}
				check(seed, "geomean", g, cells)
			}
			for _, s := range tab.Steps {
				if s.Whole != nil {
					check(seed, "step", *s.Whole, s.Cells)
				}
			}
		}
	}
	if seen < 5*studies/2 || forced > seen/20 {
		t.Errorf("%d geomeans, %d of them at the end of their interval", seen, forced)
	}
}

// TestGeomeanErrsLess: in simulation the mean of the rows' medians errs no more than the
// median over blocks of their means did, under quiet and spiky noise, also where some
// benchmarks have more blocks than others.
func TestGeomeanErrsLess(t *testing.T) {
	const truth, runs = 0.02, 150
	noises := map[string]func(r *rand.Rand) float64{
		"normal": func(r *rand.Rand) float64 { return 0.01 * r.NormFloat64() },
		"spikes": func(r *rand.Rand) float64 {
			if r.Float64() < 0.05 {
				return 0.1 * r.ExpFloat64()
			}
			return 0.01 * r.NormFloat64()
		},
		"skewed": func(r *rand.Rand) float64 { return 0.01 * r.ExpFloat64() },
	}
	for what, noise := range noises {
		for _, uneven := range []bool{false, true} {
			var before, now float64
			for seed := range uint64(runs) {
				r := rand.New(rand.NewPCG(seed, 9))
				w := newWorld(names(4), "a", "b", assay.ControlName)
				w.f = func(v, _ string, _ int) map[string]float64 {
					x := noise(r)
					if v == "b" {
						x += truth
					}
					return map[string]float64{assay.MetricTime: 1e-6 * math.Exp(x)}
				}
				tr := NewTracker(w.plan, time.Hour)
				turns := tr.Turns()
				for i := range 20 {
					if uneven && i%2 == 1 {
						tr.Add(w.next(turns[:2]))
						continue
					}
					tr.Add(w.next(turns))
				}
				g := tr.Result(assay.Platform{}, "").Tables[0].Geomean[0]
				d := tr.set.Suite(assay.MetricTime).Geomean("b").D
				old := stats.Inside(stats.Median(d), g.Interval.Lo.Log(), g.Interval.Hi.Log())
				before += math.Pow(old-truth, 2) / runs
				now += math.Pow(g.Change.Log()-truth, 2) / runs
			}
			t.Logf("%s, uneven %v: error %.3f %%, was %.3f %%", what, uneven, 100*math.Sqrt(now), 100*math.Sqrt(before))
			if now > 1.02*before {
				t.Errorf("%s, uneven %v: root mean square error %.3f %%, of the median of blocks %.3f %%", what, uneven, 100*math.Sqrt(now), 100*math.Sqrt(before))
			}
		}
	}
}

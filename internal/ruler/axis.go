package ruler

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// An axis is a range of logarithms of ratios.
type axis struct{ lo, hi float64 }

// reach is a quantile of blocks: the axis shows all between it and 1-reach, and dots beyond
// it at its ends. Of the same code it shows more.
const (
	reach     = 0.1
	reachSame = 0.05
)

// newAxis returns a range that holds all intervals and most dots, and never zooms into the
// noise or the minimum effect.
func (u *Ruler) newAxis() axis {
	if u.shared != nil {
		return *u.shared
	}
	least := 2.5 * math.Log1p(u.Margin)
	a := axis{-least, least}
	hold := func(list ...float64) {
		for _, v := range list {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				a.lo, a.hi = min(a.lo, v), max(a.hi, v)
			}
		}
	}
	dots := func(d Dots) { hold(quantile(d.LN, reach), quantile(d.LN, 1-reach)) }
	hold(quantile(u.Same.LN, reachSame), quantile(u.Same.LN, 1-reachSame), math.Log1p(-min(u.Floor, 0.99)), math.Log1p(u.Floor))
	for _, r := range u.Rows {
		hold(r.Point, r.Lo, r.Hi)
		dots(r.Dots)
	}
	room := 0.06 * (a.hi - a.lo)
	return axis{a.lo - room, a.hi + room}
}

// Align draws rulers on one axis, which holds what each would hold alone. nil ones are
// left out.
func Align(list ...*Ruler) {
	all := axis{math.Inf(1), math.Inf(-1)}
	for _, u := range list {
		if u != nil {
			a := u.newAxis()
			all.lo, all.hi = min(all.lo, a.lo), max(all.hi, a.hi)
		}
	}
	for _, u := range list {
		if u != nil {
			u.shared = &all
		}
	}
}

// quantile is that of a few numbers, NaN of none.
func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(list))
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

type tick struct {
	at   float64
	text string
}

// ticks are at most n round changes in percent, or ratios on a long axis.
func (a axis) ticks(n int) []tick {
	if a.hi-a.lo > math.Log(4) {
		return a.ratios(n)
	}
	lo, hi := 100*math.Expm1(a.lo), 100*math.Expm1(a.hi)
	step := 0.1
	for k := 0; (hi-lo)/step > float64(n); k++ {
		step *= []float64{2, 2.5, 2}[k%3]
	}
	var out []tick
	for k := math.Ceil(lo / step); k*step <= hi; k++ {
		v := math.Round(1e6*k*step) / 1e6
		out = append(out, tick{math.Log1p(v / 100), sheet.TickPercent(v)})
	}
	return out
}

func (a axis) ratios(n int) (out []tick) {
	every := math.Ceil((a.hi - a.lo) / math.Ln2 / float64(n))
	for k := math.Ceil(a.lo / math.Ln2 / every); k*every*math.Ln2 <= a.hi; k++ {
		out = append(out, tick{k * every * math.Ln2, sheet.TickPower(int(k * every))})
	}
	return out
}

// density is a smooth estimate of where numbers lie, at n places of the axis, 1 at its
// peak: Gaussian kernels with Silverman's bandwidth ("Density Estimation", 1986, 3.31).
func (a axis) density(list []float64, n int) []float64 {
	out := make([]float64, n)
	width := bandwidth(list)
	if width == 0 {
		return out
	}
	peak := 0.0
	for i := range out {
		x := a.lo + (a.hi-a.lo)*float64(i)/float64(n-1)
		for _, v := range list {
			z := (x - v) / width
			out[i] += math.Exp(-z * z / 2)
		}
		peak = max(peak, out[i])
	}
	for i := range out {
		out[i] /= peak
	}
	return out
}

func bandwidth(list []float64) float64 {
	if len(list) < 3 {
		return 0
	}
	mean, sum := 0.0, 0.0
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		sum += (v - mean) * (v - mean)
	}
	spread := math.Sqrt(sum / float64(len(list)-1))
	if middle := (quantile(list, 0.75) - quantile(list, 0.25)) / 1.34; middle > 0 {
		spread = min(spread, middle)
	}
	return 0.9 * spread * math.Pow(float64(len(list)), -0.2)
}

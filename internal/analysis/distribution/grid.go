package distribution

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
)

const (
	// fineStep is the width, in ln units, of the buckets in which histograms are added
	// up. coarse of them make a bucket of a picture, 2.02 % wide for latencies;
	// coarseTraced make one of 5.1 % for the collector, whose trace has two digits.
	fineStep     = 0.0025
	coarse       = 8
	coarseTraced = 20
	// maxBuckets is the largest number of buckets of a picture. If values spread too far
	// for it, buckets are wider.
	maxBuckets = 300
	// maxSpread is how far, in ln units, a bucket may be spread.
	maxSpread = 0.1
)

// A grid counts positive values in narrow buckets, equal in ln and the same for every
// variant. Counts are shares, hence no integers.
//
// Load generators have log buckets of their own; sysbench's are 1.8 % wide. If each were
// put into a bucket of 2 % as a whole, every tenth of those would get two: a comb. So
// each is spread over its extent in proportion.
type grid struct {
	cells map[int]float64
	zero  int // values that have no logarithm
	total int
}

func newGrid() *grid { return &grid{cells: map[int]float64{}} }

// entry returns the value of a key, made if there is none yet.
func entry[K comparable, V any](m map[K]V, key K, make func() V) V {
	if _, ok := m[key]; !ok {
		m[key] = make()
	}
	return m[key]
}

// add adds a histogram.
func (g *grid) add(h assay.Histogram) {
	for i, v := range h.Values {
		n := h.Counts[i]
		g.total += n
		if !(v > 0) || math.IsInf(v, 1) {
			g.zero += n
			continue
		}
		lo, hi := extent(h.Values, i)
		g.put(lo, hi, float64(n))
	}
}

// one adds a single value.
func (g *grid) one(v float64) { g.add(assay.Histogram{Values: []float64{v}, Counts: []int{1}}) }

// merge adds another grid.
func (g *grid) merge(o *grid) {
	for c, n := range o.cells {
		g.cells[c] += n
	}
	g.zero += o.zero
	g.total += o.total
}

// extent returns the range of bucket i in ln units: half way to either neighbour. For
// adjacent buckets that is the bucket. For measured values it is next to nothing. For
// values printed with two digits it is what was rounded to each, less below 1.0 than
// above it. A side without a near neighbour is as wide as the other.
func extent(values []float64, i int) (lo, hi float64) {
	at := math.Log(values[i])
	below, above := math.Inf(1), math.Inf(1)
	if i > 0 && values[i-1] > 0 {
		below = at - math.Log(values[i-1])
	}
	if i+1 < len(values) {
		above = math.Log(values[i+1]) - at
	}
	switch near := min(below, above); {
	case near > maxSpread:
		return at, at // nothing says that it is a bucket at all
	case below > maxSpread:
		below = near
	case above > maxSpread:
		above = near
	}
	return at - below/2, at + above/2
}

// put spreads n values evenly from lo to hi.
func (g *grid) put(lo, hi, n float64) {
	first, last := int(math.Floor(lo/fineStep)), int(math.Floor(hi/fineStep))
	if first == last || hi-lo <= 0 {
		g.cells[first] += n
		return
	}
	for c := first; c <= last; c++ {
		from, to := max(lo, float64(c)*fineStep), min(hi, float64(c+1)*fineStep)
		g.cells[c] += n * (to - from) / (hi - lo)
	}
}

// width returns the number of cells in a bucket of a picture of these grids, at least
// least. It is the same for all, so that they can be laid over each other.
func width(grids []*grid, least int) int {
	first, last := math.MaxInt, math.MinInt
	for _, g := range grids {
		for c := range g.cells {
			first, last = min(first, c), max(last, c)
		}
	}
	w := least
	for first <= last && (last-first)/w+2 > maxBuckets {
		w++
	}
	return w
}

// histogram returns buckets of w cells, with shares rounded so that they add up to the
// total.
func (g *grid) histogram(w int) assay.Histogram {
	var h assay.Histogram
	if g.zero > 0 {
		h.Values, h.Counts = append(h.Values, 0), append(h.Counts, g.zero)
	}
	wide := map[int]float64{}
	for _, c := range slices.Sorted(maps.Keys(g.cells)) {
		wide[floorDiv(c, w)] += g.cells[c]
	}
	sum, given := 0.0, 0
	for _, b := range slices.Sorted(maps.Keys(wide)) {
		sum += wide[b]
		n := int(math.Round(sum)) - given
		if n <= 0 {
			continue
		}
		given += n
		h.Values = append(h.Values, math.Exp((float64(b)+0.5)*float64(w)*fineStep))
		h.Counts = append(h.Counts, n)
	}
	return h
}

// median returns the middle value, exact to the width of a cell.
func (g *grid) median() float64 {
	below := float64(g.zero)
	if below >= float64(g.total)/2 {
		return 0
	}
	for _, c := range slices.Sorted(maps.Keys(g.cells)) {
		if below += g.cells[c]; below >= float64(g.total)/2 {
			return math.Exp((float64(c) + 0.5) * fineStep)
		}
	}
	return 0
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

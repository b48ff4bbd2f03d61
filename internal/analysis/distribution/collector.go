package distribution

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
)

// gcPhases are the phases of a cycle in order, each with the name of its metric.
var gcPhases = []struct {
	name string
	of   func(assay.GCCycle) float64
}{
	{assay.MetricGCSweepPause, func(c assay.GCCycle) float64 { return c.SweepPause }},
	{assay.MetricGCMark, func(c assay.GCCycle) float64 { return c.Mark }},
	{assay.MetricGCAssistCPU, func(c assay.GCCycle) float64 { return c.AssistCPU }},
	{assay.MetricGCWorkerCPU, func(c assay.GCCycle) float64 { return c.BackgroundCPU }},
	{assay.MetricGCIdleCPU, func(c assay.GCCycle) float64 { return c.IdleCPU }},
	{assay.MetricGCMarkPause, func(c assay.GCCycle) float64 { return c.MarkPause }},
}

const (
	// heapStep is the width, in ln units, of a class of live heaps; maxHeaps is the
	// number of points of a picture.
	heapStep = 0.01
	maxHeaps = 40
)

// A cycles adds up the collector's cycles of one benchmark, by variant.
type cycles map[string]*collector

// A collector adds up the cycles of one variant.
type collector struct {
	runs   int
	phases []*grid       // as gcPhases
	heaps  map[int]*heap // by live heap, in steps of heapStep
}

// A heap adds up the cycles with about the same live heap.
type heap struct {
	live          float64 // sum
	n             int
	mark, markCPU *grid
}

// add adds the cycles of one run.
func (g cycles) add(variant string, cs []assay.GCCycle) {
	c := entry(g, variant, func() *collector {
		c := &collector{heaps: map[int]*heap{}}
		for range gcPhases {
			c.phases = append(c.phases, newGrid())
		}
		return c
	})
	c.runs++
	cs = slices.DeleteFunc(slices.Clone(cs), func(x assay.GCCycle) bool { return x.Forced })
	values := make([]float64, len(cs))
	for i, phase := range gcPhases {
		for k, x := range cs {
			values[k] = phase.of(x)
		}
		c.phases[i].add(assay.NewHistogram(values))
	}
	for _, x := range cs {
		c.heap(x)
	}
}

func (c *collector) heap(x assay.GCCycle) {
	if x.Live == 0 {
		return // below half of a megabyte, as far as it is printed
	}
	h := entry(c.heaps, int(math.Floor(math.Log(float64(x.Live))/heapStep)), newHeap)
	h.live += float64(x.Live)
	h.n++
	h.mark.one(x.Mark)
	h.markCPU.one(x.MarkCPU())
}

// picture returns the result's part; ok is false if nothing was traced.
func (g cycles) picture(b assay.Benchmark, variants []string, inside bool) (out assay.GC, ok bool) {
	variants = slices.DeleteFunc(slices.Clone(variants), func(v string) bool { return g[v] == nil })
	if len(variants) == 0 {
		return out, false
	}
	out.Benchmark, out.Inside = b, inside
	for i, phase := range gcPhases {
		var grids []*grid
		for _, v := range variants {
			grids = append(grids, g[v].phases[i])
		}
		w, p := width(grids, coarseTraced), assay.GCPhase{Name: phase.name}
		for k, v := range variants {
			p.Variants = append(p.Variants, assay.Distribution{Variant: v, Runs: g[v].runs, Total: grids[k].total, Histogram: grids[k].histogram(w)})
		}
		out.Phases = append(out.Phases, p)
	}
	step := g.heapSteps(variants)
	for _, v := range variants {
		out.Heaps = append(out.Heaps, assay.GCHeap{Variant: v, Points: g[v].points(step)})
	}
	return out, true
}

// heapSteps returns the number of heapStep per point of the picture, the same for all
// variants.
func (g cycles) heapSteps(variants []string) int {
	lo, hi := math.MaxInt, math.MinInt
	for _, v := range variants {
		for at := range g[v].heaps {
			lo, hi = min(lo, at), max(hi, at)
		}
	}
	if lo > hi {
		return 1
	}
	// A bucket more than the span has, since the first may be cut.
	return (hi-lo)/(maxHeaps-1) + 1
}

// points returns the medians by live heap, in steps of so many heapStep.
func (c *collector) points(step int) (out []assay.GCHeapPoint) {
	wide := map[int]*heap{}
	for _, at := range slices.Sorted(maps.Keys(c.heaps)) { // sums of shares depend on the order
		entry(wide, floorDiv(at, step), newHeap).merge(c.heaps[at])
	}
	for _, at := range slices.Sorted(maps.Keys(wide)) {
		h := wide[at]
		out = append(out, assay.GCHeapPoint{Live: h.live / float64(h.n), Mark: h.mark.median(), MarkCPU: h.markCPU.median(), Cycles: h.n})
	}
	return out
}

func newHeap() *heap { return &heap{mark: newGrid(), markCPU: newGrid()} }

func (h *heap) merge(o *heap) {
	h.live += o.live
	h.n += o.n
	h.mark.merge(o.mark)
	h.markCPU.merge(o.markCPU)
}

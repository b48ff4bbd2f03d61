package sample

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A reuse is what a sample knows of links that several blocks use. The blocks show the
// difference of these links, and its interval must hold for all layouts.
type reuse struct {
	links   []uint64 // the layout of the variant's link in each block
	control *Sample  // the control's, whose links scatter as those of the variant do; nil for none
	alpha   float64

	known struct {
		n     int // blocks
		width float64
	}
}

// addLinks notes the links of a block whose values were just added: a link is a variant's
// for the whole block, however many trials of it the block has.
func (b *Benchmark) addLinks(block []assay.Trial) {
	p := b.set.Plan
	if !design.Reuses(p) {
		return
	}
	links := map[string]uint64{}
	for _, tr := range block {
		if tr.Benchmark == b.Plan.Benchmark && b.set.relinked[tr.Variant] {
			links[tr.Variant] = tr.Layout
		}
	}
	for variant, link := range links {
		for _, byVariant := range b.Samples {
			if s := byVariant[variant]; s != nil && s.Blocks[len(s.Blocks)-1] == b.set.Blocks {
				s.linkedBy(p.Study.Decide.Alpha(), byVariant[b.set.Control], link)
			}
		}
	}
}

// linkedBy adds the layout of the last block's link.
func (s *Sample) linkedBy(alpha float64, control *Sample, layout uint64) {
	if s.reuse == nil {
		s.reuse = &reuse{alpha: alpha}
	}
	if s.reuse.links = append(s.reuse.links, layout); control != s {
		s.reuse.control = control
	}
}

// linkedAs gives a sample made of others the links of one of them, which stand for those of
// all: every variant takes its next link in the same block. It has blocks of that one only.
func (s *Sample) linkedAs(one, control *Sample) {
	if one == nil || one.reuse == nil {
		return
	}
	at := map[int]uint64{}
	for i, block := range one.Blocks {
		at[block] = one.reuse.links[i]
	}
	for _, block := range s.Blocks {
		s.linkedBy(one.reuse.alpha, control, at[block])
	}
}

// LinkWidth returns how far the mean over the links in use may lie from that over all
// layouts, in ln units: the half-width of a t interval over K links, with the variance
// between links that the blocks of the variant and of the control show (Searle, Casella
// and McCulloch 1992). It is 0 if every block has links of its own, and of values without
// a ratio.
func (s *Sample) LinkWidth() float64 {
	if s.reuse == nil || s.Zero {
		return 0
	}
	k := &s.reuse.known
	if k.n != len(s.D) {
		k.n, k.width = len(s.D), s.reuse.width(s.D)
	}
	return k.width
}

func (r *reuse) width(d []float64) float64 {
	between, links := betweenLinks(d, r.links)
	free := links - 1
	if c := r.control; c != nil && c.reuse != nil && !c.Zero {
		if other, n := betweenLinks(c.D, c.reuse.links); n > 1 {
			between = (between*float64(free) + other*float64(n-1)) / float64(free+n-1)
			free += n - 1
		}
	}
	if links < 2 {
		return math.Inf(1)
	}
	// Half of alpha, since the engine's interval, to which this is added, has errors too.
	t := distuv.StudentsT{Sigma: 1, Nu: float64(free)}.Quantile(1 - r.alpha/4)
	return t * math.Sqrt(between/float64(links))
}

// betweenLinks returns the variance between links, and their number.
func betweenLinks(d []float64, links []uint64) (between float64, n int) {
	var groups [][]float64
	at := map[uint64]int{}
	for i, link := range links {
		g, ok := at[link]
		if !ok {
			g = len(groups)
			at[link], groups = g, append(groups, nil)
		}
		groups[g] = append(groups[g], d[i])
	}
	between, _ = stats.Components(groups)
	return between, len(groups)
}

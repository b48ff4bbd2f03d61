package schedule

import (
	"time"

	"github.com/seed-1318a441/assay"
)

const (
	// MinSlices and MaxSlices bound the short slices of a variant in a block. They are odd,
	// for the median.
	MinSlices, MaxSlices = 31, 301
	// sliceTime is the total time of a variant's short slices in a block, as a multiple of
	// a trial. On a machine used by others, the fastest of 200 slices are 2.5 times as
	// exact as those of 100.
	sliceTime = 2
	// The slices of a block take up to moreSlices times as long if links take longer, and
	// down to lessSlices if the blocks for a verdict would not fit.
	moreSlices, lessSlices = 1.5, 0.2
	// spareBlocks is how many blocks should fit, in multiples of those for a first
	// verdict: that is of large differences only. fewBlocks is enough if otherwise fewer than
	// fewerSlices of the slices would be left.
	spareBlocks, fewBlocks = 2.5, 1.8
	fewerSlices            = 0.6
)

// ShortSlices returns how many short slices of a length a variant has in a block, before
// FitSlices.
func ShortSlices(length, trial time.Duration) int {
	return min(max(int(sliceTime*trial/max(length, 1))|1, MinSlices), MaxSlices)
}

// FitSlices gives the blocks of a plan as many short slices as are worth their links, or
// fewer slices if there is not enough time for more blocks than a first verdict takes:
// many small blocks are better than a few large ones.
func FitSlices(p *assay.Plan) {
	f := Foresee(p)
	var sliced time.Duration // for a block
	for _, b := range p.Benchmarks {
		if b.Gear == assay.GearSlices {
			sliced += time.Duration(float64(b.Trial) * f.Share.Present())
		}
	}
	if sliced == 0 {
		return
	}
	factor := min(max(f.Link.Seconds()/sliced.Seconds(), 1), moreSlices)
	if f.Time > 0 {
		room := func(blocks float64) float64 {
			return (f.Time.Seconds()/(blocks*float64(f.First)) - (f.Block - sliced).Seconds()) / sliced.Seconds()
		}
		factor = min(factor, max(room(spareBlocks), min(fewerSlices, room(fewBlocks)), lessSlices))
	}
	for i := range p.Benchmarks {
		if b := &p.Benchmarks[i]; b.Gear == assay.GearSlices {
			n := min(max(int(factor*float64(b.Slices))|1, min(MinSlices, b.Slices)), MaxSlices)
			b.Trial = b.Trial * time.Duration(n+b.Warm) / time.Duration(b.Slices+b.Warm)
			b.Slices = n
		}
	}
}

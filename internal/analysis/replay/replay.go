// Package replay shows how a finished run came to its answer: what it would have said
// after fewer blocks, with another minimum effect, or without a benchmark. Package
// analysis decides all of that by the same rules. Nothing here is part of a result, and no
// verdict depends on it.
package replay

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
)

// A Replay is the way of a run to its answer, and what the same blocks say under other
// conditions.
type Replay struct {
	// Metric is the one that all of it is of.
	Metric string
	// Blocks is the number of blocks that carry verdicts.
	Blocks int
	// Frames are in the order of blocks. The last is the result.
	Frames []Frame
	// MinEffect is what the study fixed before it ran.
	MinEffect float64
	// Margins has an outlook for each of some minimum effects, ascending, that of the
	// study among them. A race has none: its answer rests on other comparisons.
	Margins []Outlook
	// Without has an outlook for each benchmark left out, if there is a geomean: those with
	// the largest changes first. Common counts all benchmarks behind the geomean.
	Without []Outlook
	Common  int
	// Both has one for each other minimum effect with each benchmark left out, if these
	// are few.
	Both []Outlook
}

// A Frame is what a run says after some of its blocks. Confidence sequences hold at every
// number of blocks, so that each frame is as valid as the last.
type Frame struct {
	Blocks int
	Heads  []analysis.Head
	// Answer is what the run would have answered; that of a race is empty.
	Answer assay.Answer
}

// An Outlook is what all blocks of a run say under another condition.
type Outlook struct {
	MinEffect float64
	// Without is the benchmark that is left out, the zero value for none.
	Without assay.Benchmark
	Heads   []analysis.Head
	Answer  assay.Answer
}

// Limits of a replay. maxWork bounds the comparisons × blocks that are looked at, once for
// the frames and once for the outlooks: these take two seconds.
const (
	maxFrames  = 60
	maxChain   = 16 // frames
	maxWithout = 40
	maxBoth    = 6 // benchmarks
	maxWork    = 600_000
)

// margins are the minimum effects that one can look at, beside that of the study.
var margins = []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.1}

// A Recorder makes the replay of a run that it sees block by block.
type Recorder struct {
	Replay Replay
	every  int // blocks from one frame to the next
	looks  int // affordable outlooks
	race   bool
	stop   assay.StopReason // why the run ended
}

// NewRecorder returns a recorder of a metric, of a run of the plan with so many blocks
// that carry verdicts. stop is why the run ended.
func NewRecorder(p *assay.Plan, metric string, blocks int, stop assay.StopReason) *Recorder {
	looks := maxWork / max(1, len(p.Benchmarks)*len(p.Variants)*blocks)
	frames := max(1, min(maxFrames, looks))
	if p.Study.Steps != nil { // whose answers take three times as long
		frames = min(frames, maxChain)
	}
	return &Recorder{Replay{Metric: metric, Blocks: blocks}, max(1, (blocks+frames-1)/frames), looks, p.Study.Decide.Race, stop}
}

// Affordable reports whether the run is small enough for a replay.
func (r *Recorder) Affordable() bool { return r.looks > len(margins) }

// See keeps a frame of the run as of the tracker's blocks, if it is time for one. Call it
// after every block.
func (r *Recorder) See(t *analysis.Tracker) {
	n, frames := t.Blocks(), r.Replay.Frames
	seen := len(frames) > 0 && frames[len(frames)-1].Blocks == n // a pilot's block adds none
	if n == 0 || seen || (r.Replay.Blocks-n)%r.every != 0 {
		return
	}
	f, stop := Frame{Blocks: n}, assay.StopReason("")
	if n == r.Replay.Blocks {
		stop = r.stop
	}
	if r.race { // its answer rests on other comparisons
		t.End(stop)
		f.Heads = t.Heads(r.Replay.Metric)
	} else {
		f.Heads, f.Answer = t.WithMinEffect(r.Replay.Metric, t.MinEffect(r.Replay.Metric)).Outlook(r.Replay.Metric, stop)
	}
	if len(f.Heads) > 0 {
		r.Replay.Frames = append(frames, f)
	}
}

// Ask adds what all blocks say with other minimum effects, and without each benchmark.
func (r *Recorder) Ask(t *analysis.Tracker) {
	own := t.MinEffect(r.Replay.Metric)
	r.Replay.MinEffect = own
	list := append([]float64{own}, margins...)
	slices.Sort(list)
	list = slices.Compact(list)
	for _, least := range list {
		r.Replay.Margins = append(r.Replay.Margins, r.outlook(t.WithMinEffect(r.Replay.Metric, least)))
	}
	common := t.Common()
	r.Replay.Common = len(common)
	common = common[:min(len(common), maxWithout, max(0, r.looks-len(list)))]
	both := len(common) <= maxBoth && len(list)*(1+len(common)) <= r.looks
	for _, b := range common {
		left := t.Without(b)
		r.Replay.Without = append(r.Replay.Without, without(b, r.outlook(left)))
		for _, least := range list {
			if both && least != own {
				r.Replay.Both = append(r.Replay.Both, without(b, r.outlook(left.WithMinEffect(r.Replay.Metric, least))))
			}
		}
	}
}

func without(b assay.Benchmark, o Outlook) Outlook {
	o.Without = b
	return o
}

func (r *Recorder) outlook(t *analysis.Tracker) Outlook {
	o := Outlook{MinEffect: t.MinEffect(r.Replay.Metric)}
	o.Heads, o.Answer = t.Outlook(r.Replay.Metric, r.stop)
	return o
}

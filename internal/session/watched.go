package session

import (
	"context"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/live"
)

// A watched run is told event by event, to the live view or as JSON. What an
// event tells is worked out between two blocks, never between two trials.
type watched struct {
	tell  func(live.Event)
	told  map[analysis.Cell]bool
	meter host.Meter
	// estimates is false where not the tracker says when the run stops.
	estimates bool
	pause     *Pause
	// lines says that lines follow when the blocks have ended.
	lines bool
}

func newWatched(tell func(live.Event), pause *Pause, lines bool) *watched {
	w := &watched{told: map[analysis.Cell]bool{}, pause: pause, lines: lines}
	w.tell = func(e live.Event) {
		e.Time = time.Now().Round(0)
		tell(e)
	}
	return w
}

// begin tells what is to be measured.
func (w *watched) begin(p *assay.Plan, from int, limit time.Duration, on assay.Platform) {
	w.estimates = !p.Study.Decide.Race
	plan := live.Plan{Run: p.Run, Study: p.Study.Name, Command: p.Command, Base: p.Study.Base, Benchmarks: len(p.Benchmarks),
		Budget: limit, MinBlocks: max(from, p.Study.Decide.MinBlocks), MaxBlocks: p.Study.Decide.MaxBlocks, Platform: on.String()}
	for _, v := range p.Variants {
		if v.Name != assay.ControlName {
			plan.Variants = append(plan.Variants, v.Name)
		}
	}
	w.meter.Read(context.Background())
	w.tell(live.Event{Kind: live.KindPlan, Plan: &plan})
}

// event passes on what the lab reports and reports whether that is all there is to
// tell.
func (w *watched) event(e lab.Event, t *analysis.Tracker) bool {
	switch e.Kind {
	case lab.EventBuilt:
		w.tell(live.Event{Kind: live.KindBuild, Build: &live.Build{Variant: e.Variant, Took: e.Took, Cached: e.Cached, LogLines: e.LogLines}})
	case lab.EventTrial:
		w.tell(live.Event{Kind: live.KindTrial, Running: e.Block, Trial: e.Trial, Of: e.Of})
	case lab.EventBlock:
		w.block(e, t)
		w.pause.wait(w.tell)
	default:
		return false
	}
	return true
}

// block tells where the run stands after a block.
func (w *watched) block(e lab.Event, t *analysis.Tracker) {
	s := t.Standing()
	b := live.Block{Number: e.Block, Pilot: e.Pilot, Spent: t.Spent(), Decided: s.Decided, Comparisons: s.Cells}
	if s.Noise > 0 {
		b.Noise = &s.Noise
	}
	if load, ok := w.meter.Read(context.Background()); ok {
		b.Load = &load
	}
	if more, ok := t.Remaining(); ok && w.estimates {
		b.More = &more
	}
	w.tell(live.Event{Kind: live.KindBlock, Block: &b, Cells: t.Interim(live.Cells)})
	w.decide(t)
}

// decide tells what the stop rule has decided since it was last asked.
func (w *watched) decide(t *analysis.Tracker) {
	if cells := t.Turned(w.told); len(cells) > 0 {
		w.tell(live.Event{Kind: live.KindDecide, Cells: cells})
	}
}

// A Pause holds a run between two blocks. The budget does not run meanwhile,
// because only trials and links count.
type Pause struct {
	mu     sync.Mutex
	resume chan struct{} // nil where nobody wants a pause
	// enough and over end a pause with the run.
	enough, over <-chan struct{}
}

// NewPause returns a Pause that ends with either channel.
func NewPause(enough, over <-chan struct{}) *Pause { return &Pause{enough: enough, over: over} }

// Toggle asks for a pause, or ends it.
func (p *Pause) Toggle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.resume == nil {
		p.resume = make(chan struct{})
		return
	}
	close(p.resume)
	p.resume = nil
}

// wait returns at once where nobody asked for a pause, else when it ends.
func (p *Pause) wait(tell func(live.Event)) {
	if p == nil {
		return
	}
	p.mu.Lock()
	resume := p.resume
	p.mu.Unlock()
	if resume == nil {
		return
	}
	tell(live.Event{Kind: live.KindPause, On: true})
	select {
	case <-resume:
	case <-p.enough:
	case <-p.over:
	}
	tell(live.Event{Kind: live.KindPause})
}

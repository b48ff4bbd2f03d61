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

// A watched run is reported event by event, to the live view or as JSON. Events are
// computed between two blocks, never between two trials.
type watched struct {
	tell func(live.Event)
	// run is the id of the run, once it is known.
	run   string
	told  map[analysis.Cell]bool
	meter host.Meter
	// estimates is false if something other than the tracker decides when the run stops.
	estimates bool
	pause     *Pause
	// lines says that lines follow after the last block.
	lines bool
}

func newWatched(tell func(live.Event), pause *Pause, lines bool) *watched {
	w := &watched{told: map[analysis.Cell]bool{}, pause: pause, lines: lines}
	w.tell = func(e live.Event) {
		if e.Time = time.Now().Round(0); w.run != "" {
			e.Run = w.run
		}
		tell(e)
	}
	return w
}

// begin reports what is to be measured.
func (w *watched) begin(p *assay.Plan, from int, limit time.Duration, on assay.Platform) {
	w.estimates = !p.Study.Decide.Race
	w.run = p.Run
	plan := live.Plan{Study: p.Study.Name, Command: p.Command, Base: p.Study.Base, Variants: compared(p), Benchmarks: len(p.Benchmarks),
		Budget: limit, MinBlocks: max(from, p.Study.Decide.MinBlocks), MaxBlocks: p.Study.Decide.MaxBlocks, Platform: on.String()}
	w.meter.Read(context.Background())
	w.tell(live.Event{Kind: live.KindPlan, Plan: &plan})
}

// event passes on an event of the lab. It reports whether no further report is needed.
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

// block reports the state of the run after a block.
func (w *watched) block(e lab.Event, t *analysis.Tracker) {
	s := t.Standing()
	b := live.Block{Number: e.Block, Spent: t.Spent(), Decided: s.Decided, Comparisons: s.Cells}
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

// decide reports what the stop rule has decided since the last call.
func (w *watched) decide(t *analysis.Tracker) {
	if cells := t.Turned(w.told); len(cells) > 0 {
		w.tell(live.Event{Kind: live.KindDecide, Cells: cells})
	}
}

// A Pause holds a run between two blocks. The budget does not run meanwhile.
type Pause struct {
	mu     sync.Mutex
	resume chan struct{} // nil if no pause was requested
	paused time.Duration // by pauses that have ended
	// Both end a pause together with the run.
	enough, over <-chan struct{}
}

// NewPause returns a Pause that ends when either channel is closed.
func NewPause(enough, over <-chan struct{}) *Pause { return &Pause{enough: enough, over: over} }

// Toggle requests a pause, or ends it.
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

// wait returns at once if no pause was requested, else when it ends.
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
	began := time.Now()
	tell(live.Event{Kind: live.KindPause, On: true})
	select {
	case <-resume:
	case <-p.enough:
	case <-p.over:
	}
	tell(live.Event{Kind: live.KindPause})
	p.mu.Lock()
	p.paused += time.Since(began)
	p.mu.Unlock()
}

// total returns how long all pauses have taken.
func (p *Pause) total() time.Duration {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paused
}

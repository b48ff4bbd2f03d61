package main

import (
	"context"
	"os"
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
	pause     pause
}

func newWatched(tell func(live.Event)) *watched {
	w := &watched{told: map[analysis.Cell]bool{}}
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

// ended tells what was decided last, when the rule had been asked once more.
func (w *watched) ended(t *analysis.Tracker) {
	if w != nil {
		w.decide(t)
	}
}

// A pause holds a run between two blocks. The budget does not run meanwhile,
// because only trials and links count.
type pause struct {
	mu     sync.Mutex
	resume chan struct{} // nil where nobody wants a pause
	// enough and over end a pause with the run.
	enough, over <-chan struct{}
}

// toggle asks for a pause, or ends it.
func (p *pause) toggle() {
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
func (p *pause) wait(tell func(live.Event)) {
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

// showLive shows the run live instead of in lines, where somebody looks at a
// terminal.
func (p *progress) showLive(s *session) {
	if p == nil || !s.flags.live || s.flags.progress != "auto" || s.flags.events || !watchable(p.c) {
		return
	}
	m := live.Model{Style: p.c.err()}
	var in *os.File
	if f, ok := terminalOf(os.Stdin); ok {
		in, m.Keys = f, true
	}
	m.Add(live.Event{Kind: live.KindPlan, Plan: &live.Plan{Command: s.command}})
	var w *watched
	screen := live.NewScreen(p.c.stderr, in, m, func(k live.Key) { pressed(k, &w.pause, s.interrupt) })
	w = newWatched(screen.Add)
	w.pause.enough, w.pause.over = s.interrupt.enough, s.interrupt.over
	p.p, p.watched = screen, w
	p.stage("build", "building")
}

// watchable reports whether stderr is a terminal that can be painted on, and ours:
// who is in the background would be stopped for changing it.
func watchable(c *console) bool {
	f, ok := terminalOf(c.stderr)
	name := os.Getenv("TERM")
	return ok && name != "dumb" && name != "" && os.Getenv("CI") == "" && inForeground(f)
}

func pressed(k live.Key, p *pause, i *interruption) {
	switch k {
	case live.KeyPause:
		p.toggle()
	case live.KeyStop:
		i.press()
	case live.KeyQuit:
		i.cancel()
	}
}

// stopping tells that a signal ends the run after the block.
func (p *progress) stopping(text string) {
	if p == nil {
		return
	}
	if p.watched != nil {
		p.watched.tell(live.Event{Kind: live.KindStop})
	}
	p.say(text)
}

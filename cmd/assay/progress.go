package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
)

// A teller is where progress goes: lines, the live view, or events as JSON.
type teller interface {
	// Say prints a text, once however often it is said.
	Say(text string)
	// Line tells where a stage, such as "survey" or "measure", has got to.
	Line(stage, text string)
	// Done removes what is rewritten.
	Done()
}

// A progress tells on stderr where a run is. A nil *progress is silent.
type progress struct {
	c *console
	p teller
	// watched is set where somebody follows the run event by event.
	watched *watched
	tracker *analysis.Tracker
	// standing is as of the last block: to work it out between two trials would
	// disturb the next.
	standing analysis.Standing
	// label says which of many runs this is, where a search makes them: what is
	// said of each run alone is then left out.
	label string
}

func newProgress(c *console, f *runFlags) *progress {
	switch {
	case c.quiet:
		return nil
	case f.events:
		return eventProgress(c)
	case f.progress == "none":
		return nil
	}
	return &progress{c: c, p: newLines(c, f.progress == "plain")}
}

// newLines is progress in lines; plain ones are never rewritten.
func newLines(c *console, plain bool) *report.Progress {
	_, terminal := terminalOf(c.stderr)
	p := report.NewProgress(c.stderr, terminal && os.Getenv("TERM") != "dumb" && !plain, time.Now)
	p.Style = c.err()
	return p
}

// terminalOf is the terminal that is written to, if it is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

func (p *progress) say(text string) {
	if p != nil {
		p.p.Say(text)
	}
}

// stage tells where a search is between its runs.
func (p *progress) stage(name, text string) {
	if p != nil {
		p.p.Line(name, text)
	}
}

func (p *progress) done() {
	if p != nil {
		p.p.Done()
	}
}

// resumed tells that a run is gone on with, and what was cut.
func (p *progress) resumed(r *record.Record) {
	run := r.Run()
	text := fmt.Sprintf("assay: run %s goes on after block %d", run.Plan.Run, len(run.Blocks()))
	if r.Cut > 0 {
		text += fmt.Sprintf("; a torn last line of %d bytes was cut off", r.Cut)
	}
	p.say(text)
}

// begin tells what is to be measured, for how long at most.
func (p *progress) begin(plan *assay.Plan, t *analysis.Tracker, limit time.Duration, on assay.Platform) {
	if p == nil {
		return
	}
	p.tracker, p.standing = t, t.Standing()
	if p.watched != nil {
		p.watched.begin(plan, t.From(), limit, on)
	} else if n := len(plan.Benchmarks); n > 0 && p.label == "" {
		p.say(fmt.Sprintf("assay: run %s: %s × %d variants, at most %s", plan.Run, printable.Count(n, "benchmark"), compared(plan), limit))
	}
	for _, w := range plan.Warnings {
		if w.Minor() {
			continue
		}
		p.warn(w)
	}
}

// compared is the number of variants, less the one that only stands for the
// base once more.
func compared(plan *assay.Plan) int {
	n := 0
	for _, v := range plan.Variants {
		if v.Name != assay.ControlName {
			n++
		}
	}
	return n
}

func (p *progress) warn(w assay.Warning) {
	if p == nil {
		return
	}
	if e, ok := p.p.(*eventWriter); ok {
		e.Add(live.Event{Kind: live.KindWarn, Warning: &w})
		return
	}
	report.WarningText(sayer{p}, []assay.Warning{w}, p.c.err())
}

// A sayer is an io.Writer onto Say.
type sayer struct{ p *progress }

func (s sayer) Write(b []byte) (int, error) {
	s.p.say(string(b))
	return len(b), nil
}

// ended tells why the run stopped.
func (p *progress) ended(r *assay.Result) {
	if p == nil {
		return
	}
	p.watched.ended(p.tracker)
	p.p.Done()
	switch p.p.(type) {
	case *eventWriter:
		return // the last event says it
	case *live.Screen:
		p.p, p.watched = newLines(p.c, false), nil
	}
	if p.label != "" {
		return
	}
	s := p.tracker.Standing()
	p.say(fmt.Sprintf("assay: done, %s measured: %d of %d decided, stopped: %s", r.Spent.Time.Round(time.Second), s.Decided, s.Cells, r.Spent.Stop))
}

// gates tells how many steps have had their gates checked, which may run all tests
// of each.
func (p *progress) gates(checked, of int) {
	if p != nil {
		p.p.Line("gates", fmt.Sprintf("checking gates: %d of %s done", checked, printable.Count(of, "step")))
	}
}

// event shows what the lab reports.
func (p *progress) event(e lab.Event) {
	if p == nil {
		return
	}
	if p.watched != nil && p.watched.event(e, p.tracker) {
		return
	}
	switch e.Kind {
	case lab.EventWarning:
		p.say("assay: " + e.Text)
	case lab.EventBuilt:
		if p.label == "" {
			p.say(builtText(e))
		}
	case lab.EventFound:
		if p.label != "" {
			return
		}
		p.p.Line("survey", fmt.Sprintf("calibrated %d of %d benchmarks", e.Trial, e.Of))
	case lab.EventEvidence:
		p.p.Line("evidence", fmt.Sprintf("explaining %s, trial %d of %d", e.Text, e.Trial, e.Of))
	case lab.EventTrial:
		p.p.Line("measure", p.where(e)+fmt.Sprintf(", trial %d of %d", e.Trial, e.Of))
	case lab.EventBlock:
		p.standing = p.tracker.Standing()
		p.p.Line("measure", p.where(e))
	}
}

func builtText(e lab.Event) string {
	took := "from the cache"
	if !e.Cached {
		took = e.Took.Round(100 * time.Millisecond).String()
	}
	text := fmt.Sprintf("assay: built %s (%s)", e.Variant, took)
	if e.LogLines > 0 {
		text += fmt.Sprintf(", %d log lines hidden", e.LogLines)
	}
	return text
}

func (p *progress) where(e lab.Event) string {
	name := fmt.Sprintf("block %d", e.Block)
	if e.Pilot {
		name = fmt.Sprintf("pilot block %d", e.Block)
	}
	if p.label != "" {
		return p.label + ": " + name // how many are decided is not its question
	}
	s := p.standing
	// The clock of the result, of which the summary and the answer speak.
	text := fmt.Sprintf("%s, %s measured: %d of %d decided", name, p.tracker.Spent().Round(time.Second), s.Decided, s.Cells)
	if s.Noise > 0 {
		text += ", noise ±" + s.Noise.Format(s.Noise)[1:]
	}
	return text
}

package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
)

// A progress tells on stderr where a run is. A nil *progress is silent.
type progress struct {
	c       *console
	p       *report.Progress
	tracker *analysis.Tracker
	// standing is as of the last block: to work it out between two trials would
	// disturb the next.
	standing analysis.Standing
	start    time.Time
}

func newProgress(c *console, f *runFlags) *progress {
	if c.quiet || f.progress == "none" {
		return nil
	}
	file, ok := c.stderr.(*os.File)
	terminal := ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb" && f.progress != "plain"
	p := report.NewProgress(c.stderr, terminal, time.Now)
	p.Style = c.err()
	return &progress{c: c, p: p, start: time.Now()}
}

func (p *progress) say(text string) {
	if p != nil {
		p.p.Say(text)
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

func (p *progress) begin(plan *assay.Plan, t *analysis.Tracker) {
	if p == nil {
		return
	}
	p.tracker, p.standing = t, t.Standing()
	if n := len(plan.Benchmarks); n > 0 {
		p.say(fmt.Sprintf("assay: run %s: %s × %d variants, at most %s", plan.Run, count(n, "benchmark"), compared(plan), plan.Study.Decide.Budget))
	}
	for _, w := range plan.Warnings {
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

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (p *progress) warn(w assay.Warning) {
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
	p.p.Done()
	s := p.tracker.Standing()
	p.say(fmt.Sprintf("assay: done %s: %d of %d decided, stopped: %s", r.Spent.Time.Round(time.Second), s.Decided, s.Cells, r.Spent.Stop))
}

// event shows what the lab reports.
func (p *progress) event(e lab.Event) {
	if p == nil {
		return
	}
	switch e.Kind {
	case lab.EventWarning:
		p.say("assay: " + e.Text)
	case lab.EventBuilt:
		p.say(builtText(e))
	case lab.EventFound:
		p.p.Line("survey", fmt.Sprintf("calibrated %d of %d benchmarks", e.Trial, e.Of))
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
	s := p.standing
	text := fmt.Sprintf("%s, %s: %d of %d decided", name, time.Since(p.start).Round(time.Second), s.Decided, s.Cells)
	if s.Noise > 0 {
		text += ", noise ±" + s.Noise.Format(s.Noise)[1:]
	}
	return text
}

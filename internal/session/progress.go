package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
)

// A Teller receives progress: lines, the live view, or events as JSON.
type Teller interface {
	// Say prints a text; repeated texts are printed once.
	Say(text string)
	// Line reports the progress of a stage, such as "survey" or "measure".
	Line(stage, text string)
	// Warn prints a warning.
	Warn(w assay.Warning)
	// Done removes lines that are still being rewritten.
	Done()
}

// A Progress reports the progress of a run. A nil *Progress is silent.
type Progress struct {
	teller Teller
	// watched is set if somebody follows the run event by event.
	watched *watched
	tracker *analysis.Tracker
	// standing is as of the last block: computing it between two trials would disturb the
	// next.
	standing analysis.Standing
	// label says which of a search's many runs this is. Reports about single runs are
	// then omitted.
	label string
	// brief is set if several machines share a line.
	brief bool
}

// NewProgress returns a Progress that prints lines.
func NewProgress(t Teller) *Progress { return &Progress{teller: t} }

// Follow reports the run event by event. lines says that lines follow after the last
// block. pause may be nil.
func (p *Progress) Follow(tell func(live.Event), pause *Pause, lines bool) {
	p.watched = newWatched(tell, pause, lines)
}

// Label says which of a search's many runs the next reports are about.
func (p *Progress) Label(text string) {
	if p != nil {
		p.label = text
	}
}

// Say prints a text; repeated texts are printed once.
func (p *Progress) Say(text string) {
	if p != nil {
		p.teller.Say(text)
	}
}

// Stage reports the progress of a search between its runs.
func (p *Progress) Stage(name, text string) {
	if p != nil {
		p.teller.Line(name, text)
	}
}

// Done removes lines that are still being rewritten.
func (p *Progress) Done() {
	if p != nil {
		p.teller.Done()
	}
}

// Stopping reports that a signal ends the run after the block.
func (p *Progress) Stopping(text string) {
	if p == nil {
		return
	}
	if p.watched != nil {
		p.watched.tell(live.Event{Kind: live.KindStop})
	}
	p.Say(text)
}

func (p *Progress) warn(w assay.Warning) {
	if p != nil {
		p.teller.Warn(w)
	}
}

// longBuild is the time after which Building speaks.
const longBuild = 5 * time.Second

// Building says that the budget does not include fetching toolchains and building, if that
// takes long. The caller calls built when it is done.
func (p *Progress) Building(budget time.Duration) (built func()) {
	if p == nil || budget == 0 {
		return func() {}
	}
	t := time.AfterFunc(longBuild, func() {
		p.Say(fmt.Sprintf("assay: still building; the budget of %s begins after that", budget))
	})
	return func() { t.Stop() }
}

// paused returns how long the user has paused the run.
func (p *Progress) paused() time.Duration {
	if p == nil || p.watched == nil {
		return 0
	}
	return p.watched.pause.total()
}

// resumed reports that a run is resumed, and what was cut off.
func (p *Progress) resumed(r *record.Record) {
	run := r.Run()
	text := fmt.Sprintf("assay: run %s resumes after block %d", run.Plan.Run, len(run.Blocks()))
	if r.Cut > 0 {
		text += fmt.Sprintf("; a torn last line of %d bytes was cut off", r.Cut)
	}
	p.Say(text)
}

// begin reports what is to be measured, and the time limit.
func (p *Progress) begin(plan *assay.Plan, t *analysis.Tracker, limit time.Duration, on assay.Platform) {
	if p == nil {
		return
	}
	p.tracker, p.standing = t, t.Standing()
	if p.watched != nil {
		p.watched.begin(plan, t.From(), limit, on)
	} else if n := len(plan.Benchmarks); n > 0 && p.label == "" {
		p.Say(fmt.Sprintf("assay: run %s: %s × %d variants, at most %s of calibrating and measuring", plan.Run, printable.Count(n, "benchmark"), len(compared(plan)), limit))
	}
	for _, w := range plan.Warnings {
		if !w.Minor() {
			p.warn(w)
		}
	}
}

// compared returns the variants without the control or its substitute.
func compared(plan *assay.Plan) (names []string) {
	for _, v := range plan.Variants {
		if v.Name != assay.ControlName {
			names = append(names, v.Name)
		}
	}
	return names
}

// ended reports why the run stopped.
func (p *Progress) ended(r *assay.Result) {
	if p == nil {
		return
	}
	p.teller.Done()
	if w := p.watched; w != nil {
		w.decide(p.tracker) // the rule was evaluated once more
		if !w.lines {
			return // the last event has it
		}
		p.watched = nil
	}
	if p.label != "" {
		return
	}
	s := p.tracker.Standing()
	p.Say(fmt.Sprintf("assay: done, %s: %d of %d decided, stopped: %s", answer.Measuring(r.Spent), s.Decided, s.Cells, r.Spent.Stop))
}

// Event shows an event of the lab.
func (p *Progress) Event(e lab.Event) {
	if p == nil {
		return
	}
	if p.watched != nil && p.watched.event(e, p.tracker) {
		return
	}
	switch e.Kind {
	case lab.EventWarning:
		p.Say("assay: " + e.Text)
	case lab.EventBuilt:
		if p.label == "" {
			p.Say(builtText(e))
		}
	case lab.EventFound:
		if p.label != "" {
			return
		}
		p.teller.Line("survey", fmt.Sprintf("calibrated %d of %d benchmarks", e.Trial, e.Of))
	case lab.EventEvidence:
		p.teller.Line("evidence", fmt.Sprintf("explaining %s, trial %d of %d", e.Text, e.Trial, e.Of))
	case lab.EventTrial:
		p.teller.Line("measure", p.where(e)+fmt.Sprintf(", trial %d of %d", e.Trial, e.Of))
	case lab.EventBlock:
		p.standing = p.tracker.Standing()
		p.teller.Line("measure", p.where(e))
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

func (p *Progress) where(e lab.Event) string {
	name := fmt.Sprintf("block %d", e.Block)
	if p.label != "" {
		return p.label + ": " + name // the number of decided cells is not its question
	}
	s := p.standing
	if p.brief {
		return fmt.Sprintf("%s, %d of %d decided", name, s.Decided, s.Cells)
	}
	// The clock of the result, as in the summary and the answer.
	text := fmt.Sprintf("%s, %s of measuring: %d of %d decided", name, printable.Duration(p.tracker.Spent()), s.Decided, s.Cells)
	if s.Noise > 0 {
		text += ", noise " + plusMinus(s.Noise)
	}
	if s.Now > 0 && s.End < s.Now {
		text += ", "
		if s.Now < 1 { // two or three blocks may say millions of percent
			text += plusMinus(s.Now) + " now, "
		}
		text += plusMinus(s.End) + " at the end"
	}
	return text
}

// plusMinus is "±4 %".
func plusMinus(c assay.Change) string { return "±" + strings.TrimPrefix(c.Format(c), "+") }

package bisect

import (
	"context"
	"errors"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/session"
)

// ErrStopped is the end of a search that the user ended. Its findings are kept.
var ErrStopped = errors.New("stopped")

// openSearch checks the machine of a search and opens its session, on which all probes run.
func openSearch(ctx context.Context, cfg session.Config) (*session.Session, error) {
	if err := session.Admit(ctx, cfg); err != nil {
		return nil, err
	}
	return session.Open(ctx, cfg)
}

// A measurement is one run of a search.
type measurement struct {
	study *assay.Study
	// share is its part of the budget of the search. again continues the run of the same
	// measurement for that long.
	share time.Duration
	again bool
	// rule makes the rule that ends it, and ruleName is its name in the end of the run.
	rule     func(*assay.Plan, *analysis.Tracker) lab.StopRule
	ruleName string
}

// measure builds the variants of a measurement and runs it in the session of the search. took
// is what it used of the budget: the time of trials and links (measured), and of all between
// them. On a simulated machine the trials are the clock.
func measure(ctx context.Context, ses *session.Session, m measurement) (run string, measured, took time.Duration, err error) {
	var more time.Duration
	if m.again {
		more = m.share
	}
	m.study.Name, m.study.Decide.Budget = "bisect "+ses.Config.Study.Name, m.share
	one := ses.Probe(m.study, more)
	if err := one.Build(ctx); err != nil {
		return "", 0, 0, err
	}
	ses.SkipCheck() // the settings of all probes are those of the search
	start := time.Now()
	run, measured, err = one.MeasureProbe(ctx, m.ruleName, m.rule)
	if took = time.Since(start); ses.Config.Simulation != nil {
		took = measured
	}
	return run, measured, took, err
}

// report reports a finding: what was measured, where it lies and why, and its effect and
// cost as effectText and costText write them.
func report(p *session.Progress, what string, place Place, why, effect, cost string) {
	text := "assay: " + what
	if place != "" {
		text += ": " + string(place)
	}
	if why != "" {
		text += ", " + why
	}
	p.Done()
	p.Say(text + effect + cost)
}

// effectText returns the change that a finding rests on, and that of the ends if it is not
// nil.
func effectText(change, whole *Estimate) string {
	switch {
	case change == nil:
		return ""
	case whole == nil || whole.Interval == nil || whole.Interval.SaysNothing():
		return ", " + change.String()
	}
	return ", " + change.String() + "; the ends differ by " + whole.Change.Format(whole.Half())
}

// costText returns the blocks and the time that a finding took.
func costText(blocks int, took time.Duration) (text string) {
	if blocks > 0 {
		text = ", " + printable.Count(blocks, "block")
	}
	return text + ", " + took.Round(100*time.Millisecond).String()
}

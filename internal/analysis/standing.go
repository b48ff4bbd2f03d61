package analysis

import (
	"time"

	"github.com/seed-1318a441/assay"
)

// A Standing is how far a run has got, for the progress display.
type Standing struct {
	// Decided of Cells comparisons need no more blocks.
	Decided, Cells int
	// Noise is the A/A floor, 0 while it is not known.
	Noise assay.Change
}

// Standing tells how far the run has got. It shows what Next last found. It
// takes milliseconds in a long list: once a block, not once a trial.
func (t *Tracker) Standing() Standing {
	var s Standing
	for _, x := range t.standing() {
		s.Cells++
		s.Decided += btoi(x.decided)
	}
	for _, m := range t.plan.Study.Decide.Metrics {
		t.standSteps(&s, m)
	}
	if t.set.Blocks >= t.set.From {
		s.Noise = t.tables.noise().Floor
	}
	return s
}

// standSteps adds the comparisons from step to step, where they must be decided.
func (t *Tracker) standSteps(s *Standing, metric string) {
	if !t.plan.Study.ComparesSteps() {
		return
	}
	for _, b := range t.set.Active() {
		for _, l := range t.set.Chain.Links {
			if l.Before == t.plan.Study.Base {
				continue // counted with the base
			}
			if x := t.set.Chain.Cell(b, metric, l); x != nil {
				s.Cells++
				s.Decided += btoi(x.Left || x.Exact(t.set.From))
			}
		}
	}
}

// From is the number of blocks before which nothing is decided.
func (t *Tracker) From() int { return t.set.From }

// Spent is the measuring time of this run so far.
func (t *Tracker) Spent() time.Duration { return t.costs.Spent() }

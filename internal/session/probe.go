package session

import (
	"context"
	"errors"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/search"
	"github.com/seed-1318a441/assay/internal/spec"
)

// ErrStopped is the end of a search that the user ended. Its findings are kept.
var ErrStopped = errors.New("stopped")

// probe returns the session of one measurement of a search. more, if above 0, continues
// the run of the same measurement.
func (s *session) probe(study *assay.Study, more time.Duration) *session {
	one := *s
	one.started = time.Now() // each measurement has a budget of its own
	study.Name = "bisect " + s.Study.Name
	one.Study, one.Text, one.More = study, spec.Format(study), more
	return &one
}

// noCheck is the check of the knobs of a probe, which are those of the whole search.
func noCheck(context.Context) ([]assay.Warning, error) { return nil, nil }

// measureProbe measures a probe that was built, by its own rule. It returns the run and
// the time that this measurement took.
func (s *session) measureProbe(ctx context.Context) (run string, measured time.Duration, err error) {
	if err := s.openRecord(ctx); err != nil {
		return "", 0, err
	}
	defer s.rec.Close()
	defer s.Stop.measuring.Store(false)
	before := s.measuredBefore()
	r, err := s.run(ctx)
	if err == nil && r.Spent.Stop == assay.StopInterrupted {
		err = context.Canceled
	}
	if err != nil {
		return "", 0, err
	}
	return r.Run, r.Spent.Time - before, nil
}

// effectText returns the change that a finding rests on, of the whole if that is not nil.
func effectText(change, whole *search.Estimate) string {
	switch {
	case change == nil:
		return ""
	case whole == nil:
		return ", " + change.String()
	}
	return ", " + change.String() + " of " + whole.Change.Format(whole.Half())
}

// costText returns the blocks and the time that a finding took.
func costText(blocks int, took time.Duration) (text string) {
	if blocks > 0 {
		text = ", " + printable.Count(blocks, "block")
	}
	return text + ", " + took.Round(100*time.Millisecond).String()
}

package session

import (
	"context"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/spec"
)

// Probe returns the session of one measurement of a search, whose study has the machine
// of this session. more, if above 0, continues the run of the same measurement.
func (s *Session) Probe(study *assay.Study, more time.Duration) *Session {
	one := *s
	one.Config.Study, one.Config.Text, one.Config.More = study, spec.Format(study), more
	return &one
}

// SkipCheck makes Build skip the check of the variants' settings: those of a probe are
// those of the whole search.
func (s *Session) SkipCheck() {
	s.checkKnobs = func(context.Context) ([]assay.Warning, error) { return nil, nil }
}

// MeasureProbe measures a probe that was built until its own rule, made by rule, ends it.
// named is that rule's name in the end of the run, "" if it asks the tracker for every
// block. It returns the run and the time that this measurement took.
func (s *Session) MeasureProbe(ctx context.Context, named string, rule func(*assay.Plan, *analysis.Tracker) lab.StopRule) (run string, measured time.Duration, err error) {
	s.rule, s.ruleName = rule, named
	if err := s.openRecord(ctx); err != nil {
		return "", 0, err
	}
	defer s.Record.Close()
	defer s.Config.Stop.measuring.Store(false)
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

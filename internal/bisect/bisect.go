package bisect

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/shell"
)

// FindCommit finds the first commit of a history with the change that its last commit has. It
// reuses measurements of an earlier bisection of the same question, unless again is set.
// If the user stops it, the error is ErrStopped, and the result is what was found so far.
func FindCommit(ctx context.Context, cfg session.Config, h History, again bool) (*Result, error) {
	ses, err := openSearch(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer ses.Close()
	b := &bisector{ses: ses, history: h, search: NewBisection(len(h.Commits), cfg.Study.Decide.Alpha())}
	if err := b.open(ctx, again); err != nil {
		return nil, err
	}
	defer b.log.Close()
	early, err := b.searchAll(ctx)
	if err != nil {
		return nil, err
	}
	b.ses.Config.Progress.Done()
	r := b.result()
	switch early {
	case endedByUser:
		r.Resume, err = r.Command, ErrStopped
	case endedByBudget:
		r.Resume = shell.With(r.Command, "budget", schedule.Duration(2*b.budget.limit))
	}
	return r, err
}

// result returns what was found so far.
func (b *bisector) result() *Result {
	study := b.ses.Config.Study
	r := b.search.Result(b.history.Good, b.history.Commits, (&assay.Plan{Study: *study}).Metric(study.Decide.Metrics[0]))
	r.Study, r.Command, r.Platform, r.Confidence = study.Name, b.ses.Config.Command, b.ses.Platform.ID, study.Decide.Confidence
	return r
}

// open opens the log and reads its findings.
func (b *bisector) open(ctx context.Context, again bool) (err error) {
	if err := b.ses.DescribeMachine(ctx); err != nil {
		return err
	}
	q, err := b.history.Question(b.ses.Config.Study, b.ses.Platform.ID, b.ses.Config.Command)
	if err != nil {
		return err
	}
	if b.log, err = OpenLog(q.LogFile(b.ses.Config.Store), q, again); err != nil {
		return session.StoreError(b.ses.Config.Store, err)
	}
	for _, f := range b.log.Findings {
		if err := b.search.Add(f); err != nil {
			b.log.Close()
			return session.StoreError(b.ses.Config.Store, fmt.Errorf("%w: start again with --again", err))
		}
	}
	b.budget = budget{limit: b.ses.Config.Study.Decide.Budget, used: b.result().Measured}
	if n := len(b.search.findings); n > 0 {
		b.ses.Config.Progress.Say(fmt.Sprintf("assay: the bisection resumes after %s", printable.Count(n, "measurement")))
	}
	return nil
}

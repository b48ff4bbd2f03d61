package bisect

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/session"
)

// FindCommit finds the first commit of a history with the change that its last commit has. It
// reuses measurements of an earlier bisection of the same question, unless again is set.
// If the user stops it, the error is ErrStopped.
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
	if err := b.searchAll(ctx); err != nil {
		return nil, err
	}
	b.ses.Config.Progress.Done()
	r := b.search.Result(h.Good, h.Commits, (&assay.Plan{Study: *b.ses.Config.Study}).Metric(b.ses.Config.Study.Decide.Metrics[0]))
	r.Study, r.Command, r.Platform, r.Confidence = b.ses.Config.Study.Name, b.ses.Config.Command, b.ses.Platform.ID, b.ses.Config.Study.Decide.Confidence
	return r, nil
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
	if b.log, err = OpenLog[Finding](q.LogFile(b.ses.Config.Store), q, again); err != nil {
		return session.StoreError(b.ses.Config.Store, err)
	}
	for _, f := range b.log.Findings {
		if err := b.search.Add(f); err != nil {
			b.log.Close()
			return session.StoreError(b.ses.Config.Store, fmt.Errorf("%w: start again with --again", err))
		}
	}
	if n := len(b.log.Findings); n > 0 {
		b.ses.Config.Progress.Say(fmt.Sprintf("assay: the bisection resumes after %s", printable.Count(n, "measurement")))
	}
	return nil
}

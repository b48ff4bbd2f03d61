package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/milestone"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/survey"
)

// openRecord opens the record of what was built: a new one, or that of the same study to
// resume or extend.
func (s *Session) openRecord(ctx context.Context) (err error) {
	if s.Record, err = s.takeUp(); err != nil || s.Record != nil {
		return err
	}
	found, err := s.checkGates(ctx)
	if err != nil {
		return err
	}
	return s.createRecord(ctx, found)
}

// createRecord makes the plan and the record of a new run. found are the findings of the
// gates.
func (s *Session) createRecord(ctx context.Context, found []milestone.Finding) error {
	plan, earlier, err := s.plan(ctx)
	if err != nil {
		return err
	}
	plan.Gates = results(s.Config.Study, found)
	return StoreError(s.Config.Store, s.peer.create(func() error {
		if earlier == nil {
			s.Record, err = record.Create(s.Config.Store, plan, s.Platform, s.Config.Text)
		} else {
			s.Config.Progress.Say(fmt.Sprintf("assay: run %s continues run %s, which has fewer steps, after its block %d", plan.Run, earlier.Plan.Run, len(earlier.Blocks())))
			s.Record, err = record.Extend(s.Config.Store, plan, s.Platform, s.Config.Text, earlier)
		}
		if err == nil {
			err = errors.Join(s.sign(), writeGates(s.Record, found))
		}
		return err
	}))
}

// takeUp opens the newest run of the same study if it was interrupted or --more was
// given.
func (s *Session) takeUp() (*record.Record, error) {
	kept, err := record.List(s.Config.Store)
	if err != nil {
		return nil, StoreError(s.Config.Store, err)
	}
	hash := design.StudyHash(s.Config.Study)
	elsewhere := false
	for _, e := range slices.Backward(kept) {
		if e.StudyHash != hash || e.Platform.ID != s.Platform.ID || e.Group != "" {
			continue // another question, or the same of another machine or of several
		}
		if !e.Platform.Is(s.Platform) {
			if !e.Finished && !elsewhere {
				s.Config.Progress.Say(fmt.Sprintf("assay: run %s is not taken up again here: another computer like this one measured it", e.Run))
			}
			elsewhere = true
			continue
		}
		if e.Finished && s.Config.More == 0 {
			return nil, nil
		}
		rec, why, err := s.reopen(e)
		if why != "" {
			s.Config.Progress.Say(fmt.Sprintf("assay: run %s is not taken up again: %s; a new run begins", e.Run, why))
		}
		return rec, err
	}
	if s.Config.More > 0 {
		return nil, assay.UsageError(assay.CodeNoRun, "--more: this comparison has no run in "+s.Config.Store, s.again())
	}
	return nil, nil
}

// reopen opens a run of the same study on this machine to measure more. why says why that
// is not possible though nothing is wrong.
func (s *Session) reopen(e record.Entry) (rec *record.Record, why string, err error) {
	rec, err = record.Open(e.Dir)
	if fault, ok := errors.AsType[*record.Fault](err); ok && fault.Unsealed && s.Config.More == 0 {
		return nil, "an older assay measured it", nil
	}
	if err != nil {
		return nil, "", OpenError(err, e.Run, e.Run)
	}
	if why := s.Changed(rec.Run()); why != "" {
		return nil, why, rec.Close()
	}
	if err := TrustError(s.Config.Trust, rec.Run(), shell.With(s.again(), "more", schedule.Duration(s.Config.More))); err != nil && s.Config.More == 0 {
		return nil, "it was not made here", rec.Close()
	} else if err != nil {
		return nil, "", errors.Join(err, rec.Close())
	}
	s.Config.Progress.resumed(rec)
	return rec, "", nil
}

// OpenError returns why a run cannot be written to. ref is the run's name on the command
// line.
func OpenError(err error, run, ref string) error {
	if !errors.Is(err, record.ErrLocked) {
		return runs.BadRecord(ref, err)
	}
	return assay.NewError(assay.ExitRefused, assay.CodeRunLocked, fmt.Sprintf("another assay is measuring run %s", run),
		[]string{"two at a time would disturb each other's trials and write one record twice"}, "wait for it, or stop it: it keeps what it has measured")
}

// Changed returns why a run cannot be resumed here, or "".
func (s *Session) Changed(r *record.Run) string {
	if r.Plan.Outdated() {
		return "an older assay measured it in a way that this one does not have"
	}
	infos := s.Builds.Infos()
	if slices.EqualFunc(infos, r.Plan.Artifacts, r.Plan.SameBuild) {
		return ""
	}
	for i := range infos {
		infos[i].Reads = ""
	}
	if slices.EqualFunc(infos, r.Plan.Artifacts, r.Plan.SameBuild) {
		return "files that its benchmarks may read have changed since"
	}
	return "the code it measured has changed since"
}

// earlier returns the run of a shorter chain of the same steps, nil if there is none; its
// measurements are reused. A complete chain is measured anew, like any study that is run
// a second time.
func (s *Session) earlier() (*record.Run, error) {
	if s.Config.Study.Steps == nil {
		return nil, nil
	}
	kept, err := record.List(s.Config.Store)
	if err != nil {
		return nil, StoreError(s.Config.Store, err)
	}
	hash := design.StudyHash(s.Config.Study)
	if slices.ContainsFunc(kept, func(e record.Entry) bool { return e.Finished && e.StudyHash == hash && e.Platform.Is(s.Platform) }) {
		return nil, nil
	}
	run, err := survey.Earlier(kept, s.Config.Study, s.Platform, s.Builds.Infos())
	if err != nil {
		return nil, runs.BadRecord(s.Config.Store, err)
	}
	return run, nil
}

// StoreError reports a store that cannot be read or written.
func StoreError(store string, err error) error {
	if err == nil {
		return nil
	}
	return assay.NewError(assay.ExitRefused, assay.CodeStore, fmt.Sprintf("cannot keep a run in %s", store), []string{printable.OneLine(err)}, "--store DIR, a folder that can be written")
}

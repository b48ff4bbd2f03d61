package bisect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/session"
)

// A bisector makes the measurements of a bisection, each in a separate session on the
// same machine and builder.
type bisector struct {
	ses     *session.Session // shared by all; its study is that of the ends
	history History
	search  *Bisection
	log     *Log
	builds  commitBuilds
	budget  budget
}

// searchAll measures until the bisection has ended, or its budget. early says why it ended
// before the answer, "" if it did not.
func (b *bisector) searchAll(ctx context.Context) (early string, err error) {
	for {
		ask, ok := b.search.Next()
		if !ok {
			return "", nil
		}
		var f Finding
		err := b.ses.WaitForMachine(ctx) // it builds in advance
		if err == nil {
			f, err = b.answer(ctx, ask)
		}
		switch {
		case err == errBudget:
			return endedByBudget, nil
		case err != nil && (lab.IsInterrupt(err) || ctx.Err() != nil):
			return endedByUser, nil
		case err != nil:
			return "", err
		}
		if err := b.add(f); err != nil {
			return "", err
		}
		b.reportFinding(ask, f)
	}
}

// The reasons to end before the answer.
const (
	endedByUser   = "stopped"
	endedByBudget = "budget"
)

// errBudget says that nothing more can be measured within the budget.
var errBudget = errors.New("the budget is over")

// add keeps a finding and takes it into the search.
func (b *bisector) add(f Finding) error {
	if err := b.log.Append(f); err != nil {
		return session.StoreError(b.ses.Config.Store, err)
	}
	return b.search.Add(f)
}

// answer makes one measurement.
func (b *bisector) answer(ctx context.Context, ask Ask) (Finding, error) {
	start := time.Now()
	b.ses.Config.Progress.Label(b.probeName(ask))
	if err := b.buildAhead(ctx, ask); err != nil {
		return Finding{}, err
	}
	if now, _ := b.search.Next(); now != ask { // the code of what was built says more
		return b.answer(ctx, now)
	}
	f, known := b.search.known(ask)
	err := b.builds.done[ask.Index]
	if err == nil && !known {
		err = b.compare(ctx, ask, &f)
	}
	if why, skip := unmeasurable(err); skip && ask.Kind != AskEnds && ctx.Err() == nil {
		f.Place, f.Why, err = PlaceSkip, why, nil
	}
	f.Commit = b.history.At(ask.Index).Hash
	f.Took = time.Since(start)
	return f, err
}

// unmeasurable returns why a commit cannot be measured, if it is the commit's own fault:
// it does not build, or its benchmarks do not run.
func unmeasurable(err error) (why string, skip bool) {
	e, ok := errors.AsType[*assay.Error](err)
	if !ok || strings.HasPrefix(e.Try, "go mod download") { // the network's fault
		return "", false
	}
	why = e.Text
	if len(e.Facts) > 0 {
		why += ": " + e.Facts[0]
	}
	switch {
	case e.Exit == assay.ExitBuild, e.Code == assay.CodeUnknownRevision, e.Code == assay.CodeNoBenchmarks, e.Code == assay.CodeNoPackage, e.Code == assay.CodeOutsideModule:
		return printable.Brief(why), true
	}
	return "", false
}

// compare measures a commit and fills in the finding.
func (b *bisector) compare(ctx context.Context, ask Ask, f *Finding) error {
	share, ok := b.budget.share(ask, b.search.Steps())
	if !ok {
		return errBudget
	}
	study, name := b.studyOf(ask)
	var probe *Probe
	run, measured, took, err := measure(ctx, b.ses, measurement{study: study, share: share, again: ask.Again, ruleName: assay.RuleProbe,
		rule: func(p *assay.Plan, t *analysis.Tracker) lab.StopRule {
			probe = NewProbe(ask, p, t, name)
			return probe
		}})
	b.budget.used += took
	if err != nil {
		return err
	}
	*f = probe.Finding()
	f.Run, f.Measured = run, measured
	if f.Place == PlaceUndecided && f.Blocks <= b.blocksBefore(ask) {
		return errBudget // not one block fits into it
	}
	return nil
}

// blocksBefore returns the blocks that a measurement had when it was left undecided.
func (b *bisector) blocksBefore(ask Ask) int {
	if last := len(b.search.findings) - 1; ask.Again {
		return b.search.findings[last].Blocks
	}
	return 0
}

// studyOf returns the study of one measurement, and the name of the commit's variant in
// it.
func (b *bisector) studyOf(ask Ask) (*assay.Study, string) {
	name, goodRev := b.history.Short(ask.Index), b.history.At(ask.Good).Hash
	switch ask.Kind {
	case AskEnds:
		name = VariantBad
	case AskRecheck:
		goodRev = b.history.Parent(ask)
	}
	return ask.Study(b.ses.Config.Study, name, b.history.At(ask.Index).Hash, goodRev, b.history.At(ask.Bad).Hash), name
}

// probeName returns the name of a measurement.
func (b *bisector) probeName(ask Ask) string {
	switch ask.Kind {
	case AskEnds:
		return "ends"
	case AskRecheck:
		return "re-check"
	}
	return fmt.Sprintf("probe %d, %s left", b.search.Probed()+1, printable.Count(b.search.Left(), b.history.Noun()))
}

// reportFinding reports a finding.
func (b *bisector) reportFinding(ask Ask, f Finding) {
	short := b.history.Short(ask.Index)
	whole := f.Whole
	var what, left string
	switch ask.Kind {
	case AskEnds:
		what, whole = fmt.Sprintf("ends: %s against %s", short, b.history.Short(ask.Good)), nil
	case AskRecheck:
		what, whole = fmt.Sprintf("re-check: %s against its parent", short), nil
	default:
		what = fmt.Sprintf("probe: %s %s", short, printable.Brief(b.history.At(ask.Index).Subject))
		left = fmt.Sprintf("; %s left", printable.Count(b.search.Left(), b.history.Noun()))
	}
	report(b.ses.Config.Progress, what, f.Place, f.Why, effectText(f.Change, whole), costText(f.Blocks, f.Took)+left)
}

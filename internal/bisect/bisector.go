package bisect

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

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
	log     *Log[Finding]
	// built has the revisions built in advance, with the error of those that failed.
	built sync.Map
}

// searchAll measures until the bisection has ended.
func (b *bisector) searchAll(ctx context.Context) error {
	for {
		ask, ok := b.search.Next()
		if !ok {
			return nil
		}
		var f Finding
		err := b.ses.WaitForMachine(ctx) // it builds in advance
		if err == nil {
			f, err = b.answer(ctx, ask)
		}
		if err != nil {
			if lab.IsInterrupt(err) || ctx.Err() != nil {
				done, about := b.search.Probed()
				b.ses.Config.Progress.Done()
				b.ses.Config.Progress.Say(fmt.Sprintf("assay: stopped after %d of about %s; it resumes with\n  %s", done, printable.Count(about, "probe"), b.ses.Config.Command))
				return ErrStopped
			}
			return err
		}
		if err := b.log.Append(f); err != nil {
			return session.StoreError(b.ses.Config.Store, err)
		}
		if err := b.search.Add(f); err != nil {
			return err
		}
		b.reportFinding(ask, f)
	}
}

// answer makes one measurement.
func (b *bisector) answer(ctx context.Context, ask Ask) (Finding, error) {
	start := time.Now()
	b.ses.Config.Progress.Label(b.probeName(ask))
	f := Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad}
	err := b.buildAhead(ctx, ask)
	if err == nil {
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

// buildAhead builds the next commit, and with it those that may come after: nothing is
// built while trials run. The error is that of the next commit.
func (b *bisector) buildAhead(ctx context.Context, ask Ask) error {
	wanted := []int{ask.Index}
	if ask.Kind == AskEnds {
		wanted = append(wanted, BeforeFirst)
	}
	b.ses.Config.Progress.Stage("build", fmt.Sprintf("%s: building %s", b.probeName(ask), b.history.Short(ask.Index)))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, i := range append(wanted, b.search.Ahead()...) {
		rev := b.history.At(i).Hash
		if _, known := b.built.Load(rev); known {
			continue
		}
		g.Go(func() error {
			s := Ask{Kind: AskEnds}.Study(b.ses.Config.Study, b.history.Short(i), rev, rev, "")
			s.Variants, s.Base = s.Variants[1:], b.history.Short(i)
			_, err := lab.Build(ctx, b.ses.Workshop, s, b.ses.Config.Progress.Event)
			if ctx.Err() == nil {
				b.built.Store(rev, err)
			}
			return nil
		})
	}
	g.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	failed, _ := b.built.Load(b.history.At(ask.Index).Hash)
	err, _ := failed.(error)
	return err
}

// compare measures a commit and fills in the finding.
func (b *bisector) compare(ctx context.Context, ask Ask, f *Finding) error {
	study, name := b.studyOf(ask)
	var probe *Probe
	run, measured, err := measure(ctx, b.ses, measurement{study: study, again: ask.Again, ruleName: assay.RuleProbe,
		known: func(same []assay.SameCode) bool { return sameCode(same, ask, name, f) },
		rule: func(p *assay.Plan, t *analysis.Tracker) lab.StopRule {
			probe = NewProbe(ask, p, t, name)
			return probe
		}})
	if err != nil || run == "" {
		return err
	}
	*f = probe.Finding()
	f.Run, f.Measured = run, measured
	return nil
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

// sameCode fills in the finding from the binaries alone if two of them are the same code.
func sameCode(same []assay.SameCode, ask Ask, name string, f *Finding) bool {
	for _, s := range same {
		is := func(a, b string) bool { return s.Variant == a && s.As == b || s.Variant == b && s.As == a }
		switch {
		case ask.Kind != AskProbe && is(name, VariantGood):
			f.Place = PlaceSame
		case is(name, VariantGood):
			f.Place = PlaceGood
		case is(name, VariantBad):
			f.Place = PlaceBad
		default:
			continue
		}
		f.Why = fmt.Sprintf("same code as %s, all %d functions", s.As, s.Functions)
		if s.As == name {
			f.Why = fmt.Sprintf("same code as %s, all %d functions", s.Variant, s.Functions)
		}
		return true
	}
	return false
}

// probeName returns the name of a measurement.
func (b *bisector) probeName(ask Ask) string {
	switch ask.Kind {
	case AskEnds:
		return "ends"
	case AskRecheck:
		return "re-check"
	}
	done, about := b.search.Probed()
	return fmt.Sprintf("probe %d of ~%d", done+1, max(about, done+1))
}

// reportFinding reports a finding.
func (b *bisector) reportFinding(ask Ask, f Finding) {
	short := b.history.Short(ask.Index)
	whole := f.Whole
	var what string
	switch ask.Kind {
	case AskEnds:
		what, whole = fmt.Sprintf("ends: %s against %s", short, b.history.Short(ask.Good)), nil
	case AskRecheck:
		what, whole = fmt.Sprintf("re-check: %s against its parent", short), nil
	default:
		done, about := b.search.Probed() // it includes this one, if it was decisive
		if f.Place == PlaceUndecided {
			done, about = done+1, max(about, done+1)
		}
		what = fmt.Sprintf("probe %d of ~%d: %s %s", done, about, short, printable.Brief(b.history.At(ask.Index).Subject))
	}
	report(b.ses.Config.Progress, what, f.Place, f.Why, effectText(f.Change, whole), costText(f.Blocks, f.Took))
}

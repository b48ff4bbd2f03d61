package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/search"
)

// A session is one study being measured.
type session struct {
	c       *console
	flags   *runFlags
	study   *assay.Study
	text    []byte // of the study, kept with the record
	command string
	builder *build.Builder
	machine lab.Machine
	// checkKnobs refuses settings that a toolchain does not know.
	checkKnobs func(context.Context) ([]assay.Warning, error)
	// written warns of benchmarks that write into their folder.
	written   func() []assay.Warning
	memo      lab.Memo
	progress  *progress
	interrupt *interruption
	// rule makes the stop rule; nil is that of the study.
	rule func(*assay.Plan, *analysis.Tracker) lab.StopRule

	platform assay.Platform
	builds   *lab.Builds
	warnings []assay.Warning
	rec      *record.Record
	// started is when the budget began.
	started time.Time
}

// limit is the time that the user waits at most.
func (s *session) limit() time.Duration { return cmp.Or(s.flags.more, s.study.Decide.Budget) }

// chargePreparation counts what building the variants and checking the gates took
// against the budget, but half of it at most: how long they take is not for the
// user to choose, and the next start finds them done.
func (s *session) chargePreparation() {
	if earliest := time.Now().Add(-s.limit() / 2); s.started.Before(earliest) {
		s.started = earliest
	}
}

// left is what is left of the budget before the first block.
func (s *session) left() time.Duration { return max(s.limit()-time.Since(s.started), 1) }

// measuredBefore is the measuring time that the record holds already.
func (s *session) measuredBefore() (sum time.Duration) {
	for _, block := range s.rec.Run().Blocks() {
		sum += schedule.Spent(block)
	}
	return sum
}

// measure runs a study to its end and prints the result. The same study cut
// off before is taken up where it was.
func measure(ctx context.Context, c *console, f *runFlags, s *assay.Study, text []byte, command string) error {
	f.live = true
	r, err := measured(ctx, c, f, s, text, command)
	if r == nil {
		return toldError(c, f, err)
	}
	// What was measured is printed, also where a file of -o cannot be written.
	if err := errors.Join(printResult(c, f, r), err); err != nil {
		return toldError(c, f, err)
	}
	annotate(c, f, r.Warnings)
	tellDone(c, f, r)
	if code := status(r, f); code != assay.ExitOK {
		return exitError(code)
	}
	return nil
}

// measured runs a study to its end, stores the result and writes the files of
// -o.
func measured(ctx context.Context, c *console, f *runFlags, s *assay.Study, text []byte, command string) (*assay.Result, error) {
	if f.more < 0 {
		return nil, usageError("flags", fmt.Sprintf("--more: %v is not above 0", f.more), "")
	}
	if err := checkSummary(f); err != nil {
		return nil, err
	}
	ses, closeAll, err := newSession(c, f, s, text, command)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	ctx, stop := ses.interrupt.watch(ctx, ses.progress.stopping)
	defer stop()
	ses.progress.showLive(ses)
	if err := ses.open(ctx); err != nil {
		return nil, err
	}
	defer ses.rec.Close()
	r, err := ses.run(ctx)
	if err != nil {
		return nil, err
	}
	return r, errors.Join(writeOutputs(f.outputs, r, ses.rec.Run()), appendSummary(f, r))
}

// newSession prepares a study for this machine.
func newSession(c *console, f *runFlags, s *assay.Study, text []byte, command string) (*session, func(), error) {
	builder := build.New("")
	local, err := lab.NewLocal(builder)
	if err != nil {
		return nil, nil, err
	}
	if local.Assay, err = os.Executable(); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("find assay's own program: %w", err), local.Close())
	}
	p := newProgress(c, f)
	builder.Warn = p.warn
	back, err := fixForRun(f, p)
	if err != nil {
		return nil, nil, errors.Join(err, local.Close())
	}
	check := func(ctx context.Context) ([]assay.Warning, error) { return local.CheckKnobs(ctx, s) }
	return &session{c: c, flags: f, study: s, text: text, command: command, builder: builder, machine: local, checkKnobs: check, written: local.Written, started: c.started,
		memo: lab.Memo{Load: builder.Load, Store: builder.Store}, progress: p, interrupt: new(interruption)}, func() { p.done(); back(); local.Close() }, nil
}

// open builds the variants and opens the record: a new one, or that of the
// same study which was cut off or is to be given more.
func (s *session) open(ctx context.Context) (err error) {
	if err := s.build(ctx); err != nil {
		return err
	}
	return s.openRecord(ctx)
}

// build describes the machine, checks the knobs and builds every variant.
func (s *session) build(ctx context.Context) (err error) {
	if s.platform, err = s.machine.Platform(ctx); err != nil {
		return err
	}
	s.platform = host.For(s.platform, s.study.Measure.GOARCH, s.study.Measure.GOMAXPROCS)
	if s.warnings, err = s.checkKnobs(ctx); err != nil {
		return s.because(err)
	}
	err = inGroup(s.groups(), "build", func() error {
		s.builds, err = lab.Build(ctx, s.machine, s.study, s.progress.event)
		return s.because(err)
	})
	if local, ok := s.machine.(*lab.Local); ok && err == nil {
		s.warnings = append(s.warnings, local.CheckVariables(s.study, s.builds, s.command)...)
	}
	return err
}

// plan finds and calibrates the benchmarks.
func (s *session) plan(ctx context.Context, earlier *record.Run) (*assay.Plan, error) {
	id, err := record.NewID(s.flags.store)
	if err != nil {
		return nil, storeError(s.flags.store, err)
	}
	var seed [8]byte
	rand.Read(seed[:])
	setup := lab.Setup{
		Study: s.study, Machine: s.machine, Builds: s.builds, Platform: s.platform, Memo: s.memo, Events: s.progress.event,
		Run: id, Command: s.command, Created: time.Now().UTC().Round(0), Seed: binary.LittleEndian.Uint64(seed[:]), Left: s.left,
	}
	if earlier != nil {
		setup.Earlier = earlier.Plan
	}
	p, err := lab.Prepare(ctx, setup)
	if err != nil {
		return nil, s.because(err)
	}
	p.Warnings = slices.Concat(s.warnings, inherited(s.study), s.builder.Lacking(), p.Warnings)
	return p, nil
}

// run runs the plan to its end and stores the result.
func (s *session) run(ctx context.Context) (*assay.Result, error) {
	plan := s.rec.Run().Plan
	plan.Study.Dir = s.study.Dir
	plan.Study.Steps, plan.Study.Report = s.study.Steps, s.study.Report // as they are told today
	plan.Study.Explain, plan.Study.Measure.Collect = s.study.Explain, s.study.Measure.Collect
	earlier := s.explanations()
	s.interrupt.measuring.Store(true)
	if s.flags.more > 0 {
		plan = schedule.Unlimited(plan)
	}
	tracker := s.track(plan)
	s.progress.begin(plan, tracker, s.limit(), s.platform)
	rule, race := s.stopRule(plan, tracker)
	job := &lab.Job{Plan: plan, Machine: s.machine, Builds: s.builds, Record: s.rec, Rule: rule, Events: s.progress.event, Enough: s.interrupt.enough}
	stop, err := "same code", error(nil)
	if len(plan.Benchmarks) > 0 {
		stop, err = job.Run(ctx)
	}
	if err != nil && !lab.IsInterrupt(err) {
		return nil, s.kept(err)
	}
	r := tracker.Result(s.rec.Run().Platform, stop)
	r.Warnings = append(r.Warnings, s.written()...)
	if race != nil {
		r.Race, r.Answer = race.Result(), race.Answer(r)
	}
	addPictures(r, s.rec.Run())
	s.progress.ended(r)
	explainNoise(ctx, r)
	s.explainChanges(ctx, plan, r)
	keepEarlier(r, earlier)
	if err := s.rec.WriteResult(r); err != nil {
		return nil, s.kept(err)
	}
	return r, s.writeReport(r)
}

// track follows the plan until the budget of this call is over: it began with the
// call, and a run that is taken up has used a part of its own before.
func (s *session) track(plan *assay.Plan) *analysis.Tracker {
	used := s.measuredBefore()
	limit := s.limit()
	if s.flags.more > 0 {
		limit += used
	}
	t := analysis.NewTracker(plan, limit)
	t.TimedBy(func() time.Duration { return used + time.Since(s.started) })
	return t
}

// stopRule is the tracker's own, a race where the study asks which variant is
// the best, or that of a search which makes many runs.
func (s *session) stopRule(plan *assay.Plan, t *analysis.Tracker) (lab.StopRule, *search.Race) {
	if s.rule != nil {
		return s.rule(plan, t), nil
	}
	if !plan.Study.Decide.Race {
		return t, nil
	}
	race := search.NewRace(plan, t)
	return race, race
}

// explainNoise adds to the warning of a restless machine what makes it so.
func explainNoise(ctx context.Context, r *assay.Result) {
	i := slices.IndexFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "noisy" })
	if i < 0 {
		return
	}
	for _, f := range host.Inspect(ctx, r.Platform) {
		if len(r.Warnings[i].Facts) < 3 {
			r.Warnings[i].Facts = append(r.Warnings[i].Facts, f.Text)
		}
	}
}

// reportFile is the result as text, beside the record.
const reportFile = "report.txt"

// writeReport writes the whole result as text into the run folder.
func (s *session) writeReport(r *assay.Result) error {
	name := filepath.Join(s.rec.Dir, reportFile)
	f, err := os.Create(name)
	if err != nil {
		return s.kept(err)
	}
	err = report.Text(f, r, report.Style{Width: 100, All: true, Hyphen: true})
	if err := errors.Join(err, f.Close()); err != nil {
		return s.kept(err)
	}
	return nil
}

// kept adds to an error that ended a run how to go on.
func (s *session) kept(err error) error {
	return &assay.Error{Warning: assay.Warning{Code: "stopped", Text: oneLine(err),
		Facts: []string{fmt.Sprintf("run %s keeps its %d complete blocks", s.rec.Run().Plan.Run, len(s.rec.Run().Blocks()))},
		Try:   s.command + "   (goes on from there)"}, Exit: assay.ExitRefused}
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// status is the exit status of a result, from docs/cli.md.
func status(r *assay.Result, f *runFlags) int {
	failed := slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "bench-failed" || w.Code == "wrong-output" })
	noisy := slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "noisy" })
	switch {
	case r.Spent.Stop == lab.Interrupted:
		return assay.ExitInterrupted
	case r.Answer.Gate == "failed", r.Answer.Gate == "undecided" && f.undecided == "fail":
		return assay.ExitGate
	case failed:
		return assay.ExitBuild
	case noisy && f.strict:
		return assay.ExitRefused
	case r.Answer.Gate == "undecided" && f.undecided != "pass":
		return assay.ExitUndecided
	}
	return assay.ExitOK
}

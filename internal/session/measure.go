package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/search"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/survey"
)

// A Session is one study being measured.
type Session struct {
	Config Config
	// Builder has the sources and toolchains of this computer. Workshop builds variants
	// with it; that of a simulation does without.
	Builder  *build.Builder
	Workshop lab.Builder
	// Platform is known after DescribeMachine, and Builds after Build.
	Platform assay.Platform
	Builds   *lab.Builds
	// Record is the run's, nil before it was opened.
	Record *record.Record

	site site
	// checkKnobs returns an error for settings unknown to a toolchain, or that the
	// machine cannot run.
	checkKnobs func(context.Context) ([]assay.Warning, error)
	// rule makes the stop rule; nil means the study's.
	rule func(*assay.Plan, *analysis.Tracker) lab.StopRule
	// ruleName is the name of that rule in the end of the run.
	ruleName string

	warnings []assay.Warning
	// peer is set for one of several machines that are measured side by side.
	peer   *peer
	budget stopwatch
}

// Close releases the session's resources.
func (s *Session) Close() {
	s.Config.Progress.Done()
	s.site.close()
}

// Machine returns the machine that runs the trials.
func (s *Session) Machine() lab.Machine { return s.site.Machine }

// limit returns the budget of this call.
func (s *Session) limit() time.Duration { return cmp.Or(s.Config.More, s.Config.Study.Decide.Budget) }

// A stopwatch measures how much of a budget a call has used.
type stopwatch struct {
	started  time.Time // zero before
	progress *Progress
}

// start begins the budget unless it has begun. What comes before does not count: fetching
// toolchains, building, gates and waiting for a machine take as long as they take, and the
// next start finds most of it done.
func (w *stopwatch) start() {
	if w.started.IsZero() {
		w.started = time.Now()
	}
}

// elapsed returns the time since the start, without pauses.
func (w *stopwatch) elapsed() time.Duration { return time.Since(w.started) - w.progress.paused() }

// budgetLeft returns what is left of the budget before the first block.
func (s *Session) budgetLeft() time.Duration { return max(s.limit()-s.budget.elapsed(), 1) }

// measuredBefore returns the measuring time already in the record.
func (s *Session) measuredBefore() (sum time.Duration) {
	for _, block := range s.Record.Run().Blocks() {
		sum += schedule.Spent(block)
	}
	return sum
}

// Measure runs a study to its end, and stores the result in the run that it returns. It
// resumes an interrupted run of the same study. Where a machine of a pool is lost, a new
// run begins on another one.
func Measure(ctx context.Context, cfg Config) (*assay.Result, *record.Run, error) {
	hosts := slices.Clone(cfg.Study.Hosts)
	r, run, err := measureOnce(ctx, cfg)
	if len(hosts) != 1 || !hosts[0].OfPool() || !isLost(err) || cfg.Lease.lost != "" || ctx.Err() != nil {
		return r, run, err
	}
	cfg.Lease.lost, _ = cfg.Study.Hosts[0].Agent()
	cfg.Progress.Say(fmt.Sprintf("assay: %s; a new run begins on another machine of %s", printable.OneLine(err), hosts[0].Label))
	cfg.Study.Hosts, cfg.Lease.admitted = hosts, false
	return measureOnce(ctx, cfg)
}

// isLost reports whether a run ended because its machine is away.
func isLost(err error) bool {
	e, ok := errors.AsType[*lostError](err)
	return ok && e != nil
}

// A lostError ended a run whose machine is away. It reads like the error in it.
type lostError struct{ error }

// Unwrap returns the error with its exit status and code.
func (e *lostError) Unwrap() error { return e.error }

// measureOnce measures a study on one machine.
func measureOnce(ctx context.Context, cfg Config) (*assay.Result, *record.Run, error) {
	if err := Admit(ctx, cfg); err != nil {
		return nil, nil, err
	}
	s, err := Open(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	defer s.Config.Stop.measuring.Store(false)
	if err := s.Build(ctx); err != nil {
		return nil, nil, err
	}
	if err := s.openRecord(ctx); err != nil {
		return nil, nil, err
	}
	defer s.Record.Close()
	r, err := s.run(ctx)
	return r, s.Record.Run(), err
}

// Plan returns the plan of a study and what would spoil its measurement. It builds the
// variants and calibrates the benchmarks, but measures nothing and creates no run.
func Plan(ctx context.Context, cfg Config) (*assay.Plan, []check.Finding, error) {
	s, err := Open(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	if err := s.Build(ctx); err != nil {
		return nil, nil, err
	}
	p, _, err := s.plan(ctx)
	if err != nil {
		return nil, nil, err
	}
	p.Run, p.Created, p.Left = "", time.Time{}, 0
	return p, s.site.inspect(ctx, s.Platform), nil
}

// Open prepares a study for its machine. The caller must close it.
func Open(ctx context.Context, cfg Config) (*Session, error) {
	s := &Session{Config: cfg, Builder: build.New(cfg.Cache), budget: stopwatch{progress: cfg.Progress}}
	s.Builder.Cache.Warn = cfg.Progress.warn
	if err := s.Config.takeHost(); err != nil {
		return nil, err
	}
	if sim := cfg.Simulation; sim != nil {
		s.site = site{Machine: sim.Machine, written: func() []assay.Warning { return nil }, inspect: inspectHere, close: func() {}}
		s.Workshop = sim.Builder
		s.checkKnobs = func(ctx context.Context) ([]assay.Warning, error) { return nil, s.site.Check(ctx, s.Config.Study) }
		return s, nil
	}
	var err error
	if s.site, err = s.Config.openSite(ctx, s.Builder); err != nil {
		return nil, err
	}
	workshop, study := local.NewWorkshop(s.Builder, s.site.customer), s.Config.Study
	workshop.Target = s.site.target
	s.Workshop = workshop
	s.checkKnobs = func(ctx context.Context) ([]assay.Warning, error) {
		warnings, err := workshop.CheckKnobs(ctx, study)
		if err == nil {
			err = s.site.Check(ctx, study)
		}
		return warnings, err
	}
	return s, nil
}

// Build describes the machine, checks the knobs and builds every variant, after other
// assays have finished.
func (s *Session) Build(ctx context.Context) error {
	if err := checkAddresses(s.Config.Study); err != nil {
		return err
	}
	if err := s.WaitForMachine(ctx); err != nil {
		return err
	}
	if err := s.buildAll(ctx); err != nil || s.peer != nil {
		return err // a peer moves in when it is its turn
	}
	return s.moveIn(ctx)
}

// buildAll is Build on this computer.
func (s *Session) buildAll(ctx context.Context) (err error) {
	if err := s.DescribeMachine(ctx); err != nil {
		return err
	}
	defer s.Config.Progress.Building(s.limit())()
	if s.warnings, err = s.checkKnobs(ctx); err != nil { // fetches toolchains
		return s.withCauses(ctx, err)
	}
	for _, w := range answer.Emulated(s.Platform) {
		s.Config.Progress.warn(w)
	}
	err = s.Config.inGroup("build", func() error {
		s.Builds, err = lab.Build(ctx, s.Workshop, s.Config.Study, s.Config.Progress.Event)
		return s.withCauses(ctx, err)
	})
	if err != nil {
		return err
	}
	s.warnings = append(s.warnings, local.CheckVariables(s.Config.Study, s.Builds, s.Config.Command)...)
	return nil
}

// DescribeMachine finds the platform of the measurements.
func (s *Session) DescribeMachine(ctx context.Context) error {
	p, err := s.site.Platform(ctx)
	p.Emulated = local.Emulator(p, s.Config.Study)
	if s.site.far != nil { // it runs what was built here
		env := host.BuildEnv(ctx)
		maps.Copy(env, p.GoEnv)
		p.GoEnv = env
	}
	s.Platform = host.For(p, s.Config.Study.Measure.GOARCH, s.Config.Study.Measure.GOMAXPROCS)
	return err
}

// plan finds and calibrates the benchmarks. earlier is the run that the plan continues,
// nil if none.
func (s *Session) plan(ctx context.Context) (p *assay.Plan, earlier *record.Run, err error) {
	s.budget.start()
	if earlier, err = s.earlier(); err != nil {
		return nil, nil, err
	}
	id, number, err := record.Next(s.Config.Store)
	if err != nil {
		return nil, nil, StoreError(s.Config.Store, err)
	}
	var seed [8]byte
	rand.Read(seed[:])
	setup := survey.Setup{
		Study: s.Config.Study, Machine: s.site.Machine, Builds: s.Builds, Platform: s.Platform, Memo: s.site.memo, Events: s.Config.Progress.Event,
		Run: id, Command: s.Config.Command, Created: time.Now().UTC().Round(0), Seed: binary.LittleEndian.Uint64(seed[:]), Left: s.budgetLeft, FreshLinks: s.Config.FreshLinks, AA: s.Config.AA,
	}
	if sim := s.Config.Simulation; sim != nil {
		setup.Run, setup.Created, setup.Seed, setup.Left = sim.Run, sim.Created, sim.Seed, nil
	}
	if earlier != nil {
		setup.Earlier = earlier.Plan
	}
	// What was calibrated before the machine was lost is remembered.
	err = lab.Insist(ctx, s.site.Machine, func() (err error) {
		p, err = survey.Prepare(ctx, setup)
		return err
	})
	if err != nil {
		return nil, nil, s.withCauses(ctx, err)
	}
	p.Number, p.Machine = number, s.Config.label()
	s.peer.mark(p)
	if s.Config.Simulation == nil {
		var uid [16]byte
		rand.Read(uid[:])
		p.UID = hex.EncodeToString(uid[:])
	}
	nameAbsentIn(ctx, s.Config, p.Warnings)
	p.Warnings = slices.Concat(s.warnings, inherited(s.Config.Study), lacking(s.Builder.Sources, s.Config), p.Warnings)
	return p, earlier, nil
}

// run runs the plan to its end and stores the result.
func (s *Session) run(ctx context.Context) (*assay.Result, error) {
	s.budget.start() // that of a run that is taken up
	run := s.Record.Run()
	plan := run.Plan
	plan.Study.Dir = s.Config.Study.Dir
	plan.Study.Explain, plan.Study.Measure.Collect = s.Config.Study.Explain, s.Config.Study.Measure.Collect
	end := assay.End{Assay: assay.Version(), Rule: s.ruleName, Budget: s.limit(), More: s.Config.More > 0, Told: s.updateAuthorText(plan)}
	if run.End != nil {
		end.Explanations = run.End.Explanations
	}
	if end.More {
		plan = schedule.Unlimited(plan)
	}
	s.Config.Stop.measuring.Store(true)
	tracker := s.track(plan)
	s.Config.Progress.begin(plan, tracker, s.limit(), s.Platform)
	rule, race := s.stopRule(plan, tracker)
	job := &lab.Job{Plan: plan, Machine: s.site.Machine, Builds: s.Builds, Record: s.Record, Rule: rule, Events: s.Config.Progress.Event, Enough: s.Config.Stop.Requested()}
	var err error
	if end.Stop = "same code"; len(plan.Benchmarks) > 0 {
		end.Stop, err = job.Run(ctx)
	}
	if err != nil && !lab.IsInterrupt(err) {
		if s.peer != nil {
			return s.peer.lost(tracker, race, end, err)
		}
		if e, ok := errors.AsType[*assay.Error](err); ok && e.Code == assay.CodeMachineLost {
			return nil, &lostError{s.withResumeHint(err)}
		}
		return nil, s.withResumeHint(err)
	}
	r, err := runs.Verdicts(tracker, race, run, end)
	if err != nil {
		return nil, s.withResumeHint(err)
	}
	s.Config.Progress.ended(r)
	end.Noise, end.Warnings = s.noiseFacts(ctx, r), append(s.site.written(), s.withheldWarning(r)...)
	leave := s.peer.wait()
	if s.Config.Explain != nil && s.rule == nil {
		s.Config.Explain(ctx, s, plan, r, &end)
	}
	keepFloor(s, tracker, r)
	leave()
	if err := s.store(r, end); err != nil {
		return nil, s.withResumeHint(err)
	}
	if s.Config.Report != nil {
		if err := s.Record.WriteReport(func(w io.Writer) error { return s.Config.Report(w, r) }); err != nil {
			return nil, s.withResumeHint(err)
		}
	}
	runs.Remember(s.Builder.Cache, s.Record.Run().Head(), r)
	return r, nil
}

// track returns a tracker of the plan until the budget of this call is over. A resumed run
// has used a part of it before.
func (s *Session) track(plan *assay.Plan) *analysis.Tracker {
	used := s.measuredBefore()
	limit := s.limit()
	if s.Config.More > 0 {
		limit += used
	}
	t := analysis.NewTracker(plan, limit)
	if s.Config.Simulation == nil { // there what trials say is the clock
		t.TimedBy(func() time.Duration { return used + s.budget.elapsed() })
	}
	return t
}

// store keeps the end of the run, and its result with it.
func (s *Session) store(r *assay.Result, end assay.End) error {
	end.Time = time.Now().UTC().Round(0)
	if err := s.Record.WriteEnd(end); err != nil {
		return err
	}
	runs.Conclude(r, s.Record.Run(), end)
	return s.Record.WriteResult(r)
}

// updateAuthorText puts the study's current texts around the results into the plan. It
// returns them if they differ from those in the stored plan.
func (s *Session) updateAuthorText(plan *assay.Plan) *assay.Told {
	old := assay.Told{Steps: plan.Study.Steps, Report: plan.Study.Report}
	plan.Study.Steps, plan.Study.Report = s.Config.Study.Steps, s.Config.Study.Report
	today := assay.Told{Steps: s.Config.Study.Steps, Report: s.Config.Study.Report}
	if runs.SameJSON(old, today) {
		return nil
	}
	return &today
}

// stopRule returns the study's stop rule, or that of a search that makes many runs.
func (s *Session) stopRule(plan *assay.Plan, t *analysis.Tracker) (lab.StopRule, *search.Race) {
	if s.rule != nil {
		return s.rule(plan, t), nil
	}
	return runs.Rule(plan, t)
}

// mostNoiseFacts is the maximum number of facts about a noisy machine, including those in
// its warning.
const mostNoiseFacts = 3

// noiseFacts lists the sources of noise behind a noisy result.
func (s *Session) noiseFacts(ctx context.Context, r *assay.Result) (facts []string) {
	i := slices.IndexFunc(r.Warnings, runs.IsNoisy)
	if i < 0 {
		return nil
	}
	for _, f := range s.site.inspect(ctx, r.Platform) {
		if len(r.Warnings[i].Facts)+len(facts) < mostNoiseFacts {
			facts = append(facts, f.Text)
		}
	}
	return facts
}

// withResumeHint adds to an error that ended a run how to resume it.
func (s *Session) withResumeHint(err error) error {
	kept := fmt.Sprintf("run %s keeps its %d complete blocks", s.Record.Run().Plan.Run, len(s.Record.Run().Blocks()))
	return assay.NewError(assay.ExitRefused, assay.CodeStopped, printable.OneLine(err), []string{kept}, s.again()+"   (resumes)")
}

// again is the command that asks the same question of the same store. Recorded commands do
// not say where runs are kept.
func (s *Session) again() string {
	if s.Config.Store == StoreDir {
		return s.Config.Command
	}
	return shell.With(s.Config.Command, "store", s.Config.Store)
}

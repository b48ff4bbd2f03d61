package bisect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/session"
)

// A KnobJob is what a process started by cmd/bisect needs to know.
type KnobJob struct {
	Knob   Knob         `json:"knob"`
	Metric string       `json:"metric"`
	Study  *assay.Study `json:"study"`
	Dir    string       `json:"dir"` // of the study
	// Base is the variant as typed, Go its toolchain.
	Base    string   `json:"base"`
	Go      string   `json:"go"`
	Store   string   `json:"store"`
	Command string   `json:"command"`
	Asked   Question `json:"asked"`
}

// A knobSearch makes the measurements of a knob's bisection. The first two and the last
// run in assay's own process, the others in the target's.
type knobSearch struct {
	ses *session.Session
	job *KnobJob
	log KnobLog
}

// open opens the log of the question.
func (k *knobSearch) open(again bool) (err error) {
	k.log.Log, err = OpenLog[KnobFinding](k.job.Asked.LogFile(k.job.Store), k.job.Asked, again)
	return session.StoreError(k.job.Store, err)
}

// FindLines finds the sets of source lines, at most limit of them, where a compiler knob
// matters. It reuses measurements of an earlier search for the same, unless again is set.
// If the user stops it, the error is ErrStopped.
func FindLines(ctx context.Context, cfg session.Config, job *KnobJob, limit int, again bool) (*KnobResult, error) {
	ses, err := openSearch(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer ses.Close()
	k := &knobSearch{ses: ses, job: job}
	if err := k.checkKnob(ctx); err != nil {
		return nil, err
	}
	if job.Metric == assay.MetricTime {
		job.Metric = ses.Config.Study.Decide.Metrics[0] // of commands it has another name
	}
	r, err := k.search(ctx, limit, again)
	if k.log.Log != nil {
		defer k.log.Close()
	}
	k.ses.Config.Progress.Done()
	if err != nil && ctx.Err() != nil || errors.Is(err, context.Canceled) {
		k.ses.Config.Progress.Say("assay: stopped; the bisection resumes with\n  " + job.Command)
		return nil, ErrStopped
	}
	return r, err
}

// checkKnob checks that the base's toolchain can switch the knob at single places of the
// source.
func (k *knobSearch) checkKnob(ctx context.Context) error {
	tc, err := k.ses.Builder.ToolchainFor(ctx, k.ses.Config.Study.Dir, k.ses.Config.Study.Source, k.ses.Config.Study.Variants[0])
	if err != nil {
		return err
	}
	known, err := knobs.DebugKeys(ctx, tc.GOROOT)
	if err != nil {
		return err
	}
	var names []string
	for _, known := range known {
		// gossa and fips are switches for the authors of the compiler and linker.
		if name, ok := strings.CutSuffix(known.Name, "hash"); ok && name != "gossa" && name != "fips" {
			names = append(names, name)
		}
	}
	k.job.Go = tc.Version
	key := k.job.Knob.Key
	if slices.Contains(names, key) {
		return nil
	}
	e := assay.UsageError(assay.CodeBisectKnob, fmt.Sprintf("the compiler of %s cannot search the places of %q", tc.Version, key), "")
	e.Facts = []string{"it can of " + strings.Join(names, ", ")}
	if name := printable.NearestName(key, names); name != "" {
		e.Advice = "--knob=" + name
	}
	return e
}

// search measures the ends, lets cmd/bisect search between them, and compares the result
// with both.
func (k *knobSearch) search(ctx context.Context, limit int, again bool) (*KnobResult, error) {
	job := k.job
	r := &KnobResult{Schema: KnobSchema, Study: job.Study.Name, Command: job.Command, Knob: job.Knob, Variant: job.Base, Go: job.Go,
		Metric: job.Study.Decide.Metrics[0], Confidence: job.Study.Decide.Confidence, Sets: []KnobSet{}}
	ends, err := k.begin(ctx, again)
	if err != nil {
		return nil, err
	}
	r.Platform = k.ses.Platform.ID
	if ends.Place == PlaceChanged {
		found, err := k.between(ctx, limit)
		if err != nil {
			return nil, err
		}
		if r.Status = StatusSpread; len(found.sets) > 0 {
			r.Status, r.More = StatusFound, len(found.sets) == limit
			if err := k.final(ctx, found.sets); err != nil {
				return nil, err
			}
			if r.Sets, err = k.lines(ctx, found.sets); err != nil {
				return nil, err
			}
		}
		r.Why = found.why
	}
	r.Conclude(k.log.Findings)
	return r, nil
}

// begin builds the ends, opens their log, and measures them unless the log has them.
func (k *knobSearch) begin(ctx context.Context, again bool) (*KnobFinding, error) {
	start := time.Now()
	if err := k.ses.DescribeMachine(ctx); err != nil {
		return nil, err
	}
	// The ends are built here, and a resumed search measures in other processes alone.
	if err := k.ses.WaitForMachine(ctx); err != nil {
		return nil, err
	}
	off, on, err := k.builtEnds(ctx)
	if err != nil {
		return nil, err
	}
	job := k.job
	if job.Asked, err = NewQuestion(job.Command, "bisect-knob", design.StudyHash(k.ses.Config.Study), job.Knob, job.Metric, [][]string{off.ids, on.ids}, k.ses.Platform.ID, k.ses.Config.Study.Decide.Budget); err != nil {
		return nil, err
	}
	job.Asked.Knob = job.Knob
	if err := k.open(again); err != nil {
		return nil, err
	}
	if ends := k.log.Ends(); ends != nil {
		k.ses.Config.Progress.Say(fmt.Sprintf("assay: the bisection resumes after %s", printable.Count(len(k.log.Findings)-1, "build")))
		return ends, nil
	}
	f, err := k.measureEnds(ctx, off, on)
	if err != nil {
		return nil, err
	}
	f.Pattern, f.Matches, f.Took = PatternOn, len(on.matches), time.Since(start)
	k.tell("ends: nowhere against everywhere", *f)
	// The ends come last: a log that has them is complete up to that point.
	for _, known := range []KnobFinding{
		{Kind: KnobProbe, Pattern: PatternOff, Code: off.code, Place: PlaceOff, Matches: len(off.matches), Why: "nowhere"},
		{Kind: KnobProbe, Pattern: PatternOn, Code: on.code, Place: PlaceOn, Matches: len(on.matches), Why: "everywhere"}, *f} {
		if k.log.Answer(known.Kind, known.Pattern) != nil {
			continue
		}
		if err := k.log.Append(known); err != nil {
			return nil, session.StoreError(k.job.Store, err)
		}
	}
	return k.log.Ends(), nil
}

// builtEnds builds with the knob off everywhere, and on everywhere.
func (k *knobSearch) builtEnds(ctx context.Context) (off, on builtKnob, err error) {
	defer k.ses.Config.Progress.Building(k.ses.Config.Study.Decide.Budget)()
	k.ses.Config.Progress.Stage("build", "building with "+k.job.Knob.Key+" nowhere and everywhere")
	if off, err = k.built(ctx, PatternOff); err == nil {
		on, err = k.built(ctx, PatternOn)
	}
	return off, on, err
}

// measureEnds compares the knob off everywhere with on everywhere.
func (k *knobSearch) measureEnds(ctx context.Context, off, on builtKnob) (*KnobFinding, error) {
	f := &KnobFinding{Kind: KnobEnds, Place: PlaceSame}
	switch {
	case len(on.matches) == 0 && len(off.matches) == 0:
		f.Why = "there is no place for it in what is searched"
	case off.code != "" && off.code == on.code && !k.ses.Config.Study.Measure.Force:
		f.Why = "same code"
	default:
		ask := KnobAsk{Kind: KnobEnds, Metric: k.job.Metric, Alpha: KnobAlpha(k.ses.Config.Study.Decide.Alpha(), len(on.matches), 0)}
		return k.compare(ctx, ask, off.variant, on.variant)
	}
	return f, nil
}

// final compares the places found with off and on everywhere.
func (k *knobSearch) final(ctx context.Context, sets [][]Match) error {
	start := time.Now()
	pattern := PatternOf(slices.Concat(sets...))
	if k.log.Answer(KnobFinal, pattern) != nil {
		return nil
	}
	k.ses.Config.Progress.Stage("build", "building with the places found")
	some, err := k.built(ctx, pattern)
	if err != nil {
		return err
	}
	ask := KnobAsk{Kind: KnobFinal, Metric: k.log.Ends().By, Alpha: k.ses.Config.Study.Decide.Alpha(), Ends: k.log.Ends()}
	vs, err := k.variants(PatternOff, pattern, PatternOn)
	if err != nil {
		return err
	}
	on := k.log.Answer(KnobProbe, PatternOn)
	same := some.code != "" && some.code == on.Code && !k.ses.Config.Study.Measure.Force
	if same {
		vs = vs[:2] // the same code is not measured twice
	}
	f, err := k.compare(ctx, ask, vs...)
	if err != nil {
		return err
	}
	if same {
		f.Whole, f.Why = f.Change, "same code as everywhere"
	}
	f.Pattern, f.Code, f.Matches, f.Took = pattern, some.code, len(some.matches), time.Since(start)
	k.tell("these places alone", *f)
	return session.StoreError(k.job.Store, k.log.Append(*f))
}

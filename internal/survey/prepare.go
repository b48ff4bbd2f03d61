package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/shell"
)

// Prepare finds and calibrates the benchmarks and makes the plan. If all variants are the
// same code the plan has no benchmarks.
func Prepare(ctx context.Context, s Setup) (*assay.Plan, error) {
	// The meaning of "all CPUs" here is part of what was measured.
	known, hash := *s.Study, design.StudyHash(s.Study)
	known.Measure.GOMAXPROCS = cmp.Or(known.Measure.GOMAXPROCS, s.Platform.CPUs)
	study := &known
	s.Study = study
	p := &assay.Plan{
		Schema: assay.PlanSchema, Run: s.Run, Study: known, StudyHash: hash, Command: s.Command,
		Created: s.Created, Seed: cmp.Or(known.Measure.Seed, s.Seed), Artifacts: s.Builds.Infos(), ControlEvery: design.ControlEvery,
	}
	if s.AA {
		p.ControlEvery = 1
	}
	if s.Earlier != nil { // its blocks begin the new record
		p.Earlier, p.Seed, p.ControlEvery = s.Earlier.Run, s.Earlier.Seed, s.Earlier.ControlEvery
		p.Study.Measure.Layouts = s.Earlier.Study.Measure.Layouts
	}
	if study.By == nil { // otherwise the survey finds the variants
		p.Gaps = s.Builds.Gaps()
		same, unlike := s.Builds.Same(s.Earlier)
		p.Variants, p.Same = design.Variants(study, same, p.Gaps...)
		profiles := s.Builds.UnusedProfiles()
		p.Warnings = slices.Concat(unusedProfiles(study, profiles, s.Command), sameCode(p, profiles, s.Command), otherFiles(unlike))
		p.Together = design.Together(study, p.Variants)
	}
	p.Warnings = append(append(p.Warnings, profileWarnings(p.Artifacts)...), s.Builds.Unbuilt()...)
	if from := study.Source.BenchmarksFrom; from != "" {
		p.Warnings = append(p.Warnings, assay.Warning{Code: assay.CodeOverlay, Text: fmt.Sprintf("the benchmarks of %s are copied over every variant", assay.InWords(from))})
	}
	if allSame(p) {
		return p, nil
	}
	y := &surveyor{Setup: s, metrics: map[string]assay.Better{}}
	if s.Left != nil {
		begun := s.Left()
		y.half = begun / 2
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, max(begun, leastSurvey), ErrNoTime)
		defer cancel()
	}
	if err := y.plan(ctx, p); err != nil {
		return nil, tooShort(ctx, err, p)
	}
	p.Warnings = append(p.Warnings, oversubscribed(study, p.Variants, s.Platform.CPUs)...)
	if s.Left != nil {
		p.Left = max(s.Left(), 1)
	}
	if w, ok := shortBudget(p); ok {
		p.Warnings = append(p.Warnings, w)
	}
	p.Warnings = schedule.OnePrice(p.Warnings)
	return p, nil
}

// plan fills in what only running the benchmarks shows.
func (s *surveyor) plan(ctx context.Context, p *assay.Plan) error {
	if err := s.survey(ctx, p); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.metrics)) {
		p.Metrics = append(p.Metrics, assay.Metric{Name: name, Better: s.metrics[name], MinEffect: p.Study.Decide.Margin(name)})
	}
	if err := (&linker{s, p}).settle(ctx); err != nil {
		return err
	}
	if s.Earlier == nil {
		schedule.FitSlices(p)
	}
	return s.measurePlacement(ctx, p)
}

// allSame reports whether there is nothing to compare.
func allSame(p *assay.Plan) bool {
	n := len(p.Study.Variants)
	return p.Study.By == nil && n > 1 && len(p.Same)+len(p.Gaps) == n-1
}

// survey fills in the plan's benchmarks, and with By its variants.
func (s *surveyor) survey(ctx context.Context, p *assay.Plan) error {
	base := s.base()
	listed, err := s.listAll(ctx, p, base)
	if err != nil {
		return err
	}
	runs := func(f artifactListing) bool { return len(f.Names)+len(f.Failed) > 0 }
	if !slices.ContainsFunc(listed[base.Name], runs) {
		return s.noneInBase(ctx, base, listed)
	}
	if s.Study.By != nil {
		vs, bs, err := variantsBy(s.Study, listed[base.Name])
		if err != nil {
			return assay.UsageError(assay.CodeByKey, err.Error(), "")
		}
		if base, err = planBy(p, vs, bs); err != nil {
			return err
		}
	} else if s.Study.Steps != nil {
		if err := planSteps(p, listed); err != nil {
			return err
		}
		listed = map[string][]artifactListing{base.Name: listed[base.Name]}
	} else {
		others := map[string][]artifactListing{} // including those without any
		for _, v := range p.Variants {
			if v.Name != base.Name && v.Name != assay.ControlName {
				others[v.Name] = listed[v.Name]
			}
		}
		bs, warnings := s.common(ctx, listed[base.Name], others)
		p.Benchmarks, p.Warnings = bs, append(p.Warnings, warnings...)
	}
	p.Warnings = append(p.Warnings, failedWarnings(listed)...)
	p.Warnings = append(p.Warnings, skippedWarnings(s.Study, listed)...)
	if len(p.Benchmarks) == 0 {
		return s.noneLeft(p.Warnings)
	}
	return s.calibrateAll(ctx, p, base)
}

// sameCode reports the variants that are not measured, or only as control. Where a profile
// that is not used would make a difference, the line that uses it is the one to try.
func sameCode(p *assay.Plan, profiles []lab.ProfileChange, command string) (out []assay.Warning) {
	for _, x := range p.Same {
		w := assay.Warning{Code: assay.CodeSameCode, Text: fmt.Sprintf("%q and %q build to the same code", x.As, x.Variant),
			Facts: []string{fmt.Sprintf("all %d functions are equal", x.Functions)}}
		switch {
		case allSame(p) && len(profiles) > 0:
			w.Facts = append(w.Facts, "nothing is measured: as they are built here, without a profile, any difference between them would be noise")
		case allSame(p):
			w.Facts = append(w.Facts, "nothing is measured: any difference between them would be noise")
			w.Try = shell.Switch(command, "force")
		case x.Control:
			w.Facts = append(w.Facts, "kept as a control: any difference between them is noise")
		default:
			w.Facts = append(w.Facts, fmt.Sprintf("%q is not measured", x.Variant))
		}
		out = append(out, w)
	}
	return out
}

// otherFiles reports the variants that only the files beside their code make differ.
func otherFiles(unlike []lab.Unlike) (out []assay.Warning) {
	for _, x := range unlike {
		differ := "differ"
		if len(x.Files) == 1 {
			differ = "differs"
		}
		out = append(out, assay.Warning{Code: assay.CodeOtherFiles,
			Text: fmt.Sprintf("%q and %q have the same functions, but %s %s, which the benchmark may read: measured", x.As, x.Variant, printable.Files(x.Files), differ)})
	}
	return out
}

// planBy plans the variants found in one binary. The base is the study's, else the first.
func planBy(p *assay.Plan, vs []assay.Variant, bs []assay.PlannedBenchmark) (assay.Variant, error) {
	study := p.Study
	if study.Base == study.Variants[0].Name || study.Base == "" {
		study.Base = vs[0].Name
	}
	study.Variants = vs
	if !slices.ContainsFunc(vs, func(v assay.Variant) bool { return v.Name == study.Base }) {
		var found []string
		for _, v := range vs {
			found = append(found, v.Name)
		}
		e := assay.UsageError(assay.CodeByKey, fmt.Sprintf("the base %q is not among the values of the key %q", study.Base, study.By.Key), "")
		e.Facts = []string{"there are: " + strings.Join(found, ", ")}
		return assay.Variant{}, e
	}
	if err := study.Validate(); err != nil {
		return assay.Variant{}, assay.UsageError(assay.CodeByKey, err.Error(), "")
	}
	p.Study.Base = study.Base
	p.Variants, _ = design.Variants(&study, nil)
	p.Benchmarks = slices.DeleteFunc(bs, func(b assay.PlannedBenchmark) bool { return len(b.Names) < len(vs) })
	base, _ := p.Variant(study.Base)
	return base, nil
}

// listAll lists the benchmarks of every variant that will run.
func (s *surveyor) listAll(ctx context.Context, p *assay.Plan, base assay.Variant) (map[string][]artifactListing, error) {
	out := map[string][]artifactListing{}
	vs := p.Variants
	if s.Study.By != nil {
		vs = []assay.Variant{base}
	}
	for _, v := range vs {
		if v.Name == assay.ControlName {
			continue // the base's own binary
		}
		for _, a := range s.Builds.Of(v.Name) {
			l, err := s.named(ctx, v, a)
			if dead, ok := s.deadStep(v, err); ok {
				l, err = dead, nil
			}
			if err != nil {
				return nil, err
			}
			for m, better := range l.Metrics {
				if s.metrics[m] == assay.BetterUnknown {
					s.metrics[m] = better
				}
			}
			if len(l.Names)+len(l.Failed)+len(l.Skipped) > 0 {
				out[v.Name] = append(out[v.Name], artifactListing{l, a})
			}
		}
	}
	return out, nil
}

// named lists the benchmarks of an artifact; the study names commands and services.
func (s *surveyor) named(ctx context.Context, v assay.Variant, a lab.Artifact) (listing, error) {
	if w := s.Study.Workloads[a.Workload]; w.IsProgram() {
		return listing{Names: w.Names}, nil
	}
	name := s.memoName("list3", v, a) // a new number if its content changes
	return remembered(s.Memo, a, name, func() (listing, error) { return s.list(ctx, v, a) })
}

func (s *surveyor) calibrateAll(ctx context.Context, p *assay.Plan, base assay.Variant) error {
	kept, wanted := p.Benchmarks[:0], len(p.Benchmarks)
	var timeless, uncollected []string
	notes := map[assay.Benchmark]gearNote{}
	began := time.Now()
	for i, b := range p.Benchmarks {
		if s.late() && len(kept) > 0 {
			p.Warnings = append(p.Warnings, leftOut(p, i))
			break
		}
		var err error
		if b.Output, err = lab.WantedOutput(s.Study, b.Workload, b.Name); err != nil {
			return err
		}
		c, note, err := s.settle(ctx, p, &b, base, s.deadline(p, began, i))
		if broken, ok := errors.AsType[*brokenError](err); ok {
			w := brokenWarning(s.label(b), broken.reason, base.Name)
			if s.Study.Workloads[b.Workload].Kind == assay.KindCommand {
				sample.NameStatus(&w, broken.reason, s.Command)
			}
			p.Warnings = append(p.Warnings, w)
			continue
		}
		if err != nil {
			return err
		}
		if notes[b.Benchmark] = note; len(note.few) > 0 {
			uncollected = append(uncollected, b.Name+" ("+printable.Few(note.few, someNames)+")")
		}
		p.Warnings = append(p.Warnings, note.doubts...)
		if c.Timeless {
			timeless = append(timeless, b.Name)
		}
		for _, m := range c.Metrics {
			s.metrics[m] = s.Study.Workloads[b.Workload].Better(m)
		}
		if s.Study.Workloads[b.Workload].Kind == assay.KindService {
			p.Warnings = append(p.Warnings, shortLoads(s.Study, b.Name, c.Metrics)...)
			p.Warnings = append(p.Warnings, overloaded(b.Name, base, c.Slow)...)
		}
		kept = append(kept, b)
		s.Events(lab.Event{Kind: lab.EventFound, Text: b.Name, Trial: len(kept), Of: len(p.Benchmarks)})
	}
	p.Benchmarks = kept
	if len(kept) < wanted {
		p.Wanted = wanted
	}
	p.Warnings = append(p.Warnings, s.timelessWarning(timeless)...)
	p.Warnings = append(p.Warnings, fewCycles(uncollected)...)
	p.Warnings = append(p.Warnings, pairWarnings(kept, notes)...)
	if len(kept) == 0 {
		return allFailed(p.Warnings, "every benchmark failed on the base "+base.Name)
	}
	return nil
}

func brokenWarning(name, reason string, variants ...string) assay.Warning {
	var in []string
	for _, v := range variants {
		in = append(in, strconv.Quote(v))
	}
	w := assay.Warning{Code: assay.CodeBenchFailed, Text: fmt.Sprintf("%s failed in %s before the first block", name, strings.Join(in, ", ")),
		Facts: []string{reason, "excluded from the comparison for every variant"}}
	if missesGit.MatchString(reason) {
		w.Facts = append(w.Facts, "trials run in a copy of the tree without .git")
	}
	return w
}

// missesGit matches the reasons of benchmarks that ask for their repository: of git itself,
// and of go-git.
var missesGit = regexp.MustCompile(`not a git repository|repository does not exist|\bgit\b.*exit status 128`)

// failedWarnings warns once about each benchmark, however many variants it fails in.
func failedWarnings(listed map[string][]artifactListing) (out []assay.Warning) {
	in, why := reasons(listed, slices.Sorted(maps.Keys(listed)), func(l listing) map[string]string { return l.Failed })
	for _, b := range slices.SortedFunc(maps.Keys(in), byName) {
		out = append(out, brokenWarning(assay.BenchmarkFunction(b.Name), why[b], in[b]...))
	}
	return out
}

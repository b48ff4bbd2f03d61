package inquiry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
)

// An explainer collects evidence for the differences of one run. Package explain derives
// the causes.
type explainer struct {
	ses      *session.Session
	plan     *assay.Plan // of the explained run
	request  Request
	evidence *record.Evidence
	// opened has the binaries read so far, by artifact.
	opened map[string]*binary.File
	// brief skips everything that needs recompiling, and doubts about the benchmark.
	brief bool
	// now says how the build differs from what was measured, "" if it does not.
	now string
}

func newExplainer(s *session.Session, plan *assay.Plan, q Request) *explainer {
	return &explainer{ses: s, plan: plan, request: q, opened: map[string]*binary.File{}}
}

// A Request says what to explain of a run, and how much evidence to collect for it.
type Request struct {
	// Benchmark is a name or a part of one, "" for those that changed most.
	Benchmark string
	// Variant is the one to explain, "" for all that changed.
	Variant string
	// Dir is the folder of the study or package, "" for that of the run.
	Dir string
	// Collect are kinds of evidence: assay.CollectCode and the like.
	Collect []string
	// Blocks is the number of pairs of CPU profiles; 0 chooses it.
	Blocks int
	// Command is the command line that asks this, for messages.
	Command string
	// Trial is the time of a trial with a profile.
	Trial time.Duration
	// CheckLayout measures whether the difference holds across Layouts blocks with fresh
	// links of each variant, for at most Budget.
	CheckLayout bool
	Layouts     int
	Budget      time.Duration
	// Hosts are the computers to run trials on; none is the one that assay runs on.
	Hosts []assay.Host
	// Named are functions to compare besides those of the study.
	Named []*regexp.Regexp
}

// Read reads what to collect, a list of kinds, and the patterns of functions to compare.
// It checks the rest of the request.
func (q *Request) Read(collect string, functions []string) (err error) {
	q.Collect, err = spec.CollectList(collect)
	if err == nil && q.Blocks < 0 {
		err = fmt.Errorf("%d is below 0", q.Blocks)
	}
	for _, d := range []time.Duration{q.Trial, q.Budget} {
		if err == nil && d <= 0 {
			err = fmt.Errorf("%v is not above 0", d)
		}
	}
	if err != nil {
		return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--collect, --blocks, --trial or --budget: %v", err), "assay explain --help")
	}
	if q.Layouts < fewestLayouts {
		return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--layouts %d: a verdict across layouts takes %d links of each variant at least", q.Layouts, fewestLayouts), "--layouts "+fmt.Sprint(fewestLayouts)+", or more")
	}
	for _, s := range functions {
		re, err := regexp.Compile(s)
		if err != nil {
			return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--func %s: %v", s, err), "assay explain --help")
		}
		q.Named = append(q.Named, re)
	}
	return nil
}

// Explain explains differences of a stored run. It builds the variants again, collects
// the evidence, and keeps the explanations with the run. It returns the run's result with
// them.
func Explain(ctx context.Context, cfg session.Config, run *runs.Found, q Request) (*assay.Result, []assay.Explanation, error) {
	if run.Ending.Stop == "" {
		run.Ending.Stop = assay.StopInterrupted // the run was interrupted, and its explained part is kept as its result
	}
	r, err := run.Result()
	if err != nil {
		return nil, nil, err
	}
	r.Ref = run.Ref
	targets, err := targetsOf(r, run.Plan, q.Benchmark, q.Variant)
	if err != nil {
		return nil, nil, err
	}
	if err := session.TrustError(cfg.Trust, run.Run, cmp.Or(q.Command, "assay explain "+run.Ref)); err != nil {
		return nil, nil, err
	}
	x, err := openExplainer(ctx, cfg, q, run, r)
	if err != nil {
		return nil, nil, err
	}
	defer x.ses.Close()
	defer x.ses.Record.Close()
	made, err := x.withEvidence(func() ([]assay.Explanation, error) { return x.explainAll(ctx, r, targets) })
	if len(made) > 0 {
		err = errors.Join(err, x.keep(r, run.Ending, made))
	}
	return r, made, err
}

// openExplainer builds the variants of a run again and opens its record.
func openExplainer(ctx context.Context, cfg session.Config, q Request, run *runs.Found, r *assay.Result) (x *explainer, err error) {
	plan := run.Plan
	if plan.Study.Dir, err = studyDir(plan, q.Dir); err != nil {
		return nil, err
	}
	plan.Study.Hosts = q.Hosts
	cfg.Study, cfg.Command = &plan.Study, plan.Command
	ses, err := session.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			ses.Close()
		}
	}()
	if err := ses.Build(ctx); err != nil {
		return nil, err
	}
	if ses.Record, err = record.Open(run.Dir); err != nil {
		return nil, session.OpenError(err, plan.Run, run.Ref)
	}
	if ses.Record.Run().Head() != run.Head() {
		return nil, errors.Join(fmt.Errorf("run %s was changed by another assay while its variants were built", plan.Run), ses.Record.Close())
	}
	x = newExplainer(ses, plan, q)
	x.now = ses.Changed(ses.Record.Run())
	if !ses.Platform.Is(run.Platform) {
		ses.Config.Progress.Say(elsewhere(run, r))
	}
	return x, nil
}

// elsewhere says that a run was measured on another machine than its causes are looked for
// on.
func elsewhere(run *runs.Found, r *assay.Result) string {
	text := "assay: run " + run.Ref + " was measured on another machine: "
	if r.Machine != "" {
		text += r.Machine + ", "
	}
	text += run.Platform.String()
	if on := sheet.OnArg(r); on != "" {
		text += "; " + sheet.ShellLine([]string{on}) + " looks for the causes there"
	}
	return printable.Line(text, 500)
}

// explainAll explains one benchmark after the other. On an error it also returns the
// explanations made before it.
func (x *explainer) explainAll(ctx context.Context, r *assay.Result, targets []target) (out []assay.Explanation, err error) {
	for i, t := range targets {
		x.ses.Config.Progress.Stage("explain", fmt.Sprintf("explaining %s, %d of %d", t.row.Benchmark.Name, i+1, len(targets)))
		made, err := x.explain(ctx, r, t)
		out = append(out, made...)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// asked returns the patterns of the functions that the request names.
func (x *explainer) asked() (out []string) {
	for _, re := range x.request.Named {
		out = append(out, re.String())
	}
	return out
}

// explain explains the requested variants of one benchmark.
func (x *explainer) explain(ctx context.Context, r *assay.Result, t target) ([]assay.Explanation, error) {
	planned, _ := x.plan.Planned(t.row.Benchmark)
	trials, warnings, err := x.trials(ctx, r, t)
	if err != nil {
		return nil, err
	}
	for _, w := range x.plan.Warnings {
		if w.Code == assay.CodeProfileMatch { // built with a profile of other code, which affects inlining
			warnings = append(warnings, w)
		}
	}
	var out []assay.Explanation
	for _, cell := range t.cells {
		m := explain.Material{Metric: t.metric, Settings: settingsApart(x.plan, cell.Variant), Links: design.LinksBehind(x.plan, cell.N),
			Explanation: assay.Explanation{Benchmark: t.row.Benchmark, Base: r.Base, Comparison: cell, BaseValue: t.row.Base,
				Functions: x.asked(), Warnings: slices.Clone(warnings), Layout: x.fresh(cell)}}
		for _, t := range trials {
			m.Spent += t.Duration
		}
		d := &difference{x: x, planned: planned, cell: cell, m: &m, trials: trials, counted: countedAllocs(r, cell)}
		if err := d.collect(ctx); err != nil {
			return out, err
		}
		if x.brief {
			m.Warnings = nil // not requested
		}
		out = append(out, explain.Explain(m))
	}
	return out, nil
}

// wants reports whether a kind of evidence was requested.
func (x *explainer) wants(kind string) bool { return slices.Contains(x.request.Collect, kind) }

// kinds returns the kinds of evidence that need trials.
func (x *explainer) kinds() (out []string) {
	for _, k := range []string{assay.CollectCPU, assay.CollectMem, assay.CollectGC} {
		if x.wants(k) {
			out = append(out, k)
		}
	}
	return out
}

// trials runs the trials for the evidence.
func (x *explainer) trials(ctx context.Context, r *assay.Result, t target) ([]assay.EvidenceTrial, []assay.Warning, error) {
	kinds := x.kinds()
	if len(kinds) == 0 {
		return nil, nil, nil
	}
	if planned, _ := x.plan.Planned(t.row.Benchmark); x.plan.Study.Workloads[planned.Workload].Kind == assay.KindService {
		return nil, []assay.Warning{{Code: assay.CodeNoProfile, Text: "servers are not profiled: only their code is compared",
			Facts: []string{"what their collectors did is in the run's own tables"}, Try: "assay show " + r.Run + " --all"}}, nil
	}
	var variants []string
	for _, c := range t.cells {
		variants = append(variants, c.Variant)
	}
	q := &lab.Inquiry{Plan: x.plan, Machine: x.ses.Machine(), Builds: x.ses.Builds, Evidence: x.evidence, Events: x.ses.Config.Progress.Event, Benchmark: t.row.Benchmark,
		Variants: variants, Kinds: kinds, Blocks: x.request.Blocks, Trial: x.request.Trial, AllocsPerOp: allocsOf(r, t.row.Benchmark)}
	if t.metric.Name == assay.MetricTime && t.row.Base > 0 {
		q.BaseValue, q.Slowest = t.row.Base, t.row.Base
		for _, c := range t.cells {
			q.Slowest = max(q.Slowest, c.Value)
		}
	}
	return q.Run(ctx)
}

// fresh returns the run's own layout check: if every block had a fresh link, its findings
// hold across links.
func (x *explainer) fresh(c assay.Comparison) *assay.LayoutCheck {
	if x.plan.Study.Measure.Layouts != 0 || x.plan.Link == 0 || !c.Verdict.Good() && !c.Verdict.Bad() {
		return nil
	}
	return &assay.LayoutCheck{Layouts: c.N, Comparison: c, Share: c.LayoutShare, Survives: true,
		Text: fmt.Sprintf("it holds across %d relinked builds of each variant: not the layout of one binary", c.N)}
}

// settingsApart says how a variant's run settings differ from the base's.
func settingsApart(p *assay.Plan, variant string) string {
	v, _ := p.Variant(variant)
	base := p.Base()
	before, after := assay.SecretMarks(base.Secrets), assay.SecretMarks(v.Secrets)
	maps.Copy(before, base.Env)
	maps.Copy(after, v.Env)
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		was, had := before[k]
		is, has := after[k]
		switch {
		case !has:
			out = append(out, fmt.Sprintf("%s=%s is not set", k, was))
		case !had:
			out = append(out, fmt.Sprintf("%s=%s is new", k, is))
		case was != is:
			out = append(out, fmt.Sprintf("%s=%s became %s=%s", k, was, k, is))
		}
	}
	return strings.Join(out, ", ")
}

// keep puts explanations into the end of the run and its result.
func (x *explainer) keep(r *assay.Result, end assay.End, made []assay.Explanation) error {
	end.Explanations = replaced(end.Explanations, made)
	if err := x.ses.Record.WriteEnd(end); err != nil {
		return err
	}
	r.Record, r.Explanations = x.ses.Record.Run().Head(), explain.Restated(end.Explanations)
	if err := x.ses.Record.WriteResult(r); err != nil {
		return err
	}
	runs.Remember(x.ses.Builder.Cache, r.Record, r)
	return nil
}

// replaced puts explanations in front of earlier ones, and removes earlier ones of the
// same comparison.
func replaced(earlier, made []assay.Explanation) []assay.Explanation {
	return append(slices.Clone(made), slices.DeleteFunc(slices.Clone(earlier), func(e assay.Explanation) bool {
		return slices.ContainsFunc(made, func(o assay.Explanation) bool { return o.Benchmark == e.Benchmark && o.Variant == e.Variant })
	})...)
}

// studyDir returns the folder that relative paths of a run's study start from: that of
// the study's file as given on the command line, else the working directory of the run.
func studyDir(p *assay.Plan, given string) (string, error) {
	dir := given
	if words, _ := shell.Split(p.Command); dir == "" && len(words) > 2 && slices.Contains([]string{"run", "tune"}, words[1]) {
		dir = words[len(words)-1]
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			dir = filepath.Dir(dir)
		}
	}
	dir, err := filepath.Abs(cmp.Or(dir, "."))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); err != nil {
		return "", assay.UsageError(assay.CodeNoStudy, fmt.Sprintf("run %s was measured with %q, whose folder is not here", p.Run, p.Command), "--dir with the folder of the study")
	}
	return dir, nil
}

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// CheckKnobs checks, before anything is built, that every variant's toolchain knows the
// variant's settings. A setting that would be refused or ignored is an *assay.Error
// (unknown-experiment, unknown-debug-flag, unknown-level and unknown-godebug with exit
// 4). Warnings list settings that are the default already, or that have less effect than
// they seem to. Programs that assay does not build are not checked.
func (w *Workshop) CheckKnobs(ctx context.Context, s *assay.Study) ([]assay.Warning, error) {
	c := &knobCheck{study: s, built: w.Target, asked: map[string][]knobs.Knob{}}
	for _, workload := range s.Workloads {
		c.gcflags = append(c.gcflags, knobs.GCFlags(workload.BuildFlags)...)
	}
	var out []assay.Warning
	for _, v := range s.Variants {
		if len(v.Run) > 0 {
			continue
		}
		if warning := knobs.GCFlagsScope(v, 0, 0); warning != nil {
			out = append(out, *warning)
		}
		if !c.asksFor(v) {
			continue
		}
		tc, err := w.builder.ToolchainFor(ctx, s.Dir, s.Source, v)
		if err != nil {
			return nil, err
		}
		if err := c.variant(ctx, v, tc); err != nil {
			return nil, err
		}
	}
	return append(out, c.warnings()...), nil
}

// A knobCheck checks the variants of a study.
type knobCheck struct {
	study *assay.Study
	built Target
	// gcflags are those of all variants.
	gcflags []string
	// asked caches the answers of toolchains: a matrix has few of them.
	asked map[string][]knobs.Knob
	// placebos are the settings without effect, in the order found.
	placebos []placebo
}

// A placebo is a setting without effect, and the variants that have it.
type placebo struct {
	text, remedy string
	variants     []string
}

// A target is one variant's toolchain and platform.
type target struct {
	toolchain.Toolchain
	Target
	asker knobs.Asker
}

// asksFor reports whether a variant has settings that its toolchain must check.
func (c *knobCheck) asksFor(v assay.Variant) bool {
	return len(v.Experiment) > 0 || len(v.GCFlags) > 0 || len(v.Build) > 0 || len(c.godebugs(v)) > 0 || knobs.HasDebugKeys(c.gcflags)
}

func (c *knobCheck) variant(ctx context.Context, v assay.Variant, tc toolchain.Toolchain) error {
	t := target{Toolchain: tc}
	t.Target = c.built.of(c.study, v)
	t.asker = knobs.Asker{Variant: v.Name, Version: tc.Version}
	for _, check := range []func(context.Context, assay.Variant, target) error{c.experiments, c.debugKeys, c.levels, c.godebug} {
		if err := check(ctx, v, t); err != nil {
			return err
		}
	}
	return nil
}

// known gets the knobs of a kind from a toolchain, once.
func (c *knobCheck) known(kind knobs.Kind, t target, ask func() ([]knobs.Knob, error)) ([]knobs.Knob, error) {
	key := strings.Join([]string{string(kind), t.GOROOT, t.GOOS, t.GOARCH}, "\x00")
	if k, ok := c.asked[key]; ok {
		return k, nil
	}
	k, err := ask()
	c.asked[key] = k
	return k, err
}

func (c *knobCheck) experiments(ctx context.Context, v assay.Variant, t target) error {
	if len(v.Experiment) == 0 {
		return nil
	}
	known, err := c.known(knobs.KindExperiment, t, func() ([]knobs.Knob, error) {
		return knobs.Experiments(ctx, t.GOROOT, t.GOOS, t.GOARCH)
	})
	if err != nil {
		return err
	}
	if err := knobs.CheckExperiments(t.asker, v.Experiment, known); err != nil {
		return err
	}
	p := slices.DeleteFunc(knobs.ExperimentPlacebos(v.Experiment, known), func(setting string) bool {
		return c.contrasts(v, func(w assay.Variant) bool { return slices.Contains(w.Experiment, opposite(setting)) })
	})
	if len(p) > 0 {
		c.placebo(v, fmt.Sprintf("%s is already the default of %s", strings.Join(p, ", "), t.Version),
			"GOEXPERIMENT="+opposite(p[0])+" to test the feature")
	}
	return nil
}

func (c *knobCheck) debugKeys(ctx context.Context, v assay.Variant, t target) error {
	if !knobs.HasDebugKeys(v.GCFlags) && !knobs.HasDebugKeys(c.gcflags) {
		return nil
	}
	known, err := c.known(knobs.KindDebug, t, func() ([]knobs.Knob, error) { return knobs.DebugKeys(ctx, t.GOROOT) })
	if err != nil {
		return err
	}
	if err := knobs.CheckDebugFlags(t.asker, v.GCFlags, known); err != nil {
		return err
	}
	all := t.asker
	all.Variant = ""
	return knobs.CheckDebugFlags(all, c.gcflags, known)
}

func (c *knobCheck) levels(ctx context.Context, v assay.Variant, t target) error {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(v.Build)), isLevel) {
		return nil
	}
	known, err := c.known(knobs.KindLevel, t, func() ([]knobs.Knob, error) {
		return knobs.Levels(ctx, t.GOROOT, t.GOOS, t.GOARCH)
	})
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(v.Build)) {
		value := v.Build[name]
		if err := knobs.CheckLevel(t.asker, name, value, known); err != nil {
			return err
		}
		p := knobs.LevelPlacebo(t.Version, name, value, t.GOARCH, known)
		if p != "" && !c.contrasts(v, func(w assay.Variant) bool { return w.Build[name] != "" && w.Build[name] != value }) {
			c.placebo(v, p, "assay knobs "+t.Version+" "+name)
		}
	}
	return nil
}

// isLevel avoids running a toolchain for variables that are certainly no level.
func isLevel(name string) bool {
	return strings.HasPrefix(name, "GO") && name != "GOOS" && name != "GOARCH"
}

// godebugs returns the values of GODEBUG in a variant's trials: its own, else those of
// the workloads.
func (c *knobCheck) godebugs(v assay.Variant) []string {
	if g := v.Env["GODEBUG"]; g != "" {
		return []string{g}
	}
	var out []string
	for _, w := range c.study.Workloads {
		if g := w.Env["GODEBUG"]; g != "" && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

func (c *knobCheck) godebug(_ context.Context, v assay.Variant, t target) error {
	values := c.godebugs(v)
	if len(values) == 0 {
		return nil
	}
	known, err := c.known(knobs.KindGODEBUG, t, func() ([]knobs.Knob, error) { return knobs.GODEBUGs(t.GOROOT, t.GOOS) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil // before go1.21 there is no table
	}
	if err != nil {
		return err
	}
	for _, value := range values {
		if err := knobs.CheckGODEBUG(t.asker, t.GOROOT, value, known); err != nil {
			return err
		}
		for _, p := range knobs.GODEBUGPlacebos(value, known) {
			if !c.contrasts(v, func(w assay.Variant) bool { return knobs.SetsOther(w.Env["GODEBUG"], p) }) {
				c.placebo(v, fmt.Sprintf("GODEBUG=%s is already the default of %s", p, t.Version), "assay knobs "+t.Version+" "+p.Name)
			}
		}
	}
	return nil
}

// contrasts reports whether a variant of a matrix, or one of two variants, has a setting
// only to contrast with another variant, for which differs is true. One of both is then
// the default, and needs no warning.
func (c *knobCheck) contrasts(v assay.Variant, differs func(assay.Variant) bool) bool {
	return (v.Levels != nil || len(c.study.Variants) == 2) && slices.ContainsFunc(c.study.Variants, differs)
}

// placebo notes a setting without effect. The variants of a matrix share one warning.
func (c *knobCheck) placebo(v assay.Variant, text, remedy string) {
	for i := range c.placebos {
		if p := &c.placebos[i]; p.text == text {
			p.variants = append(p.variants, v.Name)
			return
		}
	}
	c.placebos = append(c.placebos, placebo{text, remedy, []string{v.Name}})
}

func (c *knobCheck) warnings() []assay.Warning {
	var out []assay.Warning
	for _, p := range c.placebos {
		who := fmt.Sprintf("variant %q", p.variants[0])
		if len(p.variants) > 1 {
			who = fmt.Sprintf("%d variants", len(p.variants))
		}
		w := assay.Warning{Code: assay.CodePlacebo, Text: who + ": " + p.text}
		w.Suggest(p.remedy)
		if len(p.variants) > 1 {
			w.Facts = []string{strings.Join(p.variants, ", ")}
		}
		out = append(out, w)
	}
	return out
}

// opposite returns the experiment's other setting.
func opposite(setting string) string {
	if name, off := strings.CutPrefix(setting, "no"); off {
		return name
	}
	return "no" + setting
}

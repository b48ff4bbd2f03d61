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

// CheckKnobs asks every variant's toolchain whether it knows what the variant
// sets, before anything is built. A setting that would be refused or ignored is an
// *assay.Error (unknown-experiment, unknown-debug-flag, unknown-level and unknown-godebug
// with exit 4). Warnings tell of settings that are the default already, or that reach less
// than they seem to. What assay does not build is not looked at.
func (w *Workshop) CheckKnobs(ctx context.Context, s *assay.Study) ([]assay.Warning, error) {
	c := &knobCheck{study: s, asked: map[string][]knobs.Knob{}}
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

// A knobCheck goes over the variants of a study.
type knobCheck struct {
	study *assay.Study
	// gcflags are those of all variants.
	gcflags []string
	// asked keeps the answers of toolchains: a matrix has few of them.
	asked map[string][]knobs.Knob
	// placebos are the settings that change nothing, in the order found.
	placebos []placebo
}

// A placebo is a setting that changes nothing, and who has it.
type placebo struct {
	text, try string
	variants  []string
}

// A target is one variant's toolchain and platform.
type target struct {
	toolchain.Toolchain
	goos, goarch string
	asker        knobs.Asker
}

// asksFor reports whether there is anything to ask the toolchain of a variant.
func (c *knobCheck) asksFor(v assay.Variant) bool {
	return len(v.Experiment) > 0 || len(v.GCFlags) > 0 || len(v.Build) > 0 || len(c.godebugs(v)) > 0 || knobs.HasDebugKeys(c.gcflags)
}

func (c *knobCheck) variant(ctx context.Context, v assay.Variant, tc toolchain.Toolchain) error {
	t := target{Toolchain: tc}
	t.goos, t.goarch = builtFor(c.study, v)
	t.asker = asker(ctx, v.Name, tc)
	for _, check := range []func(context.Context, assay.Variant, target) error{c.experiments, c.debugKeys, c.levels, c.godebug} {
		if err := check(ctx, v, t); err != nil {
			return err
		}
	}
	return nil
}

// asker says who asks; what other toolchains have is looked up when it is
// needed, for a refusal.
func asker(ctx context.Context, variant string, tc toolchain.Toolchain) knobs.Asker {
	return knobs.Asker{Variant: variant, Version: tc.Version, Elsewhere: func(kind knobs.Kind, name string) (string, string) {
		h := knobs.NewHistory(ctx, knobs.Release{Version: tc.Version, GOROOT: tc.GOROOT})
		return h.Tell(ctx, tc.Version, kind, name)
	}}
}

// known asks a toolchain once for a kind of knobs.
func (c *knobCheck) known(kind knobs.Kind, t target, ask func() ([]knobs.Knob, error)) ([]knobs.Knob, error) {
	key := strings.Join([]string{string(kind), t.GOROOT, t.goos, t.goarch}, "\x00")
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
		return knobs.Experiments(ctx, t.GOROOT, t.goos, t.goarch)
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
		return knobs.Levels(ctx, t.GOROOT, t.goos, t.goarch)
	})
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(v.Build)) {
		value := v.Build[name]
		if err := knobs.CheckLevel(t.asker, name, value, known); err != nil {
			return err
		}
		p := knobs.LevelPlacebo(t.Version, name, value, t.goarch, known)
		if p != "" && !c.contrasts(v, func(w assay.Variant) bool { return w.Build[name] != "" && w.Build[name] != value }) {
			c.placebo(v, p, "assay knobs "+t.Version+" "+name)
		}
	}
	return nil
}

// isLevel spares the question to a toolchain for variables that are surely no
// level.
func isLevel(name string) bool {
	return strings.HasPrefix(name, "GO") && name != "GOOS" && name != "GOARCH"
}

// godebugs are the values of GODEBUG that a variant's trials run with: its own,
// else those of the workloads.
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
	known, err := c.known(knobs.KindGODEBUG, t, func() ([]knobs.Knob, error) { return knobs.GODEBUGs(t.GOROOT, t.goos) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil // before go1.21 there is no table to look into
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

// contrasts reports whether a variant of a matrix has a setting for the sake of
// another variant, of which differs is true: then one of both is the default,
// and nobody needs to be told.
func (c *knobCheck) contrasts(v assay.Variant, differs func(assay.Variant) bool) bool {
	return v.Levels != nil && slices.ContainsFunc(c.study.Variants, differs)
}

// placebo notes a setting that changes nothing. The variants of a matrix share
// one warning.
func (c *knobCheck) placebo(v assay.Variant, text, try string) {
	for i := range c.placebos {
		if p := &c.placebos[i]; p.text == text {
			p.variants = append(p.variants, v.Name)
			return
		}
	}
	c.placebos = append(c.placebos, placebo{text, try, []string{v.Name}})
}

func (c *knobCheck) warnings() []assay.Warning {
	var out []assay.Warning
	for _, p := range c.placebos {
		who := fmt.Sprintf("variant %q", p.variants[0])
		if len(p.variants) > 1 {
			who = fmt.Sprintf("%d variants", len(p.variants))
		}
		w := assay.Warning{Code: assay.CodePlacebo, Text: who + ": " + p.text, Try: p.try}
		if len(p.variants) > 1 {
			w.Facts = []string{strings.Join(p.variants, ", ")}
		}
		out = append(out, w)
	}
	return out
}

// opposite is the experiment's other setting.
func opposite(setting string) string {
	if name, off := strings.CutPrefix(setting, "no"); off {
		return name
	}
	return "no" + setting
}

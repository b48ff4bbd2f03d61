package lab

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
)

// CheckKnobs asks every variant's toolchain whether it knows what the variant
// sets, before anything is built. Warnings tell of settings that are the
// default already, or that reach less than they seem to.
func (l *Local) CheckKnobs(ctx context.Context, s *assay.Study) ([]assay.Warning, error) {
	var out []assay.Warning
	for _, v := range s.Variants {
		if w := knobs.GCFlagsScope(v, 0, 0); w != nil {
			out = append(out, *w)
		}
		if len(v.Experiment) == 0 && len(v.GCFlags) == 0 {
			continue
		}
		w, err := l.checkVariant(ctx, s, v)
		if err != nil {
			return nil, err
		}
		out = append(out, w...)
	}
	return out, nil
}

func (l *Local) checkVariant(ctx context.Context, s *assay.Study, v assay.Variant) ([]assay.Warning, error) {
	tc, err := l.builder.ToolchainFor(ctx, s.Dir, s.Source, v)
	if err != nil {
		return nil, err
	}
	var out []assay.Warning
	if len(v.Experiment) > 0 {
		known, err := knobs.Experiments(ctx, tc.GOROOT, target(v, "GOOS", runtime.GOOS), target(v, "GOARCH", runtime.GOARCH))
		if err != nil {
			return nil, err
		}
		if err := knobs.CheckExperiments(v.Name, tc.Version, v.Experiment, known); err != nil {
			return nil, err
		}
		if p := knobs.Placebos(v.Experiment, known); len(p) > 0 {
			out = append(out, assay.Warning{Code: "placebo",
				Text: fmt.Sprintf("variant %q: %s is already the default of %s", v.Name, strings.Join(p, ", "), tc.Version),
				Try:  "GOEXPERIMENT=" + opposite(p[0]) + " to test the feature"})
		}
	}
	if len(v.GCFlags) > 0 {
		keys, err := knobs.DebugKeys(ctx, tc.GOROOT)
		if err != nil {
			return nil, err
		}
		if err := knobs.CheckDebugFlags(v.Name, tc.Version, v.GCFlags, keys); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// opposite is the experiment's other setting.
func opposite(setting string) string {
	if name, off := strings.CutPrefix(setting, "no"); off {
		return name
	}
	return "no" + setting
}

func target(v assay.Variant, name, def string) string {
	if x := v.Build[name]; x != "" {
		return x
	}
	return def
}

package sample

import (
	"maps"
	"slices"

	"github.com/seed-1318a441/assay"
)

// listedSwitches finds variants, in a study that lists them, that equal another one plus
// exactly one setting. The other is never the base: the table has a cell for that.
func listedSwitches(p *assay.Plan) (out []Effect) {
	vs := p.Study.Variants
	if p.Study.By != nil || len(vs) < 3 {
		return nil
	}
	for i, v := range vs {
		for k, w := range vs {
			s, ok := oneSetting(w, v)
			if w.Name == p.Study.Base || v.Name == p.Study.Base || !ok {
				continue
			}
			// Each of several toolchains is compared with the one listed before it.
			if s.Factor == "go" && (k > i || laterToolchain(vs[k+1:i], w, p.Study.Base)) {
				continue
			}
			out = append(out, Effect{
				Effect:   assay.Effect{Switches: []assay.Switch{s}, Held: w.Name},
				Contrast: Against(p, v.Name, w.Name),
			})
		}
	}
	return out
}

// laterToolchain reports whether a variant is w with another toolchain.
func laterToolchain(between []assay.Variant, w assay.Variant, base string) bool {
	return slices.ContainsFunc(between, func(v assay.Variant) bool {
		s, ok := oneSetting(w, v)
		return ok && s.Factor == "go" && v.Name != base
	})
}

// oneSetting returns what added to w gives v, if that is one setting: an experiment, a
// flag, a tag, a variable, a profile, or another toolchain.
func oneSetting(w, v assay.Variant) (s assay.Switch, ok bool) {
	n := 0
	note := func(factor string, added []string, ok bool) {
		if !ok || len(added) > 1 {
			n += 2
		}
		if len(added) == 1 {
			n++
			s = assay.Switch{Factor: factor, To: added[0]}
		}
	}
	for _, l := range []struct {
		factor string
		w, v   []string
	}{
		{"experiment", w.Experiment, v.Experiment}, {"gcflags", w.GCFlags, v.GCFlags},
		{"ldflags", w.LDFlags, v.LDFlags}, {"tags", w.Tags, v.Tags},
		{"build", assignments(w.Build), assignments(v.Build)}, {"env", assignments(w.Env), assignments(v.Env)},
		{"env", assignments(assay.SecretMarks(w.Secrets)), assignments(assay.SecretMarks(v.Secrets))},
	} {
		added, ok := without(l.v, l.w)
		note(l.factor, added, ok)
	}
	for _, f := range []struct{ factor, w, v string }{{"pgo", w.PGO, v.PGO}, {"modfile", w.ModFile, v.ModFile}} {
		if f.w != f.v {
			note(f.factor, []string{f.v}, f.w == "")
		}
	}
	if w.Go != v.Go {
		note("go", []string{v.Go}, v.Go != "")
		s.From = w.Go
	}
	same := w.Rev == v.Rev && w.Module == v.Module && w.Select == v.Select && slices.Equal(w.Run, v.Run)
	return s, n == 1 && same
}

// without returns list minus sub; ok is false if sub has anything else.
func without(list, sub []string) (rest []string, ok bool) {
	rest = slices.Clone(list)
	for _, x := range sub {
		i := slices.Index(rest, x)
		if i < 0 {
			return nil, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}

// assignments writes variables as NAME=value, in order.
func assignments(m map[string]string) (out []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+m[k])
	}
	return out
}

package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// cross makes the variant of one combination of levels.
func cross(dims []dimension, run []int) assay.Variant {
	var out assay.Variant
	var names []string
	var gcflags, ldflags [][]string
	levels := map[string]string{}
	for i, d := range dims {
		l := d.levels[run[i]]
		names = append(names, l.Name)
		levels[d.name] = l.Name
		mergeLevel(&out, l.Setting)
		gcflags, ldflags = append(gcflags, l.Setting.GCFlags), append(ldflags, l.Setting.LDFlags)
	}
	out.Name, out.Levels = strings.Join(names, "/"), levels
	if len(dims) == 1 {
		out.Name = LevelName(dims[0].name, dims[0].levels[run[0]])
	}
	out.GCFlags, out.LDFlags = joinFlags(gcflags), joinFlags(ldflags)
	return out
}

// LevelName returns the name of the variant that a level of the study's only factor makes:
// that of the level, with the factor before it where the level is a mere value of a variable.
// "200" alone says nothing in a sentence or a table: "GOGC=200" does.
func LevelName(factor string, l assay.Level) string {
	for _, set := range []map[string]string{l.Setting.Env, l.Setting.Build} {
		for _, value := range set {
			if value == l.Name {
				return factor + "=" + l.Name
			}
		}
	}
	return l.Name
}

// mergeLevel merges a level's settings, without flags, into a variant that has none of
// them.
func mergeLevel(v *assay.Variant, l assay.Variant) {
	for _, f := range []struct{ to, from *string }{{&v.Go, &l.Go}, {&v.Rev, &l.Rev}, {&v.Module, &l.Module}, {&v.PGO, &l.PGO}, {&v.ModFile, &l.ModFile}} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	if len(l.Run) > 0 {
		v.Run = slices.Clone(l.Run)
	}
	v.Experiment = appendMissing(v.Experiment, l.Experiment)
	v.Tags = appendMissing(v.Tags, l.Tags)
	v.Build = merged(v.Build, l.Build)
	v.Env = merged(v.Env, l.Env)
	v.Secrets = merged(v.Secrets, l.Secrets)
}

// appendMissing appends the elements of b that a lacks.
func appendMissing(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

func merged(a, b map[string]string) map[string]string {
	if a == nil {
		return maps.Clone(b)
	}
	maps.Copy(a, b)
	return a
}

// checkCrossable returns an error if two factors cannot be crossed: both set a single-valued
// setting, or a level of one contradicts one of the other.
func checkCrossable(a, b dimension) error {
	for _, key := range a.settings() {
		if slices.Contains(b.settings(), key) {
			return badFactors("", "%s and %s both set %s: one factor may set it", a, b, key)
		}
	}
	for _, l := range a.levels {
		for _, m := range b.levels {
			if why := contradiction(l.Setting, m.Setting); why != "" {
				return badFactors("", "level %q of %s and level %q of %s: %s", l.Name, a, m.Name, b, why)
			}
		}
	}
	return nil
}

// String names the dimension in errors.
func (d dimension) String() string {
	if d.name == listedFactor {
		return "the listed variants"
	}
	return fmt.Sprintf("factor %q", d.name)
}

// settings lists the single-valued settings in the levels.
func (d dimension) settings() []string {
	seen := map[string]bool{}
	for _, l := range d.levels {
		v := l.Setting
		seen["go"] = seen["go"] || v.Go != ""
		// Either determines the source.
		seen["rev or module"] = seen["rev or module"] || v.Rev != "" || v.Module != ""
		seen["pgo"] = seen["pgo"] || v.PGO != ""
		seen["modfile"] = seen["modfile"] || v.ModFile != ""
		seen["run"] = seen["run"] || len(v.Run) > 0
		for _, m := range []map[string]string{v.Build, v.Env, v.Secrets} {
			for k := range m {
				seen[k] = true
			}
		}
	}
	maps.DeleteFunc(seen, func(_ string, set bool) bool { return !set })
	return slices.Sorted(maps.Keys(seen))
}

// contradiction returns why two settings cannot be joined, or "".
func contradiction(v, w assay.Variant) string {
	for _, x := range v.Experiment {
		for _, y := range w.Experiment {
			if x == "no"+y || y == "no"+x {
				return fmt.Sprintf("experiments %s and %s contradict each other", x, y)
			}
		}
	}
	if why := clash(v.GCFlags, w.GCFlags); why != "" {
		return "gcflags " + why
	}
	if why := clash(v.LDFlags, w.LDFlags); why != "" {
		return "ldflags " + why
	}
	return ""
}

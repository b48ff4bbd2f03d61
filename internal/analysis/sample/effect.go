package sample

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// An Effect is what a switch does, or what two do beyond what each does alone, without
// figures.
type Effect struct {
	assay.Effect
	// Contrast compares the variants that show it.
	Contrast Contrast
}

// Interaction reports whether an effect is that of two switches beyond each alone.
func (e Effect) Interaction() bool { return len(e.Switches) > 1 }

// Title names an effect where a comparison names its variant.
func (e Effect) Title() string {
	var parts []string
	for _, s := range e.Switches {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, " × ")
}

// factorEffects returns the main effect of every level against the base's, and the
// interactions of every two, for variants that cross factors.
func factorEffects(p *assay.Plan) []Effect {
	x := newCrossing(p)
	var out []Effect
	for _, s := range x.switches() {
		if e := x.mainEffect(s); e.Contrast.groups != nil || e.Contrast.same > 0 {
			out = append(out, e)
		}
	}
	all := x.switches()
	for i, s := range all {
		for _, u := range all[i+1:] {
			// Two switches that never change the code together need no row: that of the
			// one which never does says so.
			if e := x.interaction(s, u); s.Factor != u.Factor && e.Contrast.groups != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// A crossing is the variants of a study with factors.
type crossing struct {
	plan     *assay.Plan
	dims     []dimension
	base     map[string]string // the base's levels
	variants []assay.Variant
	at       map[string]string // variants by their levels
}

// A dimension is a factor with the names of its levels.
type dimension struct {
	name   string
	levels []string
}

// newCrossing reads the dimensions from the variants, since a study's listed variants are
// crossed with its factors like one more factor. They keep the order of the study.
func newCrossing(p *assay.Plan) crossing {
	x := crossing{plan: p, base: map[string]string{}, at: map[string]string{}}
	levels := map[string][]string{}
	for _, v := range p.Study.Variants {
		if v.Levels == nil {
			continue
		}
		x.variants = append(x.variants, v)
		if v.Name == p.Study.Base {
			x.base = v.Levels
		}
		for f, l := range v.Levels {
			if !slices.Contains(levels[f], l) {
				levels[f] = append(levels[f], l)
			}
		}
	}
	listed := slices.Sorted(maps.Keys(levels))
	for _, f := range p.Study.Factors {
		listed = slices.DeleteFunc(listed, func(name string) bool { return name == f.Name })
	}
	for _, name := range listed {
		x.dims = append(x.dims, dimension{name, levels[name]})
	}
	for _, f := range p.Study.Factors {
		d := dimension{name: f.Name}
		for _, l := range f.Levels {
			if slices.Contains(levels[f.Name], l.Name) {
				d.levels = append(d.levels, l.Name)
			}
		}
		x.dims = append(x.dims, d)
	}
	for _, v := range x.variants {
		x.at[x.key(v, nil)] = v.Name
	}
	return x
}

// switches returns one switch for every level that is not the base's.
func (x crossing) switches() (out []assay.Switch) {
	for _, d := range x.dims {
		for _, l := range d.levels {
			if from, ok := x.base[d.name]; ok && l != from {
				out = append(out, assay.Switch{Factor: d.name, From: from, To: l})
			}
		}
	}
	return out
}

// with finds the variant with the levels of v, some of them replaced.
func (x crossing) with(v assay.Variant, levels map[string]string) (string, bool) {
	name, ok := x.at[x.key(v, levels)]
	return name, ok
}

// key returns the levels of v, some of them replaced, in the order of the factors.
func (x crossing) key(v assay.Variant, levels map[string]string) string {
	var parts []string
	for _, d := range x.dims {
		l, ok := levels[d.name]
		if !ok {
			l = v.Levels[d.name]
		}
		parts = append(parts, strconv.Quote(l))
	}
	return strings.Join(parts, " ")
}

// mainEffect compares a level with the base's over all pairs of variants that differ in
// this alone. If it has no effect, swapping the two of every pair leaves a block as
// likely as before: the symmetry that the engine's second test needs.
func (x crossing) mainEffect(s assay.Switch) Effect {
	e := Effect{Effect: assay.Effect{Switches: []assay.Switch{s}}, Contrast: Contrast{gather: true}}
	for _, v := range x.variants {
		if v.Levels[s.Factor] != s.To {
			continue
		}
		if w, ok := x.with(v, map[string]string{s.Factor: s.From}); ok {
			e.Contrast.add(x.plan, term{v.Name, 1}, term{w, -1})
		}
	}
	return e
}

// interaction returns what two switches do together beyond what each does alone, over all
// quads of variants with equal other factors.
func (x crossing) interaction(s, u assay.Switch) Effect {
	e := Effect{Effect: assay.Effect{Switches: []assay.Switch{s, u}}, Contrast: Contrast{gather: true}}
	for _, v := range x.variants {
		if v.Levels[s.Factor] != s.To || v.Levels[u.Factor] != u.To {
			continue
		}
		first, ok1 := x.with(v, map[string]string{u.Factor: u.From})
		second, ok2 := x.with(v, map[string]string{s.Factor: s.From})
		none, ok3 := x.with(v, map[string]string{s.Factor: s.From, u.Factor: u.From})
		if ok1 && ok2 && ok3 {
			e.Contrast.add(x.plan, term{v.Name, 1}, term{first, -1}, term{second, -1}, term{none, 1})
		}
	}
	return e
}

// Effects lists the effects of single switches that the plan's variants can show.
func Effects(p *assay.Plan) []Effect {
	if len(p.Study.Factors) > 0 {
		return factorEffects(p)
	}
	return listedSwitches(p)
}

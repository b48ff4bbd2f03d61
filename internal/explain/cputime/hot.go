package cputime

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// A Hot is a function that matters to a benchmark.
type Hot struct {
	// Name is as profiles have it: "pkg.F[...]" for generics.
	Name string
	// Weight is its share of the profile, 0 to 1, on the side where that is larger; 0
	// without a profile.
	Weight float64
}

// A function matters from these shares on: of the time in its own instructions, and of
// the time in and below it if it lies above one that matters.
const (
	hotFlat = 0.01
	hotCum  = 0.05
)

// HotFunctions lists the functions that matter to the benchmark, heaviest first: those
// with 1 % of the time of a side in their own instructions, and those above them, which
// inline or call them, with 5 % in and below. A function's own instructions include those
// of functions inlined into it, as its code in the binary does. Profiles that cannot be
// read have none: Compare says why.
func HotFunctions(in Input) []Hot {
	weight, above := map[string]float64{}, map[string]bool{}
	for _, side := range [][]stack{sideStacks(in.Base, in.Root), sideStacks(in.Variant, in.Root)} {
		flat, cum := shares(side)
		for name, w := range flat {
			weight[name] = max(weight[name], w)
		}
		markAbove(above, side, flat, cum)
	}
	maps.DeleteFunc(weight, func(name string, w float64) bool { return w < hotFlat && !above[name] })
	for name := range above {
		weight[name] += 0 // a caller may have no time of its own
	}
	var out []Hot
	for name, w := range weight {
		out = append(out, Hot{Name: name, Weight: w})
	}
	slices.SortFunc(out, func(a, b Hot) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Name, b.Name)) })
	return out
}

// sideStacks reads the kept stacks of all profiles that can be read.
func sideStacks(profiles []*profile.Profile, root string) (out []stack) {
	for _, p := range profiles {
		if s, err := readStacks(p, root); err == nil {
			out = append(out, s...)
		}
	}
	return out
}

// shares are the shares of time of each function: in its own instructions, and in and
// below it.
func shares(all []stack) (flat, cum map[string]float64) {
	flat, cum = map[string]float64{}, map[string]float64{}
	var total float64
	for _, s := range all {
		total += float64(s.nanos)
		seen := map[string]bool{}
		for i, f := range s.frames {
			if seen[f.name] {
				continue // recursion counts once
			}
			seen[f.name] = true
			cum[f.name] += float64(s.nanos)
			if i < s.leaf {
				flat[f.name] += float64(s.nanos)
			}
		}
	}
	for _, m := range []map[string]float64{flat, cum} {
		for name := range m {
			m[name] /= max(total, 1)
		}
	}
	return flat, cum
}

// markAbove adds the functions above a hot one in some stack.
func markAbove(above map[string]bool, all []stack, flat, cum map[string]float64) {
	for _, s := range all {
		hot := false
		for _, f := range s.frames {
			if hot && cum[f.name] >= hotCum {
				above[f.name] = true
			}
			hot = hot || flat[f.name] >= hotFlat
		}
	}
}

// OwnFunctions lists the functions with 1 % of the time of one side in and below them that the
// other side never ran, heaviest first: of two variants inside one binary, what each of them
// is. The run time's are left out, since they follow from the others.
func OwnFunctions(in Input) (base, variant []Hot) {
	_, b := shares(sideStacks(in.Base, in.Root))
	_, v := shares(sideStacks(in.Variant, in.Root))
	return own(b, v), own(v, b)
}

func own(mine, others map[string]float64) (out []Hot) {
	for name, w := range mine {
		if _, ran := others[name]; !ran && w >= hotFlat && !OfRuntime(name) {
			out = append(out, Hot{Name: name, Weight: w})
		}
	}
	slices.SortFunc(out, func(a, b Hot) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Name, b.Name)) })
	return out
}

// OfRuntime reports whether a function is the run time's own, whose time counts by
// category.
func OfRuntime(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || strings.HasPrefix(name, "gcWriteBarrier") ||
		!strings.Contains(name, ".")
}

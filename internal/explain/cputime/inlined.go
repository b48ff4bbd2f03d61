package cputime

import (
	"maps"
	"slices"

	"github.com/google/pprof/profile"
)

// InlinedInto lists, for each function that was inlined somewhere, the functions
// whose code it is in, sorted: the one that calls it, and those that that one is
// inlined into in turn. It is what the locations of the profiles show, so only of
// code that was seen running. Names are as the profiles have them.
func InlinedInto(p []*profile.Profile) map[string][]string {
	into := map[string]map[string]bool{}
	for _, prof := range p {
		if prof == nil {
			continue
		}
		for _, loc := range prof.Location {
			if loc != nil {
				addInlined(into, locationFrames(loc))
			}
		}
	}
	out := map[string][]string{}
	for name, callers := range into {
		out[name] = slices.Sorted(maps.Keys(callers))
	}
	return out
}

func addInlined(into map[string]map[string]bool, at []frame) {
	for i, f := range at {
		for _, caller := range at[i+1:] {
			if into[f.name] == nil {
				into[f.name] = map[string]bool{}
			}
			into[f.name][caller.name] = true
		}
	}
}

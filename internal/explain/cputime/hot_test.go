package cputime

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/pprof/profile"
)

func TestHotFunctions(t *testing.T) {
	in := exampleInput()
	in.Base = []*profile.Profile{cpuProfile(map[string]int64{
		"example.com/m.leaf+;example.com/m.mid;example.com/m.top" + underBench: 90,
		"example.com/m.once" + underBench:                                      110,
		"example.com/m.rare;example.com/m.seldom" + underBench:                 1,
	})}
	in.Variant = []*profile.Profile{cpuProfile(map[string]int64{
		"example.com/m.leaf;example.com/m.mid;example.com/m.top" + underBench: 300,
		"example.com/m.mid;example.com/m.top" + underBench:                    100,
	})}
	want := map[string]float64{ // shares of 201 and of 400 samples
		"example.com/m.leaf": 0.75, "example.com/m.once": 110.0 / 201, "example.com/m.mid": 90.0 / 201,
		"example.com/m.top": 0, "example.com/m.BenchmarkX": 0,
	}
	got := map[string]float64{}
	hot := HotFunctions(in)
	for _, h := range hot {
		got[h.Name] = h.Weight
	}
	if !maps.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.IsSortedFunc(hot, func(a, b Hot) int { return int(math.Copysign(1, b.Weight-a.Weight)) }) {
		t.Errorf("got %v, want the heaviest first", hot)
	}
}

// Of two variants in one binary, what only one of them runs is its own: with what it calls, but
// not the run time, nor what both run.
func TestOwnFunctions(t *testing.T) {
	in := exampleInput()
	in.Base = []*profile.Profile{cpuProfile(map[string]int64{
		"runtime.growslice;example.com/m.appended;example.com/m.call" + underBench:  50,
		"example.com/m.help;example.com/m.appended;example.com/m.call" + underBench: 30,
		"example.com/m.call" + underBench:                                           100,
	})}
	in.Variant = []*profile.Profile{cpuProfile(map[string]int64{
		"runtime.newobject;example.com/m.literal;example.com/m.call" + underBench: 150,
		"example.com/m.seldom;example.com/m.call" + underBench:                    1,
		"example.com/m.call" + underBench:                                         100,
	})}
	names := func(list []Hot) (out []string) {
		for _, h := range list {
			out = append(out, h.Name)
		}
		return out
	}
	base, variant := OwnFunctions(in)
	if got := names(base); !slices.Equal(got, []string{"example.com/m.appended", "example.com/m.help"}) || math.Abs(base[0].Weight-80.0/180) > 1e-9 {
		t.Errorf("base: got %+v", base)
	}
	if got := names(variant); !slices.Equal(got, []string{"example.com/m.literal"}) {
		t.Errorf("variant: got %+v", variant)
	}
}

func TestInlinedInto(t *testing.T) {
	got := InlinedInto([]*profile.Profile{nil, cpuProfile(map[string]int64{
		"m.leaf+;m.mid+;m.top;m.main": 1, "m.leaf+;m.other;m.main": 1, "m.called;m.main": 1,
	})})
	want := map[string][]string{"m.leaf": {"m.mid", "m.other", "m.top"}, "m.mid": {"m.top"}}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}

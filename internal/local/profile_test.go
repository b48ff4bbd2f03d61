package local

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay/internal/binary"
)

// sampled is a profile with so many samples in each function; "a<b" is a inlined into b.
func sampled(counts map[string]int64) *profile.Profile {
	p := &profile.Profile{}
	for names, n := range counts {
		loc := &profile.Location{}
		for name := range strings.SplitSeq(names, "<") {
			loc.Line = append(loc.Line, profile.Line{Function: &profile.Function{Name: name}})
		}
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{loc}, Value: []int64{n}})
	}
	return p
}

func TestMatched(t *testing.T) {
	b := &binary.Print{Funcs: map[string]binary.Hash{"main.run": 1, "main.(*T).m": 2, "slices.Sort[go.shape.int]": 3}}
	// 60 of 80 samples: a method, a generic function under its plain name, and one
	// that was inlined into a known one; 20 are of other code.
	got := matched(sampled(map[string]int64{"main.(*T).m": 10, "slices.Sort[...]": 20, "main.gone<main.run": 30, "other.f": 20}), b)
	if got.Samples != 80 || got.Match != 0.75 {
		t.Errorf("got %d samples, match %g; want 80, 0.75", got.Samples, got.Match)
	}
	if got := matched(&profile.Profile{}, b); got.Samples != 0 || got.Match != 0 {
		t.Errorf("an empty profile: got %+v", got)
	}
}

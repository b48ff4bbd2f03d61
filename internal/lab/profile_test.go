package lab

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
)

// sampled is a profile with so many samples in each function; "a<b" is a inlined
// into b.
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

// Variants of which the same is to be said share a warning; a good profile has
// none.
func TestProfileWarnings(t *testing.T) {
	other := &assay.ProfileInfo{Path: "x.pprof", Samples: 900, Match: 0.01}
	short := &assay.ProfileInfo{Path: pgoAuto, Samples: 33, Match: 1}
	got := profileWarnings([]assay.ArtifactInfo{{Variant: "plain"}, {Variant: "a", Profile: short}, {Variant: "b", Profile: other},
		{Variant: "c", Profile: short}, {Variant: "good", Profile: &assay.ProfileInfo{Path: pgoAuto, Samples: 900, Match: 0.9}}})
	var texts []string
	for _, w := range got {
		texts = append(texts, w.Text)
	}
	want := "2 variants: the profile collected on the base has 33 samples only; variant \"b\": the profile x.pprof is of other code"
	if s := strings.Join(texts, "; "); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
}

package survey

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Variants of which the same is to be said share a warning; a good profile has
// none.
func TestProfileWarnings(t *testing.T) {
	other := &assay.ProfileInfo{Path: "x.pprof", Samples: 900, Match: 0.01}
	short := &assay.ProfileInfo{Path: assay.PGOAuto, Samples: 33, Match: 1}
	got := profileWarnings([]assay.ArtifactInfo{{Variant: "plain"}, {Variant: "a", Profile: short}, {Variant: "b", Profile: other},
		{Variant: "c", Profile: short}, {Variant: "good", Profile: &assay.ProfileInfo{Path: assay.PGOAuto, Samples: 900, Match: 0.9}}})
	var texts []string
	for _, w := range got {
		texts = append(texts, w.Text)
	}
	want := "2 variants: the profile collected on the base has 33 samples only; variant \"b\": the profile x.pprof is of other code"
	if s := strings.Join(texts, "; "); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
}

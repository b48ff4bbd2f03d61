package survey_test

import (
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/survey"
)

// A chain goes on from the record of a shorter one that asked the same on the same machine,
// if everything in it still builds to the same.
func TestEarlier(t *testing.T) {
	store := t.TempDir()
	s, m := labtest.Chain(1, []float64{-0.05}, []float64{-0.05})
	s.Decide.MinBlocks, s.Decide.MaxBlocks = 2, 2
	if _, err := labtest.Run(t.Context(), m, s, store); err != nil {
		t.Fatal(err)
	}
	kept, err := record.List(store)
	if err != nil || len(kept) != 1 {
		t.Fatalf("%d runs, %v", len(kept), err)
	}
	for _, c := range []struct {
		name   string
		steps  int
		change func(*assay.Study, *assay.Platform, []assay.ArtifactInfo)
		want   bool
	}{
		{"one step more", 3, nil, true},
		{"the same chain", 2, nil, false},
		{"another name", 3, func(s *assay.Study, _ *assay.Platform, _ []assay.ArtifactInfo) { s.Name = "other" }, false},
		{"another question", 3, func(s *assay.Study, _ *assay.Platform, _ []assay.ArtifactInfo) { s.Decide.MinEffect = 0.05 }, false},
		{"another machine", 3, func(_ *assay.Study, p *assay.Platform, _ []assay.ArtifactInfo) { p.ID = "other" }, false},
		{"no steps", 3, func(s *assay.Study, _ *assay.Platform, _ []assay.ArtifactInfo) { s.Steps = nil }, false},
		{"another build of a step", 3, func(_ *assay.Study, _ *assay.Platform, infos []assay.ArtifactInfo) { infos[1].ID = "x" }, false},
		{"another build of the new step", 3, func(_ *assay.Study, _ *assay.Platform, infos []assay.ArtifactInfo) { infos[3].ID = "x" }, true},
	} {
		changes := make([][]float64, c.steps)
		longer, m := labtest.Chain(1, changes...)
		longer.Decide = s.Decide
		builds, err := lab.Build(t.Context(), m, longer, func(lab.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		infos, platform := builds.Infos(), kept[0].Platform
		if c.change != nil {
			c.change(longer, &platform, infos)
		}
		found, err := survey.Earlier(kept, longer, platform, infos)
		if err != nil || (found != nil) != c.want || c.want && found.Plan.Run != labtest.RunID {
			t.Errorf("%s: found %t, %v; want %t", c.name, found != nil, err, c.want)
		}
	}
}

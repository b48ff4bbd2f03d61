package survey

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/record"
)

// Earlier finds the run that a study with more steps can extend, among runs (record.List)
// on the same platform. The run asked the same question with fewer steps, and its
// variants still build to the same (infos: Builds.Infos). Of several it returns the one
// with the most steps, then the newest; nil if there is none. The error says that the run
// exists but cannot be read.
//
// It only reads plans of studies with the same name.
func Earlier(runs []record.Entry, s *assay.Study, platform assay.Platform, infos []assay.ArtifactInfo) (*record.Run, error) {
	if s.Steps == nil {
		return nil, nil
	}
	type candidate struct{ at, variants int }
	var found []candidate
	for i, e := range slices.Backward(runs) {
		if e.Study != s.Name || !e.Platform.Is(platform) {
			continue
		}
		p, err := record.ReadPlan(record.Folder(e.Dir))
		if err != nil || len(p.Benchmarks) == 0 || p.Outdated() {
			continue
		}
		if asked, ok := design.Asked(p); ok && design.Extends(asked, s) && sameArtifacts(p, infos) {
			found = append(found, candidate{i, len(p.Variants)})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return b.variants - a.variants })
	for _, c := range found {
		run, err := record.Read(record.Folder(runs[c.at].Dir))
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", runs[c.at].Run, err)
		}
		if len(run.Blocks()) > 0 {
			return run, nil
		}
	}
	return nil, nil
}

// sameArtifacts reports whether everything that a plan measures still builds to the same.
func sameArtifacts(p *assay.Plan, infos []assay.ArtifactInfo) bool {
	of := func(infos []assay.ArtifactInfo, variant string) (info assay.ArtifactInfo) {
		if i := slices.IndexFunc(infos, func(a assay.ArtifactInfo) bool { return a.Variant == variant }); i >= 0 {
			info = infos[i]
		}
		return info
	}
	for _, v := range p.Variants {
		name := v.Name
		if name == assay.ControlName {
			name = p.Study.Base
		}
		if old := of(p.Artifacts, name); old.ID == "" || !p.SameBuild(old, of(infos, name)) {
			return false
		}
	}
	return true
}

package design

import "github.com/seed-1318a441/assay"

// Asked returns the study of a plan as the user wrote it: the plan also has the layouts
// and the base, filled in if the study left them open. ok is false if no such study has
// the plan's StudyHash. Then assay did not write the plan.
func Asked(p *assay.Plan) (*assay.Study, bool) {
	bases := []string{p.Study.Base}
	if p.Study.By != nil { // found in the binary
		bases = append(bases, "")
		if len(p.Study.Variants) > 0 {
			bases = append(bases, p.Study.Variants[0].Name)
		}
	}
	for _, base := range bases {
		for _, layouts := range []int{p.Study.Measure.Layouts, 0} {
			s := p.Study
			s.Base, s.Measure.Layouts = base, layouts
			if StudyHash(&s) == p.StudyHash {
				return &s, true
			}
		}
	}
	return nil, false
}

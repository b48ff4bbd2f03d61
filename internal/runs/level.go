package runs

import (
	"cmp"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/record"
)

// nameLevels gives the variants of a single factor the names that [design.Cross] makes now, so
// that a run measured when they were "100" and "200" also reads "GOGC=100" and "GOGC=200".
// The record keeps the names that it was written with: it was checked with them.
func nameLevels(run *record.Run) {
	s := &run.Plan.Study
	if len(s.Factors) != 1 {
		return
	}
	f, names := s.Factors[0], map[string]string{}
	for _, l := range f.Levels {
		if name := design.LevelName(f.Name, l); name != l.Name {
			names[l.Name] = name
		}
	}
	if len(names) == 0 {
		return
	}
	rename := func(list ...*string) {
		for _, name := range list {
			*name = cmp.Or(names[*name], *name)
		}
	}
	rename(&s.Base)
	for _, list := range [][]assay.Variant{s.Variants, run.Plan.Variants} {
		for i := range list {
			rename(&list[i].Name)
		}
	}
	for i := range run.Plan.Same {
		rename(&run.Plan.Same[i].Variant, &run.Plan.Same[i].As)
	}
	for i := range run.Plan.Artifacts {
		rename(&run.Plan.Artifacts[i].Variant)
	}
	for i := range run.Trials {
		rename(&run.Trials[i].Variant)
	}
	if run.End != nil {
		for i := range run.End.Explanations {
			e := &run.End.Explanations[i]
			rename(&e.Variant, &e.Base, &e.Comparison.Variant)
		}
	}
}

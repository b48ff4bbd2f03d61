package inquiry

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/code"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// levels compares the code of two variants inside one binary: the functions that only one of
// them ran. The profiles show which, of CPU time or else of memory; the binary alone cannot,
// where a benchmark calls them through a variable.
func (d *difference) levels() error {
	if d.x.plan.Study.By == nil || !d.x.wants(assay.CollectCode) || d.base == nil {
		return nil
	}
	base, _, err := d.profiles(assay.CollectCPU, d.x.plan.Study.Base)
	if err != nil {
		return err
	}
	variant, _, err := d.profiles(assay.CollectCPU, d.cell.Variant)
	if err != nil {
		return err
	}
	ofBase, ofVariant := cputime.OwnFunctions(cputime.Input{Base: base, Variant: variant, Root: d.root()})
	if len(ofBase) == 0 || len(ofVariant) == 0 {
		ofBase, ofVariant = allocatingFunctions(d.m.Allocs)
	}
	both := fmt.Sprintf("%s and %s are in one binary: ", d.x.plan.Study.Base, d.cell.Variant)
	if len(ofBase)+len(ofVariant) == 0 {
		d.warn(assay.Warning{Code: assay.CodeOneBinary, Text: both + "no function that only one of them runs was seen, so no code is compared",
			Facts: []string{"where the code is inlined in the benchmark, it has no function of its own"}})
		return nil
	}
	d.warn(assay.Warning{Code: assay.CodeOneBinary, Text: both + "the functions that only one of them runs are compared"})
	d.m.Code = code.Levels(code.Input{Base: d.base, Variant: d.variant, BaseDecisions: d.decisions[0], VariantDecisions: d.decisions[1]}, ofBase, ofVariant)
	return nil
}

// allocatingFunctions lists the functions that allocate on one side alone.
func allocatingFunctions(a *assay.AllocChange) (base, variant []cputime.Hot) {
	if a == nil {
		return nil, nil
	}
	ran := map[string][2]float64{}
	var names []string
	for _, s := range a.Sites {
		n, known := ran[s.Function]
		if !known {
			names = append(names, s.Function)
		}
		ran[s.Function] = [2]float64{n[0] + s.BaseObjects, n[1] + s.VariantObjects}
	}
	for _, name := range names {
		switch n := ran[name]; {
		case n[0] > 0 && n[1] == 0:
			base = append(base, cputime.Hot{Name: name})
		case n[0] == 0 && n[1] > 0:
			variant = append(variant, cputime.Hot{Name: name})
		}
	}
	return base, variant
}

package schedule

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// The places of a block are shared as design draws them.
func TestShare(t *testing.T) {
	for variants := 2; variants < 30; variants++ {
		for together := 0; together <= 8; together++ {
			p := &assay.Plan{Together: together, Study: assay.Study{Base: "v0"}}
			for i := range variants {
				p.Variants = append(p.Variants, assay.Variant{Name: fmt.Sprint("v", i)})
			}
			p.Variants = append(p.Variants, assay.Variant{Name: assay.ControlName, Control: true})
			s := ShareOf(p)
			runs := map[string]int{}
			places := 0
			for block := 1; block <= s.Cycle; block++ {
				for _, v := range design.Present(p, assay.NextBlock{}, block) {
					runs[v.Name]++
					places++
				}
			}
			if want := float64(places) / float64(s.Cycle); math.Abs(s.Present()-want) > 1e-9 {
				t.Errorf("%d variants, %d together: %g in a block, design has %g", variants, together, s.Present(), want)
			}
			for _, v := range p.Variants[1:variants] {
				if runs[v.Name] != 1 {
					t.Errorf("%d variants, %d together: %s runs %d times in a cycle of %d", variants, together, v.Name, runs[v.Name], s.Cycle)
				}
			}
		}
	}
}

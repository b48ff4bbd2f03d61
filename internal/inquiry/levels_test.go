package inquiry

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// Without a CPU profile, the functions that allocate on one side alone are those to compare.
func TestAllocatingFunctions(t *testing.T) {
	base, variant := allocatingFunctions(&assay.AllocChange{Sites: []assay.AllocSite{
		{Function: "q.appended", Line: 7, BaseObjects: 1}, {Function: "q.appended", Line: 8, BaseObjects: 1},
		{Function: "q.literal", VariantObjects: 1}, {Function: "q.both", Line: 1, BaseObjects: 1}, {Function: "q.both", Line: 2, VariantObjects: 2}}})
	if len(base) != 1 || base[0].Name != "q.appended" || len(variant) != 1 || variant[0].Name != "q.literal" {
		t.Errorf("got %+v and %+v", base, variant)
	}
	if base, variant := allocatingFunctions(nil); len(base)+len(variant) > 0 {
		t.Errorf("of nothing: got %+v and %+v", base, variant)
	}
}

package alloc

import (
	"reflect"
	"testing"

	"github.com/seed-1318a441/assay"
)

// tiny is a site of blocks of 16 bytes.
func tiny(base, variant float64) assay.AllocSite {
	return assay.AllocSite{Size: tinyBlock, BaseObjects: base, VariantObjects: variant, BaseBytes: 16 * base, VariantBytes: 16 * variant}
}

// The table counts objects and the profile blocks: what it lacks belongs to the one site of
// blocks that objects share.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		name          string
		sites         []assay.AllocSite
		seen, counted [2]float64
		want          [2]float64
		site          [2]float64 // of the first
	}{
		{"two of 8 bytes share a block", []assay.AllocSite{tiny(0, 0.5)}, [2]float64{0, 0.5}, [2]float64{0, 1}, [2]float64{0, 1}, [2]float64{0, 1}},
		{"the other way", []assay.AllocSite{tiny(0.25, 0)}, [2]float64{3.25, 3}, [2]float64{4, 3}, [2]float64{4, 3}, [2]float64{1, 0}},
		{"others share, too, on both sides", []assay.AllocSite{tiny(0, 0.5)}, [2]float64{0.5, 1}, [2]float64{1, 2}, [2]float64{1, 2}, [2]float64{0, 1}},
		{"a whole block", []assay.AllocSite{tiny(0, 1), {Size: 48, VariantObjects: 1}}, [2]float64{0, 2}, [2]float64{0, 3}, [2]float64{0, 3}, [2]float64{0, 2}},
		{"more at one site", []assay.AllocSite{tiny(0.5, 1)}, [2]float64{0.5, 1}, [2]float64{1, 2}, [2]float64{1, 2}, [2]float64{0.5, 1.5}},
		{"two sites that share", []assay.AllocSite{tiny(0, 0.5), tiny(0, 0.5)}, [2]float64{0, 1}, [2]float64{0, 2}, [2]float64{0, 2}, [2]float64{0, 0.5}},
		{"no tiny site", []assay.AllocSite{{Size: 48, VariantObjects: 1}}, [2]float64{0, 1}, [2]float64{0, 2}, [2]float64{0, 2}, [2]float64{0, 1}},
		{"a fraction that the table drops", []assay.AllocSite{{Size: 48, VariantObjects: 0.9}}, [2]float64{0, 0.9}, [2]float64{0, 0}, [2]float64{0, 0.9}, [2]float64{0, 0.9}},
		{"as counted", []assay.AllocSite{{Size: 48, VariantObjects: 1}}, [2]float64{0, 1}, [2]float64{0, 1}, [2]float64{0, 1}, [2]float64{0, 1}},
	} {
		a := &assay.AllocChange{BaseObjects: c.seen[0], VariantObjects: c.seen[1], Sites: c.sites}
		Count(a, c.counted[0], c.counted[1])
		got := [2]float64{a.BaseObjects, a.VariantObjects}
		site := [2]float64{a.Sites[0].BaseObjects, a.Sites[0].VariantObjects}
		if !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(site, c.site) {
			t.Errorf("%s: got %v in all and %v at the site, want %v and %v", c.name, got, site, c.want, c.site)
		}
	}
}

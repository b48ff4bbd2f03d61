package alloc

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
)

// tinyBlock is the size of the blocks in which the run time puts objects under 16 bytes
// without pointers (maxTinySize in runtime/malloc.go).
const tinyBlock = 16

// Count replaces the objects of both sides by what the run counted of an operation,
// allocs/op: there a tiny object is one, where the profile sees the block that it shares with
// others. What the profile lacks belongs to the site of such blocks, if only one differs; of
// several nobody knows how many objects each has. Count does nothing if the profile sees
// more than was counted: allocs/op has no fraction.
func Count(c *assay.AllocChange, base, variant float64) {
	lackBase, lackVariant := base-c.BaseObjects, variant-c.VariantObjects
	if min(lackBase, lackVariant) < -LeastObjects || max(lackBase, lackVariant) < LeastObjects {
		return
	}
	c.BaseObjects, c.VariantObjects = base, variant
	at := tinySite(c.Sites)
	if at < 0 {
		return
	}
	// Sites that are alike on both sides lack as much on each.
	switch s := &c.Sites[at]; {
	case s.BaseObjects == 0:
		s.VariantObjects += max(lackVariant-lackBase, 0)
	case s.VariantObjects == 0:
		s.BaseObjects += max(lackBase-lackVariant, 0)
	case lackVariant > lackBase:
		s.VariantObjects += lackVariant - lackBase
	default:
		s.BaseObjects += lackBase - lackVariant
	}
}

// tinySite returns the index of the one site of tiny blocks, -1 if there is none, or more
// than one. A part of a block an operation shows that objects share them.
func tinySite(sites []assay.AllocSite) int {
	shared := func(x float64) bool { return math.Abs(x-math.Round(x)) > LeastObjects }
	is := []func(assay.AllocSite) bool{
		func(s assay.AllocSite) bool {
			return s.Size == tinyBlock && (shared(s.BaseObjects) || shared(s.VariantObjects))
		},
		func(s assay.AllocSite) bool { return s.Size == tinyBlock },
	}
	for _, tiny := range is {
		first := slices.IndexFunc(sites, tiny)
		if first >= 0 && !slices.ContainsFunc(sites[first+1:], tiny) {
			return first
		}
		if first >= 0 {
			return -1
		}
	}
	return -1
}

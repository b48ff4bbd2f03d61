package lab

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// All variants of a round get the same arrivals, and each block and round others.
func TestSeedOfArrivals(t *testing.T) {
	service := assay.Benchmark{Name: "s"}
	b := block{BlockRequest: BlockRequest{Plan: &assay.Plan{Seed: 7, Study: assay.Study{Base: "a"}, Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}}}}
	seed := func(variant string, block, round int) uint64 {
		return b.request(&assay.Trial{Variant: variant, Block: block, Round: round}, assay.PlannedBenchmark{Benchmark: service}, Artifact{}).Seed
	}
	if seed("a", 1, 1) != seed("b", 1, 1) {
		t.Error("two variants of a round have other arrivals")
	}
	if first := seed("a", 1, 1); first == 0 || first == seed("a", 2, 1) || first == seed("a", 1, 2) {
		t.Error("two blocks or rounds have the same arrivals")
	}
}

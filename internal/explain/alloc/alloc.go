// Package alloc compares what two variants allocate: it reads memory profiles, finds the
// lines that allocate, and matches those of both sides. It ignores the collector's work
// (explain/gc) and ranks no causes (explain).
package alloc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
)

// Input is what Compare compares.
type Input struct {
	Base, Variant []Trial
	// BaseDecisions and VariantDecisions are the compiler's; those of kind escape name
	// types and reasons.
	BaseDecisions, VariantDecisions []assay.Decision
	// BaseBinary and VariantBinary tell which function of the run time a line calls,
	// which Go's profiles do not: nil leaves Via empty.
	BaseBinary, VariantBinary *binary.File
	// Root is the benchmark's function, such as "pkg.BenchmarkX"; "" for a program. With
	// a root, what package testing and the start of the program allocate is left out.
	Root string
}

// LeastObjects is the smallest change in objects per operation: fewer are a few objects
// of the run time in a whole trial, or a slice or map that outlives the operations and
// grows ever more rarely.
const LeastObjects = 0.005

// leastBytes is the smallest change in bytes per operation: few large objects count by
// their bytes.
const leastBytes = 1

// Compare compares what two variants allocate per operation, by site. A site's values are
// medians over the trials. It differs if the trials of both sides do not overlap, the
// difference is at least 0.005 objects or 1 byte an operation, and it is 3 objects of a
// trial, or whole numbers of each of several operations on both sides. The totals are the
// sums over all sites that have these 0.005 objects or 1 byte.
//
// The profile counts what the allocator hands out, in sizes rounded up to classes, as
// allocs/op and B/op do, except for objects under 16 bytes without pointers. The run time
// combines these to blocks of 16 (mallocgcTiny), and the profile sees the block only: of
// 8 bytes each it has half an object an operation, of 4 a quarter.
//
// The error says which side has no trials, no samples or one number of operations only.
func Compare(in Input) (*assay.AllocChange, error) {
	base, err := readSide(in.Base, in.BaseDecisions, in.BaseBinary, in.Root)
	if err != nil {
		return nil, fmt.Errorf("compare allocations: base: %w", err)
	}
	variant, err := readSide(in.Variant, in.VariantDecisions, in.VariantBinary, in.Root)
	if err != nil {
		return nil, fmt.Errorf("compare allocations: variant: %w", err)
	}
	most := slices.MaxFunc(in.Base, func(a, b Trial) int { return cmp.Compare(a.LargeN, b.LargeN) })
	c := &assay.AllocChange{Exact: true, N: most.LargeN, Trials: min(len(in.Base), len(in.Variant))}
	for _, p := range matchSites(base, variant) {
		addPair(c, p)
	}
	slices.SortStableFunc(c.Sites, func(a, b assay.AllocSite) int { return cmp.Compare(siteWeight(b), siteWeight(a)) })
	return c, nil
}

// siteWeight orders sites: an object counts as much as 100 bytes, about what allocating
// one costs beside clearing its bytes.
func siteWeight(s assay.AllocSite) float64 {
	return math.Abs(s.VariantObjects-s.BaseObjects) + math.Abs(s.VariantBytes-s.BaseBytes)/100
}

// addPair adds a site of one or both sides to the totals, and to the list if it differs.
func addPair(c *assay.AllocChange, p sitePair) {
	s := p.site()
	if !siteMatters(s.BaseObjects, s.BaseBytes) && !siteMatters(s.VariantObjects, s.VariantBytes) {
		return
	}
	c.BaseObjects += s.BaseObjects
	c.BaseBytes += s.BaseBytes
	c.VariantObjects += s.VariantObjects
	c.VariantBytes += s.VariantBytes
	c.Exact = c.Exact && p.exact()
	if p.differs() {
		c.Sites = append(c.Sites, s)
	} else {
		c.Same++
	}
}

func siteMatters(objects, bytes float64) bool {
	return math.Abs(objects) >= LeastObjects || math.Abs(bytes) >= leastBytes
}

// readSide reads the sites of one side, sorted by function, file, line and via.
func readSide(trials []Trial, decisions []assay.Decision, file *binary.File, root string) ([]*allocSite, error) {
	t := &allocTally{trials: len(trials), root: root, sites: map[siteKey]*siteCounts{}, funcs: map[*profile.Function]funcName{},
		called: callTable{file: file, calls: map[uint64][]binary.Inst{}}}
	if len(trials) == 0 {
		return nil, errors.New("no memory profiles")
	}
	for i, trial := range trials {
		if trial.LargeN <= trial.SmallN {
			return nil, fmt.Errorf("profiles of %d and %d operations: the second has to have more", trial.SmallN, trial.LargeN)
		}
		if trial.Large == nil {
			return nil, errors.New("no memory profile of the larger number of operations")
		}
		if err := t.add(i, trial.Large, 1); err != nil {
			return nil, err
		}
		if trial.Small != nil {
			if err := t.add(i, trial.Small, -1); err != nil {
				return nil, err
			}
		}
	}
	return t.list(trials, newHeapTypes(decisions)), nil
}

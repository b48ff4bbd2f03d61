package overlay

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/source"
)

// A Request says what is laid over which source.
type Request struct {
	// Study is the study's folder, absolute.
	Study   string
	Source  assay.Source
	Variant assay.Variant
	// Bench is the -bench pattern that selects benchmarks of another tree.
	Bench string
}

// A Placer lays overlays over sources, and remembers both for its lifetime. Its methods
// may be called in parallel.
type Placer struct {
	cache   *cache.Cache
	sources *source.Finder
	layers  memo.Map[layer]
	trees   memo.Map[source.Tree]
}

// NewPlacer returns a Placer over a cache, with sources from a Finder.
func NewPlacer(c *cache.Cache, sources *source.Finder) *Placer {
	return &Placer{cache: c, sources: sources}
}

// Package source puts the source of a variant on disk: a commit with its submodules, a
// module version, or the working tree as it is. It also lists the files of a source, and
// the existing commits and versions. It does not build, and does not lay files over a
// source (package overlay).
package source

import (
	"context"
	"sync"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/memo"
)

// A Finder puts sources in place: it checks out commits and copies module versions into a
// cache. It remembers them for its lifetime, so that an edit of the working tree during a
// run does not change what a revision means. Its methods may be called in parallel.
type Finder struct {
	cache *cache.Cache
	trees memo.Map[Tree]

	mu      sync.Mutex
	lacking map[string]assay.Warning // by the path of a submodule or a workspace
}

// NewFinder returns a Finder over a cache.
func NewFinder(c *cache.Cache) *Finder { return &Finder{cache: c} }

// Find puts the source of a variant in place: its revision, its module version, or the
// working tree in dir, which is absolute and in which revisions are looked up. Errors are
// of type *assay.Error with exit status 2: [unknown-revision], [no-module] or
// [no-source].
func (f *Finder) Find(ctx context.Context, dir string, v assay.Variant) (Tree, error) {
	return f.trees.Do(dir+"\x00"+v.Rev+"\x00"+v.Module, func() (Tree, error) {
		switch {
		case v.Module != "":
			return f.module(ctx, v.Module)
		case v.Rev != "":
			return f.revision(ctx, dir, v.Rev)
		}
		return workingTree(dir)
	})
}

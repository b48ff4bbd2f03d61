// Package build turns a variant into an artifact: the test binary of a package, or the
// program of a main package. It builds with a toolchain (package toolchain), from a
// source (packages source and overlay), in a fully explicit environment. The cache
// (package cache) keeps artifacts under the hash of everything that made them, except
// binaries with a layout seed. For profile-guided builds it also makes programs that
// profile themselves (ProfiledProgram). Decisions reads what the compiler says of its
// work.
//
// It downloads nothing itself: the go command fetches toolchains and modules. It does not
// check knobs (package knobs), read binaries (package binary), run them (package trial)
// or merge profiles (package local).
package build

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/overlay"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Builder builds variants into a cache folder. Its methods may be called in parallel.
// It remembers what it finds out about toolchains, sources and packages: use one Builder
// per run, so that an edit of the working tree during a run does not mix two versions.
type Builder struct {
	// Cache holds the artifacts and everything made for them.
	Cache *cache.Cache
	// Toolchains finds the toolchains.
	Toolchains *toolchain.Finder
	// Sources puts the sources in place.
	Sources *source.Finder

	overlays *overlay.Placer
	commands *runner
	lists    *lister
	keys     *keys
	modfiles *modfiles
	links    *linker

	roots     memo.Map[string] // of working trees
	artifacts memo.Map[Artifact]
	firsts    memo.Map[struct{}] // builds that have filled go build's cache for others
	profiles  memo.Map[struct{}] // those that have been looked at
}

// New returns a Builder over the cache folder; "" is the default (cache.New). At most
// GOMAXPROCS of its builds run at a time.
func New(dir string) *Builder {
	c := cache.New(dir)
	b := &Builder{Cache: c, Toolchains: toolchain.NewFinder(c), Sources: source.NewFinder(c)}
	b.overlays = overlay.NewPlacer(c, b.Sources)
	b.commands = &runner{cache: c, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	b.lists = &lister{run: b.commands}
	b.keys = &keys{lists: b.lists}
	b.modfiles = &modfiles{cache: c, sources: b.Sources, run: b.commands, lists: b.lists}
	b.links = &linker{cache: c, commands: b.commands, keys: b.keys}
	return b
}

// job finds the toolchain, source and environment of a request. patterns are the packages
// to list, if not the request's own.
func (b *Builder) job(ctx context.Context, r Request, patterns ...string) (job, error) {
	b.Cache.Sweep()
	tc, err := b.ToolchainFor(ctx, r.Study, r.Source, r.Variant)
	if err != nil {
		return job{}, err
	}
	r.BuildFlags = joinFlags(r.BuildFlags)
	t, err := b.builtTree(ctx, tc, r)
	if err != nil {
		return job{}, err
	}
	if len(patterns) == 0 && r.Package != "" {
		patterns = []string{r.Package}
	}
	j, err := b.modfiles.withWorkspace(ctx, job{Request: r, tc: tc, tree: t, env: tc.BuildEnv(t.Work, r.Variant)}, patterns)
	if err != nil {
		return job{}, err
	}
	return b.modfiles.withModfile(ctx, j, patterns)
}

// ToolchainFor finds the toolchain of a variant: its own, else the source's, else the one
// that the go command uses in the folder of the source or its suite. The errors are those
// of toolchain.Finder.Find.
func (b *Builder) ToolchainFor(ctx context.Context, study string, src assay.Source, v assay.Variant) (toolchain.Toolchain, error) {
	name := cmp.Or(v.Go, src.Go)
	if dir, ok := strings.CutPrefix(name, "path:"); ok && !filepath.IsAbs(dir) {
		name = "path:" + filepath.Join(study, dir)
	}
	return b.Toolchains.Find(ctx, name, source.ModuleDir(study, src))
}

// Versions lists the released versions of a module in a range, with the study's
// toolchain: see source.Finder.Versions.
func (b *Builder) Versions(ctx context.Context, study string, src assay.Source, path, rng string) ([]string, error) {
	tc, err := b.ToolchainFor(ctx, study, src, assay.Variant{})
	if err != nil {
		return nil, err
	}
	return b.Sources.Versions(ctx, tc, path, rng)
}

// Env returns the exact environment of a request's build, sorted.
func (b *Builder) Env(ctx context.Context, r Request) ([]string, error) {
	j, err := b.job(ctx, r)
	return j.env, err
}

// builtTree returns the tree in which a request is built: the variant's source, a copy of
// it under an overlay, or a separate suite that uses it.
func (b *Builder) builtTree(ctx context.Context, tc toolchain.Toolchain, r Request) (source.Tree, error) {
	_, tree := r.Source.SuiteTree()
	switch {
	case r.Source.Suite != "" && r.Variant.ModFile != "":
		return source.Tree{}, noSuite(fmt.Sprintf("variant %q: -modfile does not go with a suite, whose go.mod assay makes", r.Variant.Name), nil)
	case r.Source.Suite != "" && !tree:
		return b.modfiles.suite(ctx, tc, r)
	}
	return b.overlays.Tree(ctx, overlay.Request{Study: r.Study, Source: r.Source, Variant: r.Variant, Bench: r.Bench})
}

package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Tree is the source of a variant on disk, as its author left it, with what is needed
// to run go commands in it like the variant's builds.
type Tree struct {
	// ID identifies everything that such a go command depends on, as a name for Store and
	// Load. It is "" if that may change at any moment: for the working tree, and for a
	// toolchain that is no release.
	ID string
	// Dir is the folder of the module: the working tree itself or a shared folder of the
	// cache. Do not write to it; only in the module version of an OpenTree may the go
	// command complete go.mod and go.sum.
	Dir string
	// Go is the path of the go command, GOROOT its folder, GoVersion such as "go1.26.8".
	Go, GOROOT, GoVersion string
	// Env is the whole environment of its commands.
	Env []string
	// Commit is the full hash where the variant is a revision, else "".
	Commit string
	// Module is the path of the module, "" where Dir has no go.mod.
	Module string
}

// Tree puts the source of a variant in place, without its overlay and suite. The errors
// are those of Binary before the build.
func (b *Builder) Tree(ctx context.Context, study string, src assay.Source, v assay.Variant) (Tree, error) {
	b.Cache.Sweep()
	tc, err := b.ToolchainFor(ctx, study, src, v)
	if err != nil {
		return Tree{}, err
	}
	src.Overlay, src.Hide, src.BenchmarksFrom, src.Suite, src.Folders = "", nil, "", "", nil
	t, err := b.Sources.Find(ctx, source.Dir(study, src), v)
	if err != nil {
		return Tree{}, err
	}
	return treeOf(tc, t, v), nil
}

// OpenTree is Tree for commands that build nothing that is measured. A module version
// gets a separate folder in which go.mod may be completed, since its tests may need more
// than that says.
func (b *Builder) OpenTree(ctx context.Context, study string, src assay.Source, v assay.Variant) (Tree, error) {
	if v.Module == "" {
		return b.Tree(ctx, study, src, v)
	}
	tc, err := b.ToolchainFor(ctx, study, src, v)
	if err != nil {
		return Tree{}, err
	}
	t, err := b.Sources.Open(ctx, v.Module)
	if err != nil {
		return Tree{}, err
	}
	out := treeOf(tc, t, v)
	out.Env = slices.DeleteFunc(out.Env, func(kv string) bool { return strings.HasPrefix(kv, "GOFLAGS=") })
	out.Env = append(out.Env, "GOFLAGS="+openMod)
	return out, nil
}

func treeOf(tc toolchain.Toolchain, t source.Tree, v assay.Variant) Tree {
	out := Tree{Dir: t.Dir, Go: tc.Go(), GOROOT: tc.GOROOT, GoVersion: tc.Version, Commit: t.Commit, Module: source.ModulePath(t.Dir)}
	out.Env = tc.BuildEnv(t.Work, v)
	if t.Fixed != "" && tc.Released() {
		out.ID = treeID(tc, t, out.Env)
	}
	return out
}

func treeID(tc toolchain.Toolchain, t source.Tree, env []string) string {
	h := sha256.New()
	rel, _ := filepath.Rel(t.Root, t.Dir) // both are absolute
	fmt.Fprintf(h, "%q %q %q %q\n", t.Fixed, filepath.ToSlash(rel), tc.Version, toolchain.Significant(env))
	return "tree-" + cache.Key(h)
}

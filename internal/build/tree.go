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

// A Tree is the source of a variant on the disk, as its author left it, with
// all that it takes to run go commands in it as the variant's builds do.
type Tree struct {
	// ID stands for everything that such a go command depends on, and serves as a
	// name for Store and Load. It is "" where that may change at any moment: for
	// the working tree, and for a toolchain that is no release.
	ID string
	// Dir is the folder of the module. It is the working tree itself or a folder
	// of the cache that others use: it must not be written to. Only in the module
	// version of an OpenTree may the go command complete go.mod and go.sum.
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

// Tree puts the source of a variant in place, without the overlay and the suite that its
// builds may have. Errors are those of Binary that come before the build.
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

// OpenTree is Tree for commands that build nothing that is measured. A module
// version is in a folder of its own, in which go.mod may be completed: its tests
// may need more than it says.
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

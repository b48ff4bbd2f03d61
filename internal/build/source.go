package build

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A tree is a variant's source on the disk.
type tree struct {
	// Dir is the module's folder.
	Dir string
	// fixed is set where the content below root never changes: "git:COMMIT" or
	// "mod:PATH@VERSION". The working tree has neither.
	fixed, root string
	// commit is the full hash of a revision, lacking what it has and is not here.
	commit  string
	lacking []lack
	// work is the go.work in effect, or "off".
	work string
	// modFlags are extra flags for every go command run in the tree.
	modFlags []string
	// modules are folders laid over the tree that are modules of their own, suite what
	// they come from, with its hash.
	modules []string
	suite   string
	// sum is the h1 hash of a module version.
	sum string
	// incomplete says that go.mod and go.sum may lack what tests need.
	incomplete bool
	// overlay lists the files laid over the tree, relative to Dir, with slashes.
	overlay []string
}

// source puts a variant's source in place.
func (b *Builder) source(ctx context.Context, study string, src assay.Source, v assay.Variant) (tree, error) {
	dir := sourceDir(study, src)
	t, err := b.trees.Do(dir+"\x00"+v.Rev+"\x00"+v.Module, func() (tree, error) {
		switch {
		case v.Module != "":
			return b.module(ctx, v.Module)
		case v.Rev != "":
			return b.revision(ctx, dir, v.Rev)
		}
		return workingTree(dir)
	})
	return t, err
}

// workingTree is the source as it is, with the workspace that the user's go
// command would use.
func workingTree(dir string) (tree, error) {
	if !disk.IsDir(dir) {
		return tree{}, assay.NewError(assay.ExitUsage, "no-source", fmt.Sprintf("source folder %s does not exist", disk.Tilde(dir)), nil, "")
	}
	t := tree{Dir: dir, work: toolchain.UserSettings()["GOWORK"]}
	if t.work == "" {
		t.work = findWork(dir, "")
	}
	return t, nil
}

// findWork returns the go.work in effect in dir, or "off". It does not look
// above root, so that a copy in the cache finds only its own.
func findWork(dir, root string) string {
	for {
		if f := filepath.Join(dir, "go.work"); disk.IsFile(f) {
			return f
		}
		up := filepath.Dir(dir)
		if dir == root || up == dir {
			return "off"
		}
		dir = up
	}
}

package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Tree is a variant's source on disk.
type Tree struct {
	// Dir is the module's folder.
	Dir string
	// Fixed identifies content below the folder Root that never changes: "git:COMMIT" or
	// "mod:PATH@VERSION". The working tree has neither.
	Fixed, Root string
	// Commit is the full hash of a revision, Lacking its missing submodules.
	Commit  string
	Lacking []Missing
	// Work is the go.work in effect, or "off".
	Work string
	// ModFlags are extra flags for every go command run in the tree.
	ModFlags []string
	// Modules are the folders laid over the tree that are separate modules. Suite is
	// where they come from, with its hash.
	Modules []string
	Suite   string
	// Sum is the h1 hash of a module version.
	Sum string
	// Incomplete is true if go.mod and go.sum may lack what tests need.
	Incomplete bool
	// Overlay lists the files laid over the tree, relative to Dir, with slashes.
	Overlay []string
}

// workingTree returns the source as it is, with the workspace that the user's go command
// would use.
func workingTree(dir string) (Tree, error) {
	if !disk.IsDir(dir) {
		return Tree{}, assay.UsageError(assay.CodeNoSource, fmt.Sprintf("source folder %s does not exist", disk.Tilde(dir)), "")
	}
	t := Tree{Dir: dir, Work: toolchain.UserSettings()["GOWORK"]}
	if t.Work == "" {
		t.Work = FindWork(dir, "")
	}
	return t, nil
}

// FindWork returns the go.work in effect in dir, or "off". It does not look above root,
// so that a copy in the cache finds only its own.
func FindWork(dir, root string) string {
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

// WorkingRoot returns the root of the repository that contains a folder of a working
// tree, unless the repository ignores it; else the root of its workspace or module.
func WorkingRoot(ctx context.Context, dir string, t Tree) (string, error) {
	if top, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel"); err == nil {
		if _, err := git(ctx, dir, nil, "check-ignore", "-q", "--", "."); err != nil && disk.Within(dir, filepath.FromSlash(top)) {
			return filepath.FromSlash(top), nil
		}
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if up := filepath.Dir(t.Work); t.Work != "off" && disk.Within(dir, up) {
		return up, nil
	}
	if mod := disk.FindUp(dir, "go.mod"); mod != "" {
		return filepath.Dir(mod), nil
	}
	return dir, nil
}

// ModulePath reads the path of the module that contains dir.
func ModulePath(dir string) string {
	data, err := os.ReadFile(disk.FindUp(dir, "go.mod"))
	if err != nil {
		return ""
	}
	return modfile.ModulePath(data)
}

// ModuleDir returns the folder whose module is built: that of the suite, or of the
// working tree.
func ModuleDir(study string, src assay.Source) string {
	if _, tree := src.SuiteTree(); src.Suite != "" && !tree {
		return disk.In(study, src.Suite)
	}
	return Dir(study, src)
}

// Dir returns the absolute folder of the working tree that the variants of a study start
// from, in which revisions are looked up.
func Dir(study string, src assay.Source) string { return disk.In(study, src.Dir) }

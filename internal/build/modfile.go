package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/source"
)

// openMod lets the go command complete go.mod and go.sum.
const openMod = "-mod=mod"

// modfiles makes, in the cache, the go.mod and go.work files that lie outside the trees
// built with them: those of suites and frozen folders, and those that complete a tree's
// own.
type modfiles struct {
	cache   *cache.Cache
	sources *source.Finder
	run     *runner
	lists   *lister
	made    memo.Map[string]
	suites  memo.Map[source.Tree] // pointed at variants
}

// withModfile points a job at a go.mod outside its tree if the tree's own may be
// incomplete: that of a published module may lack what its tests need, and -mod=mod asks
// for an updated one. The go command would otherwise write to the tree, which is the
// cache's and must not change.
func (mf *modfiles) withModfile(ctx context.Context, j job, patterns []string) (job, error) {
	opened := j.tree.Root != "" && j.tree.Work == "off" && lastFlag(j.BuildFlags, "-mod") == "mod" && lastFlag(j.BuildFlags, "-modfile") == ""
	if len(patterns) == 0 || len(j.tree.ModFlags) > 0 || j.Variant.ModFile != "" || !j.tree.Incomplete && !opened {
		return j, nil
	}
	file, err := mf.completed(ctx, j, patterns)
	j.tree.ModFlags = []string{"-mod=readonly", "-modfile=" + file}
	return j, err
}

// lastFlag returns the value of the last flag of a name, "" if there is none.
func lastFlag(flags []string, name string) string {
	for _, f := range slices.Backward(flags) {
		if value, ok := strings.CutPrefix(f, name+"="); ok {
			return value
		}
	}
	return ""
}

// completed makes, or finds in the cache, a copy of the tree's go.mod with everything
// that the patterns' packages and their tests need, and returns its path; go.sum is
// beside it. There is one for each list of patterns: the needs of another package must
// not change what this one is built with.
func (mf *modfiles) completed(ctx context.Context, j job, patterns []string) (string, error) {
	own := disk.FindUp(j.tree.Dir, "go.mod")
	text, sums := disk.Content(own), disk.Content(filepath.Join(filepath.Dir(own), "go.sum"))
	if j.tree.Incomplete { // a published module
		text = source.WithoutLost(filepath.Dir(own), text)
	}
	h := sha256.New()
	fmt.Fprintf(h, "modfile 1 %q %q %q %q %q %q %q\n", j.tree.Fixed, j.tree.Dir, j.tc.Version, text, sums, j.tags(), patterns)
	root, err := mf.place(h, func(made string) error {
		if err := writeModfile(made, text, sums); err != nil {
			return err
		}
		_, err := mf.complete(ctx, j, j.tree.Dir, made, patterns)
		return err
	})
	return filepath.Join(root, "go.mod"), err
}

// place makes, or finds in the cache, the folder that a hash names.
func (mf *modfiles) place(h hash.Hash, fill func(made string) error) (string, error) {
	name := cache.Key(h)
	return mf.made.Do(name, func() (string, error) { return mf.cache.Place(filepath.Join(mf.cache.Dir, "mod", name), fill) })
}

// writeModfile writes a go.mod and a go.sum into a folder.
func writeModfile(dir string, text, sums []byte) error {
	err := os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o666)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666)
	}
	if err != nil {
		return fmt.Errorf("write go.mod: %w", err)
	}
	return nil
}

// complete lets the go command add to the go.mod and go.sum in made what the matching
// packages in dir and their tests need, so that builds change and fetch nothing. The
// build reports packages that do not load. more are environment variables; chatter is the
// go command's output.
func (mf *modfiles) complete(ctx context.Context, j job, dir, made string, patterns []string, more ...string) (chatter string, err error) {
	if err := mf.run.acquire(ctx); err != nil {
		return "", err
	}
	defer mf.run.release()
	env := append(j.tc.BuildEnv("off", j.Variant), more...)
	args := slices.Concat([]string{"list", "-e", "-deps", "-test", openMod, "-modfile=" + filepath.Join(made, "go.mod")}, j.tags(), []string{"--"}, patterns)
	var errs bytes.Buffer
	err = process.Run(ctx, dir, env, io.Discard, &errs, j.tc.Go(), args...)
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("complete go.mod of variant %q: %w", j.Variant.Name, err)
	case err != nil:
		return "", mf.run.failed(j, "completing its go.mod", errs.Bytes(), err)
	}
	return errs.String(), nil
}

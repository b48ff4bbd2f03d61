package milestone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// checkOldTests runs the tests of the tree that the step is compared with on the step's
// code: "every existing test passes unchanged". Its _test.go files replace the step's;
// its testdata is laid over the step's.
func checkOldTests(ctx context.Context, t *task) error {
	w, err := t.copyOf(ctx, t.step)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(w.Dir)
	if err != nil {
		return fmt.Errorf("open the copy of %q: %w", w.Name, err)
	}
	defer root.Close()
	if err := removeTests(root); err != nil {
		return fmt.Errorf("remove the tests of %q: %w", w.Name, err)
	}
	gone, err := layTests(ctx, root, os.DirFS(t.against.Dir))
	if err != nil {
		return fmt.Errorf("lay the tests of %q over %q: %w", t.against.Name, w.Name, err)
	}
	flags, err := t.lendModules(w)
	if err != nil {
		return err
	}
	r, err := t.goTest(ctx, w, flags)
	if err != nil {
		return err
	}
	if err := t.forgive(ctx, r, w); err != nil {
		return err
	}
	t.judge(r, w, gone)
	return nil
}

// forgive removes failures that the old code has as well, since they do not concern the
// step. The old code's tests run only if something failed.
func (t *task) forgive(ctx context.Context, r *results, w workspace) error {
	if len(r.failedPackages()) == 0 {
		return nil
	}
	old, err := t.copyOf(ctx, t.against)
	if err != nil {
		return err
	}
	before, err := t.goTest(ctx, old, nil)
	if err != nil {
		return fmt.Errorf("run the tests of %q on its own code: %w", t.against.Name, err)
	}
	r.forgive(w.mod.Module.Mod.Path, before, old.mod.Module.Mod.Path)
	return nil
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// hasCode reports whether a folder has Go files other than tests.
func hasCode(files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, ".go") && !isTest(f) })
}

func removeTests(root *os.Root) error {
	return walkModule(root.FS(), func(dir string, files []string) error {
		for _, f := range files {
			if isTest(f) {
				if err := root.Remove(path.Join(dir, f)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// layTests copies tests and their data into root. It returns the removed packages that
// had tests. A folder that had only tests does not count as removed.
func layTests(ctx context.Context, root *os.Root, old fs.FS) (gone []string, err error) {
	err = walkModule(old, func(dir string, files []string) error {
		data := path.Join(dir, "testdata")
		if st, err := fs.Stat(old, data); err == nil && st.IsDir() {
			if err := layFolder(ctx, root, old, data); err != nil {
				return err
			}
		}
		tests := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !isTest(f) })
		if len(tests) == 0 {
			return nil
		}
		if hasCode(files) && !codeIn(root, dir) {
			gone = append(gone, dir+": package gone")
			return nil
		}
		return layFiles(root, old, dir, tests)
	})
	return gone, err
}

func layFiles(root *os.Root, old fs.FS, dir string, names []string) error {
	if err := root.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range names {
		if err := layFile(root, old, path.Join(dir, f)); err != nil {
			return err
		}
	}
	return nil
}

func codeIn(root *os.Root, dir string) bool {
	entries, _ := fs.ReadDir(root.FS(), dir)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return hasCode([]string{e.Name()}) })
}

// lendModules adds to the copy the modules that the old tests may import and the step's
// go.mod lacks: a dropped test library is not a change of the code. It returns the
// necessary flags.
func (t *task) lendModules(w workspace) ([]string, error) {
	old, err := readMod(t.against)
	if err != nil {
		return nil, err
	}
	lent := false
	for _, r := range old.Require {
		has := func(q *modfile.Require) bool { return q.Mod.Path == r.Mod.Path }
		if r.Mod.Path != w.mod.Module.Mod.Path && !slices.ContainsFunc(w.mod.Require, has) {
			w.mod.AddNewRequire(r.Mod.Path, r.Mod.Version, false)
			lent = true
		}
	}
	if !lent {
		return nil, nil
	}
	if err := w.writeMod(); err != nil {
		return nil, err
	}
	return []string{"-mod=mod"}, w.lendSums(t.against)
}

// lendSums adds the checksums of another tree to those of the copy.
func (w workspace) lendSums(from Tree) error {
	more, err := readSource(os.DirFS(from.Dir), "go.sum")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read go.sum of %q: %w", from.Name, err)
	}
	has, err := readSource(os.DirFS(w.Dir), "go.sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read go.sum of %q: %w", w.Name, err)
	}
	return w.write("go.sum", slices.Concat(has, []byte("\n"), more))
}

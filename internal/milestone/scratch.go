package milestone

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/seed-1318a441/assay/internal/disk"
)

// A workspace is a scratch copy of a tree, where tests may write.
type workspace struct {
	Tree // its Dir is the copy
	// mod is the content of the copy's go.mod.
	mod *modfile.File
}

// copyOf makes a scratch copy of a tree, which the task removes at its end. References in
// go.mod or go.work to files outside the module still work.
func (t *task) copyOf(ctx context.Context, tree Tree) (workspace, error) {
	top, err := t.Cache.TempDir("gate-")
	if err != nil {
		return workspace{}, fmt.Errorf("make a scratch folder: %w", err)
	}
	t.scratch = append(t.scratch, top)
	w := workspace{Tree: tree}
	w.Dir = filepath.Join(top, "module")
	if err := copyTree(ctx, w.Dir, tree.Dir); err != nil {
		return w, fmt.Errorf("copy %q: %w", tree.Name, err)
	}
	if w.mod, err = readMod(w.Tree); err != nil {
		return w, err
	}
	if err := w.keepReplaced(tree.Dir); err != nil {
		return w, err
	}
	return w, w.keepWork(tree.Dir, top)
}

// copyTree copies everything except the version control history into a new folder.
func copyTree(ctx context.Context, to, from string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	return layFolder(ctx, root, os.DirFS(from), ".")
}

// layFolder copies a folder of a tree over the same one of root. It never writes outside
// root, whatever links exist in either.
func layFolder(ctx context.Context, root *os.Root, tree fs.FS, dir string) error {
	return fs.WalkDir(tree, dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = context.Cause(ctx)
		}
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" && d.IsDir():
			return fs.SkipDir
		case d.IsDir():
			return root.MkdirAll(name, 0o777)
		case d.Type() == fs.ModeSymlink:
			return layLink(root, tree, name)
		case d.Type().IsRegular():
			return layFile(root, tree, name)
		}
		return nil // a socket or a pipe: not part of a module
	})
}

func layLink(root *os.Root, tree fs.FS, name string) error {
	target, err := fs.ReadLink(tree, name)
	if err != nil {
		return err
	}
	_ = root.Remove(name)
	return root.Symlink(target, name)
}

// layFile copies a file and makes it writable: files of the module cache are not.
func layFile(root *os.Root, tree fs.FS, name string) error {
	// Before opening: opening a pipe would block, and a device has no end.
	st, err := fs.Stat(tree, name)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", name)
	}
	in, err := tree.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	_ = root.Remove(name)
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, st.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return cmp.Or(err, out.Close())
}

func readMod(tree Tree) (*modfile.File, error) {
	data, err := readSource(os.DirFS(tree.Dir), "go.mod")
	if err != nil {
		return nil, fmt.Errorf("read go.mod of %q: %w", tree.Name, err)
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err == nil && mod.Module == nil {
		err = errors.New("it names no module")
	}
	if err != nil {
		return nil, fmt.Errorf("read go.mod of %q: %w", tree.Name, err)
	}
	return mod, nil
}

// writeMod writes the go.mod of the copy after a change.
func (w workspace) writeMod() error {
	data, err := w.mod.Format()
	if err != nil {
		return fmt.Errorf("write go.mod of %q: %w", w.Name, err)
	}
	return w.write("go.mod", data)
}

// write replaces a file of the copy. If it is a link, the link goes, not its target.
func (w workspace) write(name string, data []byte) error {
	root, err := os.OpenRoot(w.Dir)
	if err != nil {
		return fmt.Errorf("open the copy of %q: %w", w.Name, err)
	}
	defer root.Close()
	_ = root.Remove(name)
	if err := root.WriteFile(name, data, 0o666); err != nil {
		return fmt.Errorf("write %s of %q: %w", name, w.Name, err)
	}
	return nil
}

// keepReplaced adjusts replacements by folders outside the module to their place as seen
// from the copy.
func (w workspace) keepReplaced(from string) error {
	moved := false
	for _, r := range slices.Clone(w.mod.Replace) {
		if to := filepath.FromSlash(r.New.Path); isFolder(r) && !filepath.IsLocal(to) {
			if err := w.mod.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(from, to), ""); err != nil {
				return err
			}
			moved = true
		}
	}
	if !moved {
		return nil
	}
	return w.writeMod()
}

// isFolder reports whether a module is replaced by a folder named relative to the file. An
// entry that was cleared since, because an earlier one says the same, is none.
func isFolder(r *modfile.Replace) bool {
	return r.Old.Path != "" && r.New.Version == "" && !filepath.IsAbs(filepath.FromSlash(r.New.Path))
}

// keepWork gives the copy its own go.work if the tree is built with one: the same, with
// the copy in the module's place.
func (w *workspace) keepWork(from, top string) error {
	file := variable(w.Env, "GOWORK")
	if file == "" || file == "off" {
		return nil
	}
	home := filepath.Dir(file)
	data, err := readSource(os.DirFS(home), filepath.Base(file))
	if err != nil {
		return fmt.Errorf("read go.work: %w", err)
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return fmt.Errorf("read go.work: %w", err)
	}
	for _, r := range slices.Clone(work.Replace) {
		if isFolder(r) {
			err = cmp.Or(err, work.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(home, filepath.FromSlash(r.New.Path)), ""))
		}
	}
	for _, u := range slices.Clone(work.Use) {
		if u.Path == "" {
			continue // cleared, because an earlier line says the same
		}
		dir := disk.In(home, filepath.FromSlash(u.Path))
		if sameDir(dir, from) {
			dir = w.Dir
		}
		err = cmp.Or(err, work.DropUse(u.Path), work.AddUse(filepath.ToSlash(dir), ""))
	}
	work.Cleanup()
	copied := filepath.Join(top, "go.work")
	if err = cmp.Or(err, os.WriteFile(copied, modfile.Format(work.Syntax), 0o666)); err != nil {
		return fmt.Errorf("write go.work: %w", err)
	}
	w.Env = append(slices.Clip(w.Env), "GOWORK="+copied)
	return nil
}

func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// packageLabel returns a package's path inside a module. For the package at the root it
// is the last element of the module's path that is not a version.
func packageLabel(module, pkg string) string {
	if inside, ok := strings.CutPrefix(pkg, module+"/"); ok {
		return inside
	}
	dir, last := path.Split(pkg)
	if dir != "" && majorVersion.MatchString(last) {
		return path.Base(dir)
	}
	return last
}

package milestone

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/module"

	"github.com/seed-1318a441/assay/internal/disk"
)

// A workspace is a scratch copy of a tree, where tests may write.
type workspace struct {
	Tree // its Dir is the copy
	// mod is the content of the copy's go.mod.
	mod goMod
}

// copyOf makes a scratch copy of a tree, which the task removes at its end. References in
// go.mod or go.work to files outside the module still work.
func (t *task) copyOf(ctx context.Context, tree Tree) (workspace, error) {
	top, err := t.Temp("gate-")
	if err != nil {
		return workspace{}, fmt.Errorf("make a scratch folder: %w", err)
	}
	t.scratch = append(t.scratch, top)
	w := workspace{Tree: tree}
	w.Dir = filepath.Join(top, "module")
	if err := copyTree(ctx, w.Dir, tree.Dir); err != nil {
		return w, fmt.Errorf("copy %q: %w", tree.Name, err)
	}
	if w.mod, err = t.readMod(ctx, w.Tree); err != nil {
		return w, err
	}
	if err := t.keepReplaced(ctx, w, tree.Dir); err != nil {
		return w, err
	}
	return w, t.keepWork(ctx, &w, tree.Dir, top)
}

// tidy removes the task's scratch folders, including those that a test made unwritable.
func (t *task) tidy() {
	for _, dir := range t.scratch {
		_ = disk.RemoveAll(dir)
	}
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
	return lay(ctx, root, os.DirFS(from), ".")
}

// lay copies a folder of a tree over the same one of root. It never writes outside root,
// whatever links exist in either.
func lay(ctx context.Context, root *os.Root, tree fs.FS, dir string) error {
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

// goMod is the output of "go mod edit -json".
type goMod struct {
	Module  struct{ Path string }
	Require []module.Version
	Replace []replaced
}

type replaced struct{ Old, New module.Version }

// readMod reads the go.mod of a tree.
func (t *task) readMod(ctx context.Context, tree Tree) (goMod, error) {
	var m goMod
	return m, t.edited(ctx, tree, &m, "mod", "edit", "-json")
}

// edited runs a go command that prints JSON.
func (t *task) edited(ctx context.Context, tree Tree, into any, args ...string) error {
	out, err := t.output(ctx, tree, "read go.mod", new(clip), args...)
	if err != nil || into == nil {
		return err
	}
	if err := json.NewDecoder(out).Decode(into); err != nil {
		return fmt.Errorf("read go.mod of %q: %w", tree.Name, err)
	}
	return nil
}

// keepReplaced adjusts replacements by folders outside the module to their place as seen
// from the copy.
func (t *task) keepReplaced(ctx context.Context, w workspace, from string) error {
	edits := replacements(w.mod.Replace, from, func(p string) bool { return !filepath.IsLocal(p) })
	if len(edits) == 0 {
		return nil
	}
	return t.edited(ctx, w.Tree, nil, append([]string{"mod", "edit"}, edits...)...)
}

// replacements returns the flags that make replacements by relative folders absolute, if
// their folders move.
func replacements(all []replaced, from string, moves func(string) bool) []string {
	var edits []string
	for _, r := range all {
		p := filepath.FromSlash(r.New.Path)
		if r.New.Version == "" && !filepath.IsAbs(p) && moves(p) {
			edits = append(edits, "-replace="+r.Old.String()+"="+filepath.Join(from, p))
		}
	}
	return edits
}

// keepWork gives the copy its own go.work if the tree is built with one: the same, with
// the copy in the module's place.
func (t *task) keepWork(ctx context.Context, w *workspace, from, top string) error {
	file := variable(w.Env, "GOWORK")
	if file == "" || file == "off" {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read go.work: %w", err)
	}
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []replaced
	}
	if err := t.edited(ctx, w.Tree, &work, "work", "edit", "-json", file); err != nil {
		return err
	}
	home := filepath.Dir(file)
	edits := replacements(work.Replace, home, func(string) bool { return true })
	for _, u := range work.Use {
		dir := disk.In(home, filepath.FromSlash(u.DiskPath))
		if sameDir(dir, from) {
			dir = w.Dir
		}
		edits = append(edits, "-dropuse="+u.DiskPath, "-use="+dir)
	}
	copied := filepath.Join(top, "go.work")
	if err := os.WriteFile(copied, data, 0o666); err != nil {
		return fmt.Errorf("write go.work: %w", err)
	}
	w.Env = append(w.Env[:len(w.Env):len(w.Env)], "GOWORK="+copied)
	return t.edited(ctx, w.Tree, nil, append(append([]string{"work", "edit"}, edits...), copied)...)
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

// label returns a package's path inside its module. For the package at the root it is the
// last element of the module's path that is not a version.
func (m goMod) label(pkg string) string {
	if inside, ok := strings.CutPrefix(pkg, m.Module.Path+"/"); ok {
		return inside
	}
	dir, last := path.Split(pkg)
	if dir != "" && majorVersion.MatchString(last) {
		return path.Base(dir)
	}
	return last
}

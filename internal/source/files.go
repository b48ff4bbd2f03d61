package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
)

// Files are the files of a tree.
type Files struct {
	// Root is their folder: the whole repository if there is one, since a module may be
	// built with its neighbours. Rel is the module's folder in it.
	Root, Rel string
	// Names are the files, with slashes, sorted.
	Names []string
	// Fixed identifies the content, or is "".
	Fixed string
}

// FilesOf lists the files of a tree. For a working tree in git these are the files that
// git knows or would add; for one without, all files except those of version control, of
// assay's own runs and of folders that keep themselves out of git.
func FilesOf(ctx context.Context, t Tree) (Files, error) {
	if t.Fixed != "" {
		rel, err := filepath.Rel(t.Root, t.Dir)
		if err != nil {
			return Files{}, fmt.Errorf("copy source: %w", err)
		}
		names, err := FilesBelow(t.Root)
		return Files{Root: t.Root, Rel: rel, Names: names, Fixed: t.Fixed}, err
	}
	c, ok := gitFiles(ctx, t.Dir)
	if ctx.Err() != nil {
		return Files{}, context.Cause(ctx)
	}
	if !ok {
		c = Files{Root: t.Dir, Rel: "."}
		if up := filepath.Dir(t.Work); t.Work != "off" && disk.Within(t.Dir, up) {
			c.Root = up
			c.Rel, _ = filepath.Rel(up, t.Dir) // within
		}
		var err error
		if c.Names, err = below(c.Root, ignoresItself); err != nil {
			return c, err
		}
	}
	if t.Work != "off" && !sameBelow(c, t) {
		return c, assay.NewError(assay.ExitUsage, assay.CodeOverlay, fmt.Sprintf("an overlay cannot be copied over %s: its workspace %s is outside the copied folder", disk.Tilde(t.Dir), disk.Tilde(t.Work)),
			nil, "GOWORK=off, or source.suite instead of source.overlay")
	}
	return c, nil
}

// sameBelow reports whether the copy will find the tree's workspace.
func sameBelow(c Files, t Tree) bool {
	found := FindWork(filepath.Join(c.Root, c.Rel), c.Root)
	a, errA := os.Stat(found)
	b, errB := os.Stat(t.Work)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// gitFiles lists the files of the repository that contains dir, if there is one and it
// does not ignore dir.
func gitFiles(ctx context.Context, dir string) (Files, bool) {
	info, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return Files{}, false
	}
	top, prefix, _ := strings.Cut(info, "\n")
	c := Files{Root: filepath.FromSlash(top), Rel: filepath.Clean(filepath.FromSlash(prefix))}
	var list zeroFields
	if err := gitTo(ctx, c.Root, nil, &list, "ls-files", "--cached", "--others", "--exclude-standard", "-z"); err != nil {
		return Files{}, false
	}
	for _, name := range list.all {
		if filepath.IsLocal(filepath.FromSlash(name)) && !IsMeta(name) {
			c.Names = append(c.Names, c.expand(ctx, strings.TrimSuffix(name, "/"))...)
		}
	}
	slices.Sort(c.Names)
	c.Names = slices.Compact(c.Names) // a conflict is listed three times
	known := slices.ContainsFunc(c.Names, func(n string) bool { return strings.HasPrefix(n, prefix) })
	return c, known
}

// expand lists the files of a submodule or a nested repository, which git lists as one
// name.
func (f Files) expand(ctx context.Context, name string) []string {
	dir := filepath.Join(f.Root, filepath.FromSlash(name))
	if st, err := os.Lstat(dir); err != nil || !st.IsDir() {
		return []string{name}
	}
	inner, ok := gitFiles(ctx, dir)
	if !ok || inner.Rel != "." { // the folder is empty, and what git answers for is f itself
		return nil
	}
	for i, n := range inner.Names {
		inner.Names[i] = path.Join(name, n)
	}
	return inner.Names
}

// IsMeta reports whether a file belongs to version control or to assay.
func IsMeta(name string) bool {
	dir := "/" + path.Dir(name) + "/"
	return strings.Contains(dir, "/.git/") || strings.Contains(dir, "/.assay/") || path.Base(name) == ".git"
}

// FilesBelow lists the files of a folder and of those in it, but for those of version
// control and of assay (IsMeta), with slashes, sorted.
func FilesBelow(root string) ([]string, error) {
	return below(root, func(string) bool { return false })
}

// ignoresItself reports whether a folder keeps itself out of git, as those of keys, caches
// and virtual environments do. Outside of git it is no part of the source either.
func ignoresItself(dir string) bool {
	return strings.TrimSpace(string(disk.Content(filepath.Join(dir, disk.IgnoreFile)))) == strings.TrimSpace(disk.IgnoreAll)
}

// below lists as FilesBelow does, without the folders in root that leave returns true for.
func below(root string, leave func(dir string) bool) ([]string, error) {
	var names []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name != root {
			return nil // it was removed meanwhile
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && (IsMeta(rel+"/x") || rel != "." && leave(name)):
			return fs.SkipDir
		case !d.IsDir() && !IsMeta(rel):
			names = append(names, rel)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list files of %s: %w", disk.Tilde(root), err)
	}
	slices.Sort(names)
	return names, nil
}

// CopyFiles copies files of a folder into another, links as links, and writes the names
// and contents to h. It skips missing files, such as removed ones that are still in the
// index, and everything else that is not a file, such as a submodule.
func CopyFiles(to, from string, names []string, h io.Writer) error {
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, n := range names {
		src := filepath.Join(from, filepath.FromSlash(n))
		st, err := os.Lstat(src)
		switch {
		case err != nil:
		case st.Mode().IsRegular():
			err = CopyFile(root, n, src, h)
		case st.Mode()&fs.ModeSymlink != 0:
			err = copyLink(root, n, src, h)
		}
		if err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

func copyLink(root *os.Root, name, src string, h io.Writer) error {
	to, err := os.Readlink(src)
	if err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
		return err
	}
	fmt.Fprintf(h, "link %q %q\n", name, to)
	return root.Symlink(to, filepath.FromSlash(name))
}

// CopyFile copies one file. The copy is writable, even of the module cache's read-only
// files.
func CopyFile(root *os.Root, name, src string, h io.Writer) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
		return err
	}
	out, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, st.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	content := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, content), in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	fmt.Fprintf(h, "file %q %t %x\n", name, st.Mode()&0o111 != 0, content.Sum(nil))
	return err
}

// ListFiles lists the files of a tree as FilesOf does, and in a repository what git ignores.
func ListFiles(ctx context.Context, root string) (names, ignored []string, err error) {
	if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
		if c, ok := gitFiles(ctx, root); ok {
			var list zeroFields
			if err := gitTo(ctx, root, nil, &list, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"); err == nil {
				ignored = slices.DeleteFunc(list.all, func(n string) bool { return IsMeta(n + "x") })
			}
			return c.Names, ignored, context.Cause(ctx)
		}
	}
	names, err = below(root, ignoresItself)
	return names, nil, err
}

// Tracked lists the files below a folder that git tracks, also in submodules, relative to
// it. There are none outside of git.
func Tracked(ctx context.Context, dir string) []string {
	var list zeroFields
	if err := gitTo(ctx, dir, nil, &list, "ls-files", "--cached", "--recurse-submodules", "-z"); err != nil {
		return nil
	}
	return list.all
}

// InModule returns the path of a file relative to the module's folder; ok is false if it
// is elsewhere, missing, or not a plain file.
func (f Files) InModule(name string) (rel string, ok bool) {
	rel, err := filepath.Rel(f.Rel, filepath.FromSlash(name))
	if err != nil || !filepath.IsLocal(rel) || !disk.IsFile(filepath.Join(f.Root, filepath.FromSlash(name))) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

package build

import (
	"context"
	"crypto/sha256"
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

// A copied is what a copy of a tree is made from.
type copied struct {
	// root is the folder that is copied: the whole repository where there is one,
	// since a module may be built with its neighbours; rel is the module's folder
	// in it.
	root, rel string
	// names are the files, with slashes, sorted.
	names []string
	// fixed stands for the content, or is "".
	fixed string
}

// copySource finds out what to copy. Of a working tree in git it is what git
// knows or would take; of one without, all files, but those of version control
// and of assay's own runs.
func copySource(ctx context.Context, t tree) (copied, error) {
	if t.fixed != "" {
		rel, err := filepath.Rel(t.root, t.Dir)
		if err != nil {
			return copied{}, fmt.Errorf("copy source: %w", err)
		}
		names, err := filesBelow(t.root)
		return copied{root: t.root, rel: rel, names: names, fixed: t.fixed}, err
	}
	c, ok := gitFiles(ctx, t.Dir)
	if ctx.Err() != nil {
		return copied{}, context.Cause(ctx)
	}
	if !ok {
		c = copied{root: t.Dir, rel: "."}
		if up := filepath.Dir(t.work); t.work != "off" && disk.Within(t.Dir, up) {
			c.root = up
			c.rel, _ = filepath.Rel(up, t.Dir) // within
		}
		var err error
		if c.names, err = filesBelow(c.root); err != nil {
			return c, err
		}
	}
	if t.work != "off" && !sameBelow(c, t) {
		return c, assay.NewError(assay.ExitUsage, "overlay", fmt.Sprintf("an overlay cannot be laid over %s: its workspace %s is outside of what is copied", disk.Tilde(t.Dir), disk.Tilde(t.work)),
			nil, "GOWORK=off, or source.suite instead of source.overlay")
	}
	return c, nil
}

// sameBelow reports whether the copy will find the workspace that the tree has.
func sameBelow(c copied, t tree) bool {
	found := findWork(filepath.Join(c.root, c.rel), c.root)
	a, errA := os.Stat(found)
	b, errB := os.Stat(t.work)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// gitFiles lists the files of the repository that dir is in, if it is in one
// and not ignored there.
func gitFiles(ctx context.Context, dir string) (copied, bool) {
	info, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return copied{}, false
	}
	top, prefix, _ := strings.Cut(info, "\n")
	c := copied{root: filepath.FromSlash(top), rel: filepath.Clean(filepath.FromSlash(prefix))}
	var list zeroFields
	if err := gitTo(ctx, c.root, nil, &list, "ls-files", "--cached", "--others", "--exclude-standard", "-z"); err != nil {
		return copied{}, false
	}
	for _, name := range list.all {
		if filepath.IsLocal(filepath.FromSlash(name)) && !ownFolder(name) {
			c.names = append(c.names, c.expand(ctx, strings.TrimSuffix(name, "/"))...)
		}
	}
	slices.Sort(c.names)
	c.names = slices.Compact(c.names) // a conflict is listed three times
	known := slices.ContainsFunc(c.names, func(n string) bool { return strings.HasPrefix(n, prefix) })
	return c, known
}

// expand lists the files of a submodule, or of a repository inside of this one,
// which git lists as one name.
func (c copied) expand(ctx context.Context, name string) []string {
	dir := filepath.Join(c.root, filepath.FromSlash(name))
	if st, err := os.Lstat(dir); err != nil || !st.IsDir() {
		return []string{name}
	}
	inner, ok := gitFiles(ctx, dir)
	if !ok || inner.rel != "." { // the folder is empty, and what git answers for is c itself
		return nil
	}
	for i, n := range inner.names {
		inner.names[i] = path.Join(name, n)
	}
	return inner.names
}

// ownFolder reports whether a file is one of version control or of assay.
func ownFolder(name string) bool {
	dir := "/" + path.Dir(name) + "/"
	return strings.Contains(dir, "/.git/") || strings.Contains(dir, "/.assay/") || path.Base(name) == ".git"
}

func filesBelow(root string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && ownFolder(rel+"/x"):
			return fs.SkipDir
		case !d.IsDir() && !ownFolder(rel):
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

// copyFiles copies files of a folder into another, links as links, and writes
// the names and contents to h. A file that is gone, as one that was removed and
// is still in the index, is left out; so is what is no file, such as a submodule.
func copyFiles(to, from string, names []string, h io.Writer) error {
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
			err = copyFile(root, n, src, h)
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

// copyFile copies one file. The copy can be written to: those of the module
// cache cannot.
func copyFile(root *os.Root, name, src string, h io.Writer) error {
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

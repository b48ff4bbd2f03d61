// Package scratch makes temporary copies of source trees in which benchmarks run and may
// write, finds what they wrote, and restores the copies.
package scratch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
)

// A Copy is a temporary copy of a tree for the trials of one variant: a benchmark that
// writes into its folder cannot affect the cache, the user's files, or another variant.
type Copy struct {
	from, dir string
	left      []string
	// add are permissions that the files of the copy have besides those of the tree.
	add fs.FileMode
	// was is the content of the new copy, by name.
	was map[string]disk.SealedFile
}

// An Origin is the tree from which test binaries were built.
type Origin struct {
	// Root is its folder.
	Root string
	// Standard is true for the standard library.
	Standard bool
	// Unpacked is true for a tree of parcel.Unpack, whose files nobody can write to. In
	// the copy their owner can, as in the tree that was packed.
	Unpacked bool
}

// A Copier makes copies, and remembers their inventories. The zero value is ready, also
// for parallel use.
type Copier struct {
	inventories memo.Map[Inventory]
}

// Copy copies a tree to the new folder dir, with what packages in the folders dirs need
// of it.
func (c *Copier) Copy(ctx context.Context, dir string, from Origin, dirs []string, room Room) (*Copy, error) {
	key := strings.Join(append([]string{from.Root, fmt.Sprint(room)}, dirs...), "\x00")
	what, err := c.inventories.Do(key, func() (Inventory, error) { return TakeInventory(ctx, from, dirs, room) })
	if err != nil {
		return nil, fmt.Errorf("list files of %s: %w", disk.Tilde(from.Root), err)
	}
	made := &Copy{from: from.Root, dir: dir, left: what.Left}
	if from.Unpacked {
		made.add = 0o200
	}
	if err := made.fill(ctx, what); err != nil {
		return nil, fmt.Errorf("copy %s: %w", disk.Tilde(from.Root), err)
	}
	made.was, err = made.state()
	return made, err
}

// Path returns the place of a folder of the tree in the copy.
func (c *Copy) Path(dir string) string {
	if rest, ok := strings.CutPrefix(dir, c.from); ok {
		return c.dir + rest
	}
	return dir
}

// Left lists what the copy lacks: large files, and files outside the packages' folders
// that git ignores.
func (c *Copy) Left() []string { return c.left }

// fill copies files and makes folders.
func (c *Copy) fill(ctx context.Context, what Inventory) error {
	if err := os.Mkdir(c.dir, 0o777); err != nil {
		return err
	}
	return c.within(func(from, to *os.Root) error {
		made := map[string]bool{}
		folder := func(name string) error {
			if made[name] {
				return nil
			}
			made[name] = true
			return to.MkdirAll(filepath.FromSlash(name), 0o777)
		}
		for _, name := range what.Files {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := folder(path.Dir(name)); err != nil {
				return err
			}
			err := c.one(from, to, name)
			switch {
			case errors.Is(err, fs.ErrPermission):
				c.left = append(c.left[:len(c.left):len(c.left)], name)
			case err != nil && !errors.Is(err, fs.ErrNotExist): // gone since it was listed
				return err
			}
		}
		for _, name := range what.Folders {
			if err := folder(name); err != nil {
				return err
			}
		}
		return nil
	})
}

// within opens both trees.
func (c *Copy) within(do func(from, to *os.Root) error) error {
	from, err := os.OpenRoot(c.from)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(c.dir)
	if err != nil {
		return err
	}
	defer to.Close()
	return do(from, to)
}

// one copies a file or a link. If it can, the kernel does it, without copying a byte on
// file systems that share blocks.
func (c *Copy) one(from, to *os.Root, name string) error {
	name = filepath.FromSlash(name)
	info, err := from.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := from.Readlink(name)
		if err != nil {
			return err
		}
		return to.Symlink(c.target(name, target), name)
	}
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(info.Mode().Perm()|c.add), out.Close())
}

// target returns the target of a link in the copy: the same file as in the tree, or its
// copy if it is inside the tree.
func (c *Copy) target(name, target string) string {
	if filepath.IsAbs(target) {
		return c.Path(target)
	}
	if filepath.IsLocal(filepath.Join(filepath.Dir(name), target)) {
		return target
	}
	return filepath.Join(c.from, filepath.Dir(name), target)
}

// state returns the current files and folders of the copy, without reading contents.
func (c *Copy) state() (map[string]disk.SealedFile, error) {
	now := map[string]disk.SealedFile{}
	err := filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(name, c.dir), string(filepath.Separator)))
		f := disk.SealedFile{Name: rel, Mode: info.Mode()}
		if !d.IsDir() { // the times of a folder are those of its files
			f = disk.StateOf(rel, info)
		}
		now[rel] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look at the copy of %s: %w", disk.Tilde(c.from), err)
	}
	return now, nil
}

// Written lists the files written, created or removed since the copy was made, relative
// to the tree, sorted.
func (c *Copy) Written() ([]string, error) {
	now, err := c.state()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(now, func(name string, f disk.SealedFile) bool { return f.Mode.IsDir() })
	for name, was := range c.was {
		if f, ok := now[name]; ok && f == was {
			delete(now, name)
		} else if !ok && !was.Mode.IsDir() {
			now[name] = was
		}
	}
	return slices.Sorted(maps.Keys(now)), nil
}

// Undo restores the copy and returns what was written.
func (c *Copy) Undo() ([]string, error) {
	written, err := c.Written()
	if err != nil || len(written) == 0 {
		return nil, err
	}
	err = c.within(func(from, to *os.Root) error {
		for _, name := range written {
			if c.hasFileAbove(name) {
				continue // went with the folder that was in the place of that file
			}
			err := to.RemoveAll(filepath.FromSlash(name))
			if err == nil {
				err = to.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777)
			}
			if f, was := c.was[name]; was && !f.Mode.IsDir() && err == nil {
				err = c.one(from, to, name)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return c.removeNewFolders(to)
	})
	if err != nil {
		return nil, fmt.Errorf("put the copy of %s back: %w", disk.Tilde(c.from), err)
	}
	c.was, err = c.state()
	return written, err
}

// hasFileAbove reports whether one of the folders of a name was a file in the new copy.
func (c *Copy) hasFileAbove(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if f, was := c.was[dir]; was && !f.Mode.IsDir() {
			return true
		}
	}
	return false
}

func (c *Copy) removeNewFolders(to *os.Root) error {
	now, err := c.state()
	if err != nil {
		return err
	}
	for name, f := range now {
		if _, was := c.was[name]; !was && f.Mode.IsDir() {
			if err := to.RemoveAll(filepath.FromSlash(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Remove removes the copy, even folders that a benchmark made read-only.
func (c *Copy) Remove() error { return disk.RemoveAll(c.dir) }

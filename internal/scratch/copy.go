// Package scratch makes throw-away copies of source trees, in which benchmarks run and
// may write, sees what they wrote, and puts the copies back.
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
	"github.com/seed-1318a441/assay/internal/seal"
)

// A Copy is a throw-away copy of a tree, in which the trials of one variant run:
// a benchmark that writes into its folder reaches neither the cache nor the
// user's files, nor another variant's.
type Copy struct {
	from, dir string
	left      []string
	// was is what the copy holds as it was made, by name.
	was map[string]seal.File
}

// An Origin is the tree that test binaries were built from.
type Origin struct {
	// Root is its folder.
	Root string
	// Standard says that it is the standard library.
	Standard bool
}

// A Copier makes copies, and remembers what belongs into those of a tree. The zero value
// is ready for use, also in parallel.
type Copier struct {
	inventories memo.Map[inventory]
}

// Copy makes a copy of a tree in the new folder dir, with what packages in the folders
// dirs need in it.
func (c *Copier) Copy(ctx context.Context, dir string, from Origin, dirs []string, room Room) (*Copy, error) {
	key := strings.Join(append([]string{from.Root, fmt.Sprint(room)}, dirs...), "\x00")
	what, err := c.inventories.Do(key, func() (inventory, error) { return takeInventory(ctx, from, dirs, room) })
	if err != nil {
		return nil, fmt.Errorf("list files of %s: %w", disk.Tilde(from.Root), err)
	}
	made := &Copy{from: from.Root, dir: dir, left: what.left}
	if err := made.fill(ctx, what); err != nil {
		return nil, fmt.Errorf("copy %s: %w", disk.Tilde(from.Root), err)
	}
	made.was, err = made.state()
	return made, err
}

// Path is the place of a folder of the tree in the copy.
func (c *Copy) Path(dir string) string {
	if rest, ok := strings.CutPrefix(dir, c.from); ok {
		return c.dir + rest
	}
	return dir
}

// Left lists what of the tree is not in the copy: large files, and files that git
// ignores outside of the packages' folders.
func (c *Copy) Left() []string { return c.left }

// fill copies files and makes folders.
func (c *Copy) fill(ctx context.Context, what inventory) error {
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
		for _, name := range what.files {
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
		for _, name := range what.folders {
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

// one copies a file or a link. The kernel does it where it can, without copying a
// byte on file systems that share blocks.
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
	return errors.Join(err, out.Chmod(info.Mode().Perm()), out.Close())
}

// target is what a link of the copy points at: what it does in the tree, which is
// the copy's own where that is inside of the tree.
func (c *Copy) target(name, target string) string {
	if filepath.IsAbs(target) {
		return c.Path(target)
	}
	if filepath.IsLocal(filepath.Join(filepath.Dir(name), target)) {
		return target
	}
	return filepath.Join(c.from, filepath.Dir(name), target)
}

// state is what the copy holds now, folders too; contents are not read.
func (c *Copy) state() (map[string]seal.File, error) {
	now := map[string]seal.File{}
	err := filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(name, c.dir), string(filepath.Separator)))
		f := seal.File{Name: rel, Mode: info.Mode()}
		if !d.IsDir() { // the times of a folder are those of its files
			f = seal.State(rel, info)
		}
		now[rel] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look at the copy of %s: %w", disk.Tilde(c.from), err)
	}
	return now, nil
}

// Written lists the files that were written to, made or removed since the copy was
// made, relative to the tree, sorted.
func (c *Copy) Written() ([]string, error) {
	now, err := c.state()
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(now, func(name string, f seal.File) bool { return f.Mode.IsDir() })
	for name, was := range c.was {
		if f, ok := now[name]; ok && f == was {
			delete(now, name)
		} else if !ok && !was.Mode.IsDir() {
			now[name] = was
		}
	}
	return slices.Sorted(maps.Keys(now)), nil
}

// Undo puts the copy back to what it was, and returns what was written.
func (c *Copy) Undo() ([]string, error) {
	written, err := c.Written()
	if err != nil || len(written) == 0 {
		return nil, err
	}
	err = c.within(func(from, to *os.Root) error {
		for _, name := range written {
			err := to.RemoveAll(filepath.FromSlash(name))
			if err == nil {
				err = to.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777)
			}
			if _, was := c.was[name]; was && err == nil {
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

// Remove removes the copy, also what a benchmark made unwritable.
func (c *Copy) Remove() error { return disk.RemoveAll(c.dir) }

// Package parcel turns the files that trials need into one tar, and back into a folder on
// the machine that runs them. The same files always give the same bytes, so that they
// travel once: names are sorted, and no times and no owners are kept, only whether a file
// is executable.
//
// Pack decides what trials need, as package scratch does for copies on this computer.
// Unpack trusts nobody: whatever a tar says, files appear below its folder only. Package
// blob compresses and keeps parcels.
package parcel

import (
	"archive/tar"
	"cmp"
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

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/scratch"
	"github.com/seed-1318a441/assay/internal/source"
)

// Limits of one parcel.
const (
	// MaxBytes is the size of all its files.
	MaxBytes = 256 << 20
	// MaxFiles is the number of its files and folders.
	MaxFiles = 100_000
)

// What says which files of a folder trials need. The zero value is for commands and
// services: the files that git knows or would add, or outside of git those of source.ListFiles.
type What struct {
	// Packages are the folders, absolute, of Go packages whose benchmarks will run: the
	// parcel has what a copy of the tree has (scratch.TakeInventory), as far as it fits.
	Packages []string
	// Standard says that the folder is the standard library, of which only Packages are
	// needed.
	Standard bool
	// Files replace what git knows: files, folders with all that is in them, and patterns
	// of package path ("data/*.json"), with slashes, relative to the folder.
	Files []string
	// Also are files that are needed in any case, such as a program that git ignores;
	// relative to the folder, with slashes.
	Also []string
}

// Contents is what a parcel has.
type Contents struct {
	Files int   // with folders and links
	Bytes int64 // of all files
	// Left lists the files it lacks, relative to the folder: those too many or too large
	// for it, those that git ignores (a folder has a trailing slash), links to folders
	// elsewhere, and what cannot be read.
	Left []string
}

// Pack writes the files of the folder root to w. A link to a file outside of root becomes
// that file. Too many or too large files are an *assay.Error [tree-size], and then nothing
// is written.
func Pack(ctx context.Context, w io.Writer, root string, what What) (Contents, error) {
	p := packer{root: root, entries: map[string]entry{}}
	err := p.take(ctx, what)
	if err == nil {
		err = p.write(ctx, w)
	}
	if _, ours := errors.AsType[*assay.Error](err); err != nil && !ours {
		err = fmt.Errorf("pack files of %s: %w", disk.Tilde(root), err)
	}
	return Contents{Files: len(p.entries), Bytes: p.bytes, Left: p.left}, err
}

// A packer packs one folder.
type packer struct {
	root    string
	entries map[string]entry // by name, with slashes
	bytes   int64
	left    []string
}

// An entry is a file, a folder or a link.
type entry struct {
	mode   fs.FileMode
	size   int64
	target string // of a link, with slashes
}

// take finds all entries.
func (p *packer) take(ctx context.Context, what What) error {
	if len(what.Packages) == 0 {
		names, err := p.studyFiles(ctx, what)
		if err == nil {
			err = p.addAll(scratch.Inventory{Files: names})
		}
		return cmp.Or(err, p.check("files = [\"FILE\", \"FOLDER\"] in study.toml: what the trials read"))
	}
	// Files of the packages themselves need no room, so a second attempt may be necessary.
	room := scratch.Room{Bytes: MaxBytes, Files: scratch.DefaultRoom.Files}
	for {
		inv, err := scratch.TakeInventory(ctx, scratch.Origin{Root: p.root, Standard: what.Standard}, what.Packages, room)
		if err != nil {
			return err
		}
		*p = packer{root: p.root, entries: map[string]entry{}, left: inv.Left}
		if err := p.addAll(inv); err != nil {
			return err
		}
		if p.bytes <= MaxBytes || room.Bytes == 0 {
			return p.check("")
		}
		room.Bytes = max(0, room.Bytes-(p.bytes-MaxBytes))
	}
}

// studyFiles lists the files of a study's folder.
func (p *packer) studyFiles(ctx context.Context, what What) (names []string, err error) {
	if len(what.Files) > 0 {
		names, err = p.matching(what.Files)
	} else {
		names, err = p.known(ctx)
	}
	for _, name := range what.Also {
		if name, err = p.real(name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, err
}

// real returns the name of a file whose folders are not links.
func (p *packer) real(name string) (string, error) {
	root, err := filepath.EvalSymlinks(p.root)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(p.path(name)))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, filepath.Join(dir, path.Base(name)))
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not in the folder", name)
	}
	_, err = os.Lstat(filepath.Join(root, rel))
	return filepath.ToSlash(rel), err
}

// known lists the files of source.FilesOf.
func (p *packer) known(ctx context.Context) (names []string, err error) {
	all, err := source.FilesOf(ctx, source.Tree{Root: p.root, Dir: p.root, Work: "off"})
	if err != nil {
		return nil, err
	}
	prefix := filepath.ToSlash(all.Rel) + "/"
	for _, name := range all.Names {
		if rest, ok := strings.CutPrefix(name, prefix); ok || all.Rel == "." {
			names = append(names, rest)
		}
	}
	return names, nil
}

// matching lists the files that patterns name.
func (p *packer) matching(patterns []string) (names []string, err error) {
	all, err := source.FilesBelow(p.root)
	if err != nil {
		return nil, err
	}
	for _, pattern := range patterns {
		pattern = path.Clean(pattern)
		found := false
		for _, name := range all {
			if covers(pattern, name) {
				names, found = append(names, name), true
			}
		}
		if !found {
			return nil, assay.UsageError(assay.CodeStudyValue, fmt.Sprintf("files: %q names no file below %s", pattern, disk.Tilde(p.root)), "")
		}
	}
	return names, nil
}

// covers reports whether a pattern matches a file or a folder that it is in.
func covers(pattern, name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if ok, err := path.Match(pattern, name); ok || err == nil && pattern == "." {
			return true
		}
	}
	return false
}

func (p *packer) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

func (p *packer) addAll(inv scratch.Inventory) error {
	for _, name := range inv.Folders {
		p.entries[name] = entry{mode: fs.ModeDir | 0o755}
	}
	for _, name := range inv.Files {
		if err := p.add(name); err != nil {
			return err
		}
	}
	delete(p.entries, ".") // the folder itself
	return nil
}

// add adds a file or a link once. It skips what is gone and what is neither.
func (p *packer) add(name string) error {
	if _, ok := p.entries[name]; ok {
		return nil
	}
	info, err := os.Lstat(p.path(name))
	if err != nil {
		return nil //nolint:nilerr // removed, but still in git's index
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, inside, err := p.target(name)
		if err != nil {
			return err
		}
		if inside {
			p.entries[name] = entry{mode: fs.ModeSymlink | 0o777, target: target}
			return nil
		}
		if info, err = os.Stat(p.path(name)); err != nil || !info.Mode().IsRegular() {
			p.left = append(p.left, name)
			return nil
		}
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(p.path(name))
	if err != nil {
		p.left = append(p.left, name)
		return nil
	}
	f.Close()
	e := entry{mode: 0o644, size: info.Size()}
	if info.Mode()&0o111 != 0 {
		e.mode = 0o755
	}
	p.bytes += e.size
	p.entries[name] = e
	return nil
}

// target returns where a link leads, relative to its folder, and whether that is below
// root.
func (p *packer) target(name string) (target string, inside bool, err error) {
	target, err = os.Readlink(p.path(name))
	if err != nil {
		return "", false, err
	}
	if filepath.IsAbs(target) {
		target, err = filepath.Rel(filepath.Dir(p.path(name)), target)
		if err != nil {
			return "", false, nil //nolint:nilerr // it is on another volume
		}
	}
	target = path.Clean(filepath.ToSlash(target))
	return target, staysBelow(name, target), nil
}

// check returns the error of a parcel that is too large. try is the remedy.
func (p *packer) check(try string) error {
	if p.bytes <= MaxBytes && len(p.entries) <= MaxFiles {
		return nil
	}
	var facts []string
	largest := slices.SortedFunc(maps.Keys(p.entries), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.entries[b].size, p.entries[a].size), cmp.Compare(a, b))
	})
	for _, name := range largest[:min(len(largest), 3)] {
		facts = append(facts, fmt.Sprintf("%s has %s", name, disk.SizeText(p.entries[name].size)))
	}
	return assay.NewError(assay.ExitUsage, assay.CodeTreeSize, fmt.Sprintf("%s has %s in %s; at most %s in %s go to another machine",
		disk.Tilde(p.root), disk.SizeText(p.bytes), printable.Count(len(p.entries), "file"), disk.SizeText(MaxBytes), printable.Count(MaxFiles, "file")), facts, try)
}

// write writes the tar.
func (p *packer) write(ctx context.Context, w io.Writer) error {
	out := tar.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(p.entries)) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e := p.entries[name]
		h := &tar.Header{Name: name, Mode: int64(e.mode.Perm()), Size: e.size, Linkname: e.target, Typeflag: tar.TypeReg}
		switch {
		case e.mode.IsDir():
			h.Typeflag, h.Name = tar.TypeDir, name+"/"
		case e.target != "":
			h.Typeflag = tar.TypeSymlink
		}
		var err error
		if h.Typeflag == tar.TypeReg {
			err = p.copy(out, h)
		} else {
			err = out.WriteHeader(h)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// copy writes a file, unless it was removed meanwhile.
func (p *packer) copy(w *tar.Writer, h *tar.Header) error {
	in, err := os.Open(p.path(h.Name))
	if errors.Is(err, fs.ErrNotExist) {
		delete(p.entries, h.Name)
		p.bytes -= h.Size
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	n, err := io.Copy(w, io.LimitReader(in, h.Size))
	if err == nil && n < h.Size {
		err = fmt.Errorf("%s changed meanwhile", h.Name)
	}
	return err
}

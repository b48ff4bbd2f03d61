package overlay

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
)

// A layer is the content of an overlay.
type layer struct {
	dir string
	// files are relative, with slashes, sorted.
	files []string
	// hash is that of the names, modes and contents.
	hash string
	// hide are patterns of source files to remove.
	hide []string
	// made has the content of files that differ from those in dir.
	made map[string][]byte
	// modules are the folders that become separate modules.
	modules []string
}

func readLayer(dir string) (layer, error) {
	l := layer{dir: dir}
	bad := func(why string) error {
		return assay.UsageError(assay.CodeOverlay, fmt.Sprintf("overlay %s %s", disk.Tilde(dir), why), "")
	}
	if !disk.IsDir(dir) {
		return l, bad("is no folder")
	}
	h := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case !d.Type().IsRegular():
			// A link would show other content on another machine, unseen by the hash.
			rel, _ := filepath.Rel(dir, name)
			return bad(fmt.Sprintf("holds %q, which is a link or no plain file; overlays are plain files", filepath.ToSlash(rel)))
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		l.files = append(l.files, filepath.ToSlash(rel))
		return hashInto(h, filepath.ToSlash(rel), name)
	})
	switch {
	case errors.As(err, new(*assay.Error)):
		return l, err
	case err != nil:
		return l, fmt.Errorf("read overlay: %w", err)
	case len(l.files) == 0:
		return l, bad("holds no files")
	}
	slices.Sort(l.files)
	l.hash = cache.Key(h)
	return l, nil
}

// hashInto hashes a file's name as rel, whether it is executable, and its content.
func hashInto(h io.Writer, rel, name string) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	digest, err := disk.Digest(name)
	fmt.Fprintf(h, "file %q %t %s\n", rel, st.Mode()&0o111 != 0, digest)
	return err
}

// put writes one of the layer's files.
func (l layer) put(root *os.Root, name string) error {
	content, ok := l.made[name]
	if !ok {
		return source.CopyFile(root, name, filepath.Join(l.dir, filepath.FromSlash(name)), io.Discard)
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
		return err
	}
	return root.WriteFile(filepath.FromSlash(name), content, 0o666)
}

// hide removes the files and folders that match one of the patterns.
func hide(root *os.Root, patterns []string) error {
	if len(patterns) == 0 {
		return nil
	}
	var gone []string
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, p := range patterns {
			switch ok, err := path.Match(p, name); {
			case err != nil:
				return assay.NewError(assay.ExitUsage, assay.CodeOverlay, fmt.Sprintf("[source] hide: %q is no pattern", p), []string{err.Error()}, "")
			case ok && name != ".":
				gone = append(gone, name)
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
		}
		return nil
	})
	for _, name := range gone {
		if err == nil {
			err = root.RemoveAll(filepath.FromSlash(name))
		}
	}
	return err
}

// inTheWay says what keeps a file of an overlay from its place, and what has to be hidden
// for it: a folder of its name, or a file where it needs a folder.
func inTheWay(root *os.Root, file string) (why, hidden string) {
	if st, err := root.Lstat(filepath.FromSlash(file)); err == nil && st.IsDir() {
		return fmt.Sprintf("%q is a file of the overlay and a folder of the source", file), file
	}
	for i, c := range file {
		if c != '/' {
			continue
		}
		if st, err := root.Lstat(filepath.FromSlash(file[:i])); err == nil && !st.IsDir() {
			return fmt.Sprintf("%q is a folder of the overlay and a file of the source", file[:i]), file[:i]
		}
	}
	return "", ""
}

package parcel

import (
	"archive/tar"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
)

// ErrRefused means that a tar is not one that Pack writes.
var ErrRefused = errors.New("refused")

// longestName is the length of the longest name and link of a parcel, in bytes.
const longestName = 4096

// Unpack makes the folder dir and the files of a parcel in it, which nobody can write to.
// It refuses, with ErrRefused, everything that Pack does not write: names and links that
// lead out of the folder, devices, files twice, more than MaxBytes or MaxFiles. If it
// fails, there is no folder. A tar that was cut off between two files is not recognised:
// its sum tells.
func Unpack(dir string, r io.Reader) (err error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return fmt.Errorf("unpack files: %w", err)
	}
	defer func() {
		if err != nil {
			err = cmp.Or(fmt.Errorf("unpack files: %w", err), disk.RemoveAll(dir))
		}
	}()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	u := unpacker{root: root, tar: tar.NewReader(r), links: map[string]bool{}, folders: map[string]bool{".": true}}
	for n := 0; ; n++ {
		h, err := u.tar.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return u.refuse(err)
		case n == MaxFiles:
			return fmt.Errorf("%w: it has more than %d files", ErrRefused, MaxFiles)
		}
		if err := u.one(h); err != nil {
			return err
		}
	}
}

// An unpacker unpacks one parcel.
type unpacker struct {
	root  *os.Root
	tar   *tar.Reader
	bytes int64
	// links are the links so far, folders the folders.
	links, folders map[string]bool
}

// refuse tells a malformed tar from a stream that broke.
func (u *unpacker) refuse(err error) error {
	if errors.Is(err, tar.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return err
}

// one makes one file, folder or link.
func (u *unpacker) one(h *tar.Header) error {
	name := h.Name
	if h.Typeflag == tar.TypeDir {
		name = strings.TrimSuffix(name, "/")
	}
	if name == "." || !u.fits(name) {
		return fmt.Errorf("%w: no file can have the name %.200q", ErrRefused, h.Name)
	}
	err := u.folder(path.Dir(name))
	switch {
	case err != nil:
	case h.Typeflag == tar.TypeDir:
		err = u.folder(name)
	case h.Typeflag == tar.TypeSymlink:
		err = u.link(name, h.Linkname)
	case h.Typeflag == tar.TypeReg:
		err = u.file(name, h)
	default:
		err = fmt.Errorf("%w: %q is neither a file nor a folder nor a link", ErrRefused, name)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %q is there twice", ErrRefused, name)
	}
	return err
}

// fits reports whether a name is below the folder on every system.
func (u *unpacker) fits(name string) bool {
	return len(name) <= longestName && fs.ValidPath(name) && filepath.IsLocal(filepath.FromSlash(name)) && !source.IsMeta(name) && !source.IsMeta(name+"/x") &&
		!strings.ContainsRune(name, 0)
}

// folder makes a folder and those above it. None of them may be a link: what is below a
// link is somewhere else.
func (u *unpacker) folder(name string) error {
	if u.folders[name] {
		return nil
	}
	if u.links[name] {
		return fmt.Errorf("%w: %q is a link, and has files", ErrRefused, name)
	}
	if err := u.folder(path.Dir(name)); err != nil {
		return err
	}
	if len(u.folders) > MaxFiles {
		return fmt.Errorf("%w: it has more than %d folders", ErrRefused, MaxFiles)
	}
	u.folders[name] = true
	return u.root.Mkdir(filepath.FromSlash(name), 0o777)
}

func (u *unpacker) link(name, target string) error {
	if len(target) > longestName || target != path.Clean(target) || strings.ContainsAny(target, "\\\x00") || !staysBelow(name, target) {
		return fmt.Errorf("%w: the link %q leads to %.200q", ErrRefused, name, target)
	}
	u.links[name] = true
	return u.root.Symlink(filepath.FromSlash(target), filepath.FromSlash(name))
}

// staysBelow reports whether a link's target is below the folder, also if other links lie
// on the way. A clean target goes up first, through folders, which the files above a name
// are, and only then down. So every link that it meets ends below the folder too.
func staysBelow(name, target string) bool {
	return target != "" && !path.IsAbs(target) && filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(name), target)))
}

func (u *unpacker) file(name string, h *tar.Header) error {
	if u.bytes += h.Size; u.bytes > MaxBytes {
		return fmt.Errorf("%w: its files have more than %d bytes", ErrRefused, MaxBytes)
	}
	f, err := u.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(f, u.tar); err != nil {
		return u.refuse(err)
	}
	mode := fs.FileMode(0o444)
	if h.Mode&0o111 != 0 {
		mode = 0o555
	}
	return cmp.Or(f.Chmod(mode), f.Close())
}

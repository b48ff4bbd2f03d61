package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// ErrNotPlain is the error for a link, a pipe or a device in a run folder. A record may
// be untrusted: a link leads elsewhere, and a pipe never ends.
var ErrNotPlain = errors.New("it is no plain file")

// Folder returns a run folder as a file system, which needs no closing and opens only
// plain files: no link leads out of it.
func Folder(dir string) fs.FS { return reader(dir) }

// A reader opens the files of a run folder.
type reader string

// Open implements fs.FS.
func (d reader) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := openFolder(string(d))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.open(name, os.O_RDONLY)
}

// A folder is a run folder in which files are created and replaced. Names are relative to
// it, with slashes. Like a reader it opens only plain files inside it.
type folder struct {
	root *os.Root
}

// injectFault lets tests make operations fail: op and the name of the file.
var injectFault func(op, name string) error

func fault(op, name string) error {
	if injectFault == nil {
		return nil
	}
	return injectFault(op, name)
}

// attempt does an operation on a file, unless a test makes it fail.
func attempt(op, name string, do func() error) error {
	if err := fault(op, name); err != nil {
		return err
	}
	return do()
}

func openFolder(dir string) (folder, error) {
	root, err := os.OpenRoot(dir)
	return folder{root}, err
}

// Close releases the folder. Its open files stay open.
func (f folder) Close() error { return f.root.Close() }

// lock keeps other processes from writing to the run.
func (f folder) lock() (unlock func() error, err error) {
	if err := f.plain(lockFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("lock %s: %w", f.root.Name(), err)
	}
	lock := flock.New(filepath.Join(f.root.Name(), lockFile))
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", f.root.Name(), err)
	case !ok:
		return nil, fmt.Errorf("open %s: %w", f.root.Name(), ErrLocked)
	}
	return lock.Unlock, nil
}

// plain returns an error unless name is a plain file, a folder, or missing.
func (f folder) plain(name string) error {
	info, err := f.root.Lstat(filepath.FromSlash(name))
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotPlain}
	}
	return err
}

// open opens a plain file, or creates it if the flag says so.
func (f folder) open(name string, flag int) (*os.File, error) {
	if err := fault("open", name); err != nil {
		return nil, err
	}
	if err := f.plain(name); err != nil && (flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	file, err := f.root.OpenFile(filepath.FromSlash(name), flag|noWait, 0o666)
	if err != nil {
		return nil, err
	}
	// It may have been replaced a moment ago.
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errors.Join(&fs.PathError{Op: "open", Path: name, Err: errors.Join(err, ErrNotPlain)}, file.Close())
	}
	return file, nil
}

// has reports whether a file of that name exists, of any kind.
func (f folder) has(name string) bool {
	_, err := f.root.Lstat(filepath.FromSlash(name))
	return err == nil
}

// mkdir creates a folder in it unless it exists.
func (f folder) mkdir(name string) error {
	err := attempt("mkdir", name, func() error { return f.root.Mkdir(filepath.FromSlash(name), 0o777) })
	if errors.Is(err, fs.ErrExist) {
		return f.plain(name)
	}
	return err
}

// remove removes a file if it exists.
func (f folder) remove(name string) error {
	err := attempt("remove", name, func() error { return f.root.Remove(filepath.FromSlash(name)) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// put rewrites a file, or removes it if data is empty. It removes the old file first, so
// as not to write through it. A kill leaves a torn file.
func (f folder) put(name string, data []byte) error {
	if err := f.remove(name); err != nil || len(data) == 0 {
		return err
	}
	file, err := f.create(name)
	if err != nil {
		return err
	}
	return errors.Join(f.write(file, name, data), file.Close())
}

// create creates a new file.
func (f folder) create(name string) (*os.File, error) {
	if err := fault("open", name); err != nil {
		return nil, err
	}
	return f.root.OpenFile(filepath.FromSlash(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// write writes to an open file of that name.
func (f folder) write(w io.Writer, name string, data []byte) error {
	if err := fault("write", name); err != nil {
		w.Write(data[:len(data)/2]) // like a full disk
		return err
	}
	_, err := w.Write(data)
	return err
}

// truncate truncates an open file of that name.
func (f folder) truncate(file *os.File, name string, size int64) error {
	return attempt("truncate", name, func() error { return file.Truncate(size) })
}

// sync makes an open file of that name survive a power loss.
func (f folder) sync(file *os.File, name string) error {
	return attempt("sync", name, file.Sync)
}

// replace writes a file so that readers and a power loss see the old or the new one
// whole.
func (f folder) replace(name string, data []byte) error {
	return f.replaceBy(name, func(w io.Writer) error { return f.write(w, name, data) })
}

// replaceBy is replace for content written in pieces.
func (f folder) replaceBy(name string, write func(io.Writer) error) error {
	dir, base := path.Split(name)
	temp := dir + "." + base + ".new"
	if err := f.remove(temp); err != nil { // left by a kill
		return fmt.Errorf("write %s: %w", name, err)
	}
	file, err := f.create(temp)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err = write(file); err == nil {
		err = f.sync(file, temp)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = attempt("rename", name, func() error { return f.root.Rename(filepath.FromSlash(temp), filepath.FromSlash(name)) })
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), f.root.Remove(filepath.FromSlash(temp)))
	}
	return f.syncNames()
}

// syncNames makes the names in the folder survive a power loss, where systems allow it.
func (f folder) syncNames() error {
	return attempt("sync", ".", func() error {
		if runtime.GOOS == "windows" {
			return nil
		}
		d, err := f.root.Open(".")
		if err != nil {
			return err
		}
		return errors.Join(d.Sync(), d.Close())
	})
}

package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// waiterPrefix begins the names of the files of waiters.
const waiterPrefix = "assay-waiting-"

// A waiter is an assay that waits for the machine: a file that is named by the time of
// arrival and locked by its process. The system releases the lock when that process ends,
// in whatever way, and so nobody waits behind a dead one. A clock that is set back spoils
// the order, but never lets two measure at once: the machine has a lock of its own.
type waiter struct {
	*os.File
	dir, name string
	// before is the last one found to wait in front of this one; first is set once there
	// is none.
	before string
	first  bool
}

// joinQueue joins the queue in a folder.
func joinQueue(dir string) (*waiter, error) {
	for {
		name := fmt.Sprintf("%s%020d-%d", waiterPrefix, time.Now().UnixNano(), os.Getpid())
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue // the clock is too coarse
		}
		if err != nil {
			return nil, err
		}
		w := &waiter{File: f, dir: dir, name: name}
		// Others have to open it to see whether it is locked, whatever the umask.
		if err := errors.Join(f.Chmod(0o644), LockWhole(f)); err != nil {
			w.leave()
			return nil, err
		}
		if w.isThere() {
			return w, nil
		}
		w.leave() // somebody took it for a dead one before it was locked
	}
}

// isThere reports whether the file still has its name.
func (w *waiter) isThere() bool {
	mine, err := w.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(filepath.Join(w.dir, w.name))
	return err == nil && os.SameFile(mine, there)
}

// leave leaves the queue.
func (w *waiter) leave() error {
	closed := w.Close()
	err := os.Remove(filepath.Join(w.dir, w.name))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // another one was faster
	}
	return errors.Join(closed, err)
}

// isFirst reports whether nobody waits who came earlier. It looks at the folder only when
// the one just in front has left: others measure meanwhile.
func (w *waiter) isFirst() (bool, error) {
	if w.first || w.before != "" && waits(w.dir, w.before) {
		return w.first, nil
	}
	entries, err := os.ReadDir(w.dir) // sorted
	if err != nil {
		return false, err
	}
	w.before = ""
	for _, e := range entries {
		if e.Name() < w.name && strings.HasPrefix(e.Name(), waiterPrefix) && e.Type().IsRegular() && waits(w.dir, e.Name()) {
			w.before = e.Name()
		}
	}
	w.first = w.before == ""
	return w.first, nil
}

// waits reports whether the process of a waiter is alive. It removes the file of a dead one,
// unless that belongs to another user.
func waits(dir, name string) bool {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|noFollow, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	dead, err := tryLockWhole(f)
	if dead {
		os.Remove(f.Name())
	}
	return !dead && err == nil
}

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

// ticketPrefix begins the names of the files of those who wait for the machine.
const ticketPrefix = "assay-waiting-"

// A ticket is a place in the queue for the machine: a file that is named by the time of
// arrival and locked by the process that waits. The system releases the lock when that
// process ends, in whatever way, and so nobody waits behind a dead one. A clock that is set
// back spoils the order, but never lets two measure at once: the machine has a lock of its
// own.
type ticket struct {
	*os.File
	dir, name string
	// before is the last one found to wait in front of this one; first is set once there
	// is none.
	before string
	first  bool
}

// drawTicket joins the queue in a folder.
func drawTicket(dir string) (*ticket, error) {
	for {
		name := fmt.Sprintf("%s%020d-%d", ticketPrefix, time.Now().UnixNano(), os.Getpid())
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue // the clock is too coarse
		}
		if err != nil {
			return nil, err
		}
		t := &ticket{File: f, dir: dir, name: name}
		// Others have to open it to see whether it is locked, whatever the umask.
		if err := errors.Join(f.Chmod(0o644), lockWhole(f)); err != nil {
			t.discard()
			return nil, err
		}
		if t.isThere() {
			return t, nil
		}
		t.discard() // somebody took it for a dead one before it was locked
	}
}

// isThere reports whether the file still has its name.
func (t *ticket) isThere() bool {
	mine, err := t.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(filepath.Join(t.dir, t.name))
	return err == nil && os.SameFile(mine, there)
}

// discard leaves the queue.
func (t *ticket) discard() error {
	closed := t.Close()
	err := os.Remove(filepath.Join(t.dir, t.name))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // another one was faster
	}
	return errors.Join(closed, err)
}

// isFirst reports whether nobody waits who came earlier. It looks at the folder only when
// the one just in front has left: others measure meanwhile.
func (t *ticket) isFirst() (bool, error) {
	if t.first || t.before != "" && waits(t.dir, t.before) {
		return t.first, nil
	}
	entries, err := os.ReadDir(t.dir) // sorted
	if err != nil {
		return false, err
	}
	t.before = ""
	for _, e := range entries {
		if e.Name() < t.name && strings.HasPrefix(e.Name(), ticketPrefix) && e.Type().IsRegular() && waits(t.dir, e.Name()) {
			t.before = e.Name()
		}
	}
	t.first = t.before == ""
	return t.first, nil
}

// waits reports whether the process of a ticket still waits. It removes the ticket of a
// dead one, unless that belongs to another user.
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

package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-1318a441/assay/internal/printable"
)

// LockVariable is the variable of the environment that names another folder for the lock of
// the machine. Only assays with the same folder wait for each other.
const LockVariable = "ASSAY_LOCK_DIR"

// aloneFile is the file that a measuring assay locks. It is in a folder that all users of
// the machine share, and beside it are the files of waiters.
const aloneFile = "assay-measuring.lock"

// mostOccupant is the maximum number of bytes read from that file.
const mostOccupant = 4096

// askAgain is the interval at which a waiting assay checks whether the other is done.
const askAgain = 200 * time.Millisecond

// An Occupant is an assay that measures on this machine.
type Occupant struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Dir     string    `json:"dir"`
	Since   time.Time `json:"since"`
}

// String says who measures, safe to print: any user may have written the lock's content.
func (o Occupant) String() string {
	return fmt.Sprintf("process %d, since %s, in %s: %s", o.PID, o.Since.Local().Format(time.TimeOnly), printable.Line(o.Dir, 200), printable.Line(o.Command, 200))
}

// Occupy makes this process the only assay that measures on this machine, until release
// is called or the process ends in any way. Who comes first is served first. While another
// one measures it waits, and calls busy with that one, the zero Occupant if unknown, and
// again whenever another one has taken its place; an error of busy ends the waiting. The
// time since when it measures is when the waiting ended. On systems without file locks it
// returns at once.
func Occupy(ctx context.Context, me Occupant, busy func(Occupant) error) (release func() error, err error) {
	dir := lockDir()
	f, err := openAlone(filepath.Join(dir, aloneFile))
	if err != nil {
		return nil, lockError(err)
	}
	w, err := joinQueue(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		return f.Close, nil
	}
	if err != nil {
		return nil, errors.Join(lockError(err), f.Close())
	}
	err = w.wait(ctx, f, busy)
	if err := errors.Join(err, w.leave()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	me.Since = time.Now().UTC().Round(time.Second)
	// A waiting assay shows this; without it, it waits for an unknown occupant.
	if data, err := json.Marshal(me); err == nil && f.Truncate(0) == nil {
		f.WriteAt(data, 0)
	}
	return func() error { return errors.Join(f.Truncate(0), f.Close()) }, nil
}

// lockDir returns the folder of the lock.
func lockDir() string { return cmp.Or(os.Getenv(LockVariable), sharedDir()) }

func lockError(err error) error {
	return fmt.Errorf("lock the machine: %w (%s can name another folder for the lock, the same one for all who measure here)", err, LockVariable)
}

// wait returns with f locked once nobody is before the waiter.
func (w *waiter) wait(ctx context.Context, f *os.File, busy func(Occupant) error) error {
	var told *Occupant
	for {
		ok, err := w.isFirst()
		if ok {
			ok, err = tryLockWhole(f)
		}
		switch {
		case err != nil:
			return lockError(err)
		case ok:
			return nil
		}
		// The file is empty while the machine goes from one to the next.
		if o := occupant(f); told == nil || o != *told && o != (Occupant{}) {
			told = &o
			if err := busy(o); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(askAgain):
		}
	}
}

// Occupied returns the assay that measures on this machine, the zero Occupant if it is
// unknown. ok is false if none does.
func Occupied() (o Occupant, ok bool) {
	f, err := os.OpenFile(filepath.Join(lockDir(), aloneFile), os.O_RDWR|noFollow, 0)
	if err != nil {
		return o, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() == 0 {
		return o, false // to try the lock could keep out one that takes it now
	}
	free, err := tryLockWhole(f)
	if free {
		f.Truncate(0) // what one that was killed has left
	}
	if free || err != nil {
		return o, false
	}
	return occupant(f), true
}

// openAlone opens the file for every user of the machine, and no link in its place.
func openAlone(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|noFollow, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o666)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return os.OpenFile(name, os.O_RDWR|noFollow, 0)
	}
	if err == nil {
		err = f.Chmod(0o666) // whatever the umask
	}
	return f, err
}

// occupant reads who holds the lock.
func occupant(f *os.File) (o Occupant) {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, mostOccupant))
	if err != nil || json.Unmarshal(data, &o) != nil {
		return Occupant{}
	}
	return o
}

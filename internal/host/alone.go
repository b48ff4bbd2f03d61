package host

import (
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

// aloneFile is the file that a measuring assay locks. It is in the system's folder for
// temporary files, which all users of the machine share.
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
// is called or the process ends in any way. While another one measures it waits, and
// calls busy once with that one, the zero Occupant if unknown; an error of busy ends the
// waiting. On systems without file locks it returns at once.
func Occupy(ctx context.Context, me Occupant, busy func(Occupant) error) (release func() error, err error) {
	f, err := openAlone(filepath.Join(os.TempDir(), aloneFile))
	if err != nil {
		return nil, fmt.Errorf("lock the machine: %w", err)
	}
	told := false
	for {
		ok, err := tryLockWhole(f)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return f.Close, nil
		case err != nil:
			return nil, errors.Join(fmt.Errorf("lock the machine: %w", err), f.Close())
		case ok:
			// A waiting assay shows this; without it, it waits for an unknown occupant.
			if data, err := json.Marshal(me); err == nil && f.Truncate(0) == nil {
				f.WriteAt(data, 0)
			}
			return func() error { return errors.Join(f.Truncate(0), f.Close()) }, nil
		}
		if !told {
			if err := busy(occupant(f)); err != nil {
				return nil, errors.Join(err, f.Close())
			}
			told = true
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), f.Close())
		case <-time.After(askAgain):
		}
	}
}

// Occupied returns the assay that measures on this machine, the zero Occupant if it is
// unknown. ok is false if none does.
func Occupied() (o Occupant, ok bool) {
	f, err := openAlone(filepath.Join(os.TempDir(), aloneFile))
	if err != nil {
		return o, false
	}
	defer f.Close()
	if free, err := tryLockWhole(f); free || err != nil {
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

//go:build unix

package host

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockWhole waits for the lock on a file; it goes when the file is closed.
func lockWhole(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if err != unix.EINTR {
			return err
		}
	}
}

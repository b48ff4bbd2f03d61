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

// tryLockWhole takes the lock on a file unless another process has it.
func tryLockWhole(f *os.File) (ok bool, err error) {
	switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
	case nil:
		return true, nil
	case unix.EWOULDBLOCK, unix.EINTR:
		return false, nil
	default:
		return false, err
	}
}

// noFollow has an open fail where a link stands in the place of the file.
const noFollow = unix.O_NOFOLLOW

//go:build unix

package host

import (
	"os"

	"golang.org/x/sys/unix"
)

// LockWhole waits for the lock on a file. Closing the file releases it.
func LockWhole(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if err != unix.EINTR {
			return err
		}
	}
}

// tryLockWhole locks a file unless another process has.
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

// noFollow makes an open fail if the file is a link.
const noFollow = unix.O_NOFOLLOW

// sharedDir returns the folder for the lock: the same for every user and every process of
// the machine, whatever its environment. Everybody may make files there, and nobody may
// remove those of others (the sticky bit); it is empty after a start of the system.
func sharedDir() string {
	const everybody = os.ModeSticky | 0o003
	for _, dir := range []string{"/run/lock", "/var/lock"} {
		if info, err := os.Stat(dir); err == nil && info.Mode()&everybody == everybody {
			return dir
		}
	}
	return "/tmp"
}

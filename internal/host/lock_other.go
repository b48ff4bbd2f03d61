//go:build !unix

package host

import (
	"errors"
	"os"
)

// LockWhole waits for the lock on a file, which this system does not have.
func LockWhole(*os.File) error { return errors.ErrUnsupported }

func tryLockWhole(*os.File) (ok bool, err error) { return false, errors.ErrUnsupported }

const noFollow = 0

// sharedDir returns the folder for the lock, which is none here.
func sharedDir() string { return os.TempDir() }

//go:build !unix

package host

import (
	"errors"
	"os"
)

func lockWhole(*os.File) error { return errors.ErrUnsupported }

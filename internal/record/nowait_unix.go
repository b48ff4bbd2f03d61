//go:build unix

package record

import "syscall"

// noWait has an open of a pipe return at once.
const noWait = syscall.O_NONBLOCK

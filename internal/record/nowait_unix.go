//go:build unix

package record

import "syscall"

// noWait makes an open of a pipe return at once.
const noWait = syscall.O_NONBLOCK

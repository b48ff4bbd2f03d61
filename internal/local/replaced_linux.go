package local

import (
	"os"
	"syscall"
	"time"
)

// changeTime is when anything of a file last changed. No program can set it.
func changeTime(info os.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return time.Time{}
}

package host

import (
	"context"
	"os"
	"path/filepath"

	"github.com/shirou/gopsutil/v4/disk"
)

// Space is the free space on the file system of a folder.
type Space struct {
	Dir   string
	Free  uint64 // bytes
	Known bool
}

// FreeSpace returns the free space of the file system that holds dir, or will once dir is
// created.
func FreeSpace(ctx context.Context, dir string) Space {
	at, err := filepath.Abs(dir)
	if err != nil {
		return Space{Dir: dir}
	}
	for filepath.Dir(at) != at {
		if _, err := os.Stat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	u, err := disk.UsageWithContext(ctx, at)
	if err != nil {
		return Space{Dir: dir}
	}
	return Space{Dir: dir, Free: u.Free, Known: true}
}

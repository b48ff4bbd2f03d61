package host

import (
	"context"
	"path"
	"strconv"

	"github.com/shirou/gopsutil/v4/mem"

	"github.com/seed-1318a441/assay/internal/host/system"
)

// AvailableMemory returns the memory that programs can use without swapping, in bytes:
// MemAvailable of Linux's /proc/meminfo, and no more than the cgroup has left.
func AvailableMemory(ctx context.Context) (uint64, error) {
	m, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return 0, err
	}
	if left, ok := memoryLeft(system.Here); ok {
		return min(m.Available, left), nil
	}
	return m.Available, nil
}

// memoryLeft returns how much memory the cgroups of this process have left, in bytes: the
// limit minus the memory in use, without inactive file pages. The tightest of nested
// groups counts; ok is false if none has a limit.
func memoryLeft(s system.Files) (left uint64, ok bool) {
	s.EachGroup("memory", func(dir string, v1 bool) {
		limit, used, cached := "memory.max", "memory.current", "inactive_file"
		if v1 {
			limit, used, cached = "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		}
		most, err1 := strconv.ParseUint(s.Read(path.Join(dir, limit)), 10, 64) // "max" is no limit
		now, err2 := strconv.ParseUint(s.Read(path.Join(dir, used)), 10, 64)
		if err1 != nil || err2 != nil {
			return
		}
		files, _ := strconv.ParseUint(system.Field(s.Read(path.Join(dir, "memory.stat")), cached), 10, 64)
		now -= min(now, files)
		if free := most - min(most, now); !ok || free < left {
			left, ok = free, true
		}
	})
	return left, ok
}

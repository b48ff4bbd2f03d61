package host

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/shirou/gopsutil/v4/mem"
)

// AvailableMemory returns the memory that programs can use without swapping, in bytes:
// MemAvailable of Linux's /proc/meminfo, and no more than the cgroup has left.
func AvailableMemory(ctx context.Context) (uint64, error) {
	m, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return 0, err
	}
	if left, ok := memoryLeft(thisMachine); ok {
		return min(m.Available, left), nil
	}
	return m.Available, nil
}

// memoryLeft returns how much memory the cgroups of this process have left, in bytes: the
// limit minus the memory in use, without inactive file pages. The tightest of nested
// groups counts; ok is false if none has a limit.
func memoryLeft(s system) (left uint64, ok bool) {
	eachGroup(s, func(controllers, dir string) {
		base, limit, used, cached := path.Join("sys/fs/cgroup", dir), "memory.max", "memory.current", "inactive_file"
		if controllers != "" {
			if !slices.Contains(strings.Split(controllers, ","), "memory") {
				return
			}
			base, limit, used, cached = path.Join("sys/fs/cgroup/memory", dir), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		}
		most, err1 := strconv.ParseUint(s.read(path.Join(base, limit)), 10, 64) // "max" is no limit
		now, err2 := strconv.ParseUint(s.read(path.Join(base, used)), 10, 64)
		if err1 != nil || err2 != nil {
			return
		}
		for line := range strings.Lines(s.read(path.Join(base, "memory.stat"))) {
			if name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name == cached {
				files, _ := strconv.ParseUint(value, 10, 64)
				now -= min(now, files)
			}
		}
		if free := most - min(most, now); !ok || free < left {
			left, ok = free, true
		}
	})
	return left, ok
}

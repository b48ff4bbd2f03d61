package host

import (
	"context"

	"github.com/shirou/gopsutil/v4/mem"
)

// AvailableMemory is what programs can have without others being swapped out, in bytes:
// MemAvailable of Linux's /proc/meminfo.
func AvailableMemory(ctx context.Context) (uint64, error) {
	m, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return 0, err
	}
	return m.Available, nil
}

package host

import (
	"testing"

	"github.com/seed-1318a441/assay/internal/host/system"
)

func TestMemoryLeft(t *testing.T) {
	for _, c := range []struct {
		name string
		s    system.Files
		want uint64
		ok   bool
	}{
		{"no limit", files("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/memory.max", "max\n", "sys/fs/cgroup/a/memory.current", "5\n"), 0, false},
		{"version 2", files("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/memory.max", "1000\n", "sys/fs/cgroup/a/memory.current", "700\n",
			"sys/fs/cgroup/a/memory.stat", "anon 300\ninactive_file 200\n"), 500, true},
		{"parent is tighter", files("proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max", "1000\n", "sys/fs/cgroup/a/b/memory.current", "100\n",
			"sys/fs/cgroup/a/memory.max", "2000\n", "sys/fs/cgroup/a/memory.current", "1950\n"), 50, true},
		{"version 1", files("proc/self/cgroup", "4:memory:/x\n1:cpu:/y\n", "sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1000\n",
			"sys/fs/cgroup/memory/x/memory.usage_in_bytes", "900\n", "sys/fs/cgroup/memory/x/memory.stat", "total_inactive_file 50\n"), 150, true},
		{"used up", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "1000\n", "sys/fs/cgroup/memory.current", "1100\n"), 0, true},
		{"damaged", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/memory.max", "x\n", "sys/fs/cgroup/memory.current", "1\n"), 0, false},
	} {
		if got, ok := memoryLeft(c.s); got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

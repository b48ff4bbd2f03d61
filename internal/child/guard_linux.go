//go:build !portable

package child

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// The limits beyond which a trial is killed: far from what a benchmark does, but low
// enough to keep the machine usable for others.
type limits struct {
	// tasks is the maximum increase of the number of processes and threads since the
	// start.
	tasks int
	// memory and disk must stay free, in bytes. taken is how much either must have shrunk
	// since the start: a machine may have been full before.
	memory, disk, taken uint64
}

// machineLimits are the limits for a process; tests have others.
var machineLimits = limits{tasks: 4000, memory: 128 << 20, disk: 512 << 20, taken: 256 << 20}

// lookEvery is the interval between checks: a fork bomb makes thousands of processes a
// second.
const lookEvery = 250 * time.Millisecond

// A guard checks what a trial takes from the machine.
type guard struct {
	dir string
	// Values at the start; memory and disk are free bytes.
	tasks        int
	memory, disk uint64
	next         time.Time
	// broken names the exceeded limit, "" for none.
	broken string
}

func newGuard(dir string) guard {
	return guard{dir: dir, tasks: tasks(), memory: freeMemory(), disk: freeDisk(dir), next: time.Now().Add(lookEvery)}
}

// wait returns the time until the next check.
func (g *guard) wait() time.Duration { return max(time.Until(g.next), 0) }

// look reports, once, that a limit is exceeded.
func (g *guard) look() bool {
	g.next = time.Now().Add(lookEvery)
	if g.broken != "" {
		return false
	}
	disk := freeDisk(g.dir)
	switch more, memory := tasks()-g.tasks, freeMemory(); {
	case more > machineLimits.tasks:
		g.broken = fmt.Sprintf("it was killed at %d processes and threads more than before", more)
	case memory < machineLimits.memory && memory+machineLimits.taken < g.memory:
		g.broken = fmt.Sprintf("it was killed when the machine had %d MB of memory left", memory>>20)
	case disk < machineLimits.disk && disk+machineLimits.taken < g.disk:
		g.broken = fmt.Sprintf("it was killed when it had written %d MB, and the disk had %d MB left", (g.disk-disk)>>20, disk>>20)
	}
	return g.broken != ""
}

// tasks returns the number of processes and threads of the machine, 0 if unknown.
func tasks() int {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int(info.Procs)
}

// freeDisk returns the free bytes where a folder is; unlimited if unknown.
func freeDisk(dir string) uint64 {
	var s unix.Statfs_t
	if dir == "" {
		dir = "."
	}
	if unix.Statfs(dir, &s) != nil {
		return 1 << 62
	}
	return s.Bavail * uint64(s.Bsize)
}

// freeMemory returns MemAvailable of the machine, in bytes; unlimited if unknown.
func freeMemory() uint64 {
	const unknown = 1 << 62
	data, _ := os.ReadFile("/proc/meminfo")
	_, rest, ok := bytes.Cut(data, []byte("MemAvailable:"))
	number, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	kb, err := strconv.ParseUint(string(number), 10, 64)
	if !ok || err != nil {
		return unknown
	}
	return kb << 10
}

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

// The limits beyond which a trial is killed: far from what a benchmark does, and near
// enough to what would take the machine from everybody else.
type limits struct {
	// tasks is how many processes and threads there may be more than at the start.
	tasks int
	// memory and disk must stay free, in bytes; taken is how much less of either there has
	// to be than at the start: a machine may have been full before.
	memory, disk, taken uint64
}

// machineLimits are the limits for a process; tests have others.
var machineLimits = limits{tasks: 4000, memory: 128 << 20, disk: 512 << 20, taken: 256 << 20}

// lookEvery is how often they are looked at: a fork bomb makes thousands of processes a
// second.
const lookEvery = 250 * time.Millisecond

// A guard looks what a trial takes from the machine.
type guard struct {
	dir string
	// What there was at the start; memory and disk are what was free.
	tasks        int
	memory, disk uint64
	next         time.Time
	// broken says which limit was broken, "" for none.
	broken string
}

func newGuard(dir string) guard {
	return guard{dir: dir, tasks: tasks(), memory: freeMemory(), disk: freeDisk(dir), next: time.Now().Add(lookEvery)}
}

// wait is the time to the next look.
func (g *guard) wait() time.Duration { return max(time.Until(g.next), 0) }

// look reports, once, that a limit is broken.
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

// tasks is the number of processes and threads of the machine, 0 where it is not known.
func tasks() int {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int(info.Procs)
}

// freeDisk is what may be written where a folder is, in bytes; where it is not known there
// is no end of it.
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

// freeMemory is MemAvailable of the machine, in bytes; where it is not known there is no
// end of it.
func freeMemory() uint64 {
	const unknown = 1 << 62
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return unknown
	}
	_, rest, ok := bytes.Cut(data, []byte("MemAvailable:"))
	number, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	kb, err := strconv.ParseUint(string(number), 10, 64)
	if !ok || err != nil {
		return unknown
	}
	return kb << 10
}

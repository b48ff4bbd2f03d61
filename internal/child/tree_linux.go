package child

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A tree is the processes of a server: the started one, its descendants, its group, and
// those adopted by the starter when a parent ended.
type tree struct {
	leader  int
	members []int
	// next is when to search for members again. That reads a file of every process of the
	// machine, and so costs more than all else.
	next time.Time
}

func newTree(leader int) *tree { return &tree{leader: leader} }

// growShare limits the search for members to this fraction of a core.
const growShare = 500

// grow searches for the members of the tree.
func (t *tree) grow() {
	begin := time.Now()
	t.members = membersOf(t.leader, allProcesses())
	t.next = begin.Add(growShare * time.Since(begin))
}

// look adds up the resources of the members. Pages shared by several, such as the buffers
// of a database, count once, for the member with most of them.
func (t *tree) look() sample {
	if !time.Now().Before(t.next) {
		t.grow()
	}
	s := sample{at: time.Now()}
	var shared uint64
	for _, pid := range t.members {
		r, sh := residentOf(pid)
		s.rss += r - min(r, sh)
		shared = max(shared, min(r, sh))
		s.cpu += cpuOf(pid)
	}
	s.rss += shared
	return s
}

// A stat is the needed part of /proc/PID/stat; times are in ticks.
type stat struct {
	parent, group  int
	user, sys      int64
	cuser, csystem int64
}

// clockTick is the length of a tick on all architectures that Go supports under Linux.
const clockTick = time.Second / 100

// statOf reads /proc/PID/stat. The name in it is in parentheses and may contain anything,
// so the other fields follow the last of them (proc(5)).
func statOf(pid int, buffer []byte) (s stat, ok bool) {
	f, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return stat{}, false
	}
	n, err := unix.Read(f, buffer)
	_ = unix.Close(f)
	if err != nil {
		return stat{}, false
	}
	return parseStat(buffer[:n])
}

func parseStat(text []byte) (s stat, ok bool) {
	i := bytes.LastIndexByte(text, ')')
	fields := bytes.Fields(text[i+1:])
	if i < 0 || len(fields) < 15 {
		return stat{}, false
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(string(fields[i]), 10, 64)
		return n
	}
	return stat{
		parent: int(number(1)), group: int(number(2)),
		user: number(11), sys: number(12), cuser: number(13), csystem: number(14),
	}, true
}

// cpuOf returns the CPU time of a process and of the children that it has waited for.
func cpuOf(pid int) time.Duration {
	var buffer [1 << 10]byte
	s, ok := statOf(pid, buffer[:])
	if !ok {
		return 0
	}
	own := time.Duration(s.user+s.sys) * clockTick
	// The clock of another process's CPU time has nanoseconds, while ticks are hundredths
	// of a second: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of the kernel's
	// include/linux/posix-timers.h.
	var ts unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|2), &ts) == nil {
		own = time.Duration(ts.Nano())
	}
	return own + time.Duration(s.cuser+s.csystem)*clockTick
}

// residentOf returns the resident set of a process in bytes, and the part that may be
// shared with others.
func residentOf(pid int) (all, shared uint64) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 3 {
		return 0, 0
	}
	page := uint64(os.Getpagesize())
	r, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	s, _ := strconv.ParseUint(string(fields[2]), 10, 64)
	return r * page, s * page
}

// allProcesses returns all visible processes.
func allProcesses() map[int]stat {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	all := make(map[int]stat, len(names))
	buffer := make([]byte, 1<<10)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, ok := statOf(pid, buffer); ok {
			all[pid] = s
		}
	}
	return all
}

// membersOf returns the leader and the processes that belong to it.
func membersOf(leader int, all map[int]stat) []int {
	if _, ok := all[leader]; !ok {
		return []int{leader}
	}
	starter := all[leader].parent
	if starter == os.Getpid() || starter <= 1 {
		starter = -1 // it has children that are not the server's
	}
	var members []int
	for pid, s := range all {
		if pid == leader || s.group == leader || descends(pid, leader, starter, all) {
			members = append(members, pid)
		}
	}
	return members
}

// descends reports whether a process descends from leader or starter.
func descends(pid, leader, starter int, all map[int]stat) bool {
	// No line of descent is longer than the list: changes while it is read could make a
	// cycle.
	for range all {
		s, ok := all[pid]
		if !ok {
			return false
		}
		if s.parent == leader || s.parent == starter {
			return true
		}
		pid = s.parent
	}
	return false
}

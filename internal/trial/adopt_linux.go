//go:build !portable

package trial

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of its descendants whose own parent has
// ended, which is else process 1. A process can leave its group and not this:
// when a leader has ended, what it left behind is a child of ours.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// endOthers kills and reaps all children, when a leader has been reaped and its
// group killed, and returns how many of them had left that group. The children
// of those that are killed become ours in turn. What may not be killed, because
// it runs as somebody else, is left.
func endOthers(leader int) (escaped int) {
	found := map[int]bool{}
	for {
		pid, err := reap(unix.WNOHANG)
		if err != nil {
			return len(found)
		}
		if pid > 0 {
			continue
		}
		if !killChildren(leader, found) {
			return len(found)
		}
		_, _ = reap(0)
	}
}

// reap takes note of the end of a child; the error is that there is none.
func reap(flags int) (pid int, err error) {
	for {
		if pid, err = unix.Wait4(-1, nil, flags, nil); err != unix.EINTR {
			return pid, err
		}
	}
}

// killChildren reports whether there was one that it could kill, and finds
// those that are not in the group of the leader.
func killChildren(leader int, found map[int]bool) (some bool) {
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	self := os.Getpid()
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		// The number of a child is its own until it is reaped, and that is us.
		s := lineageOf(name)
		if s.parent != self || unix.Kill(pid, unix.SIGKILL) != nil {
			continue
		}
		some = true
		if s.group != leader && !s.ended {
			found[pid] = true
		}
	}
	return some
}

type lineage struct {
	ended         bool
	parent, group int
}

// lineageOf reads /proc/PID/stat: "PID (name) state parent group ...", where the
// name is any text. It returns no parent where there is no such process.
func lineageOf(pid string) (s lineage) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return s
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 3 {
		return s
	}
	s.ended = fields[0][0] == 'Z' || fields[0][0] == 'X'
	s.parent, _ = strconv.Atoi(string(fields[1]))
	s.group, _ = strconv.Atoi(string(fields[2]))
	return s
}

//go:build !portable

package child

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of its descendants whose own parent has
// ended, which is else process 1. A process can leave its group and not this:
// when a leader has ended, what it left behind is a child of ours. Those that
// end before it stay zombies until then.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

const (
	// notice is how long those outside the group have to end by themselves after
	// the leader, in milliseconds: a helper sees its pipe close, say.
	leaveTime = 500
	// patience bounds the hunt for processes that breed faster than they are found.
	patience = 5 * time.Second
)

// endOthers reaps all children, when a leader has been reaped and its group
// killed, kills those that do not end, and returns how many had left the group
// and had to be killed. The children of those that are killed become ours in
// turn. What may not be killed, because it runs as somebody else, is left.
func endOthers(leader int, m *memory) (escaped int) {
	if allEnd(leaveTime) {
		return 0
	}
	m.soil() // by the search
	found := map[int]bool{}
	for late := time.Now().Add(patience); killChildren(leader, found) && time.Now().Before(late); {
		_, _ = reap(0) // one of those that were killed
		if allEnd(0) {
			break
		}
	}
	return len(found)
}

// allEnd reaps children until there are none, or until some have been running
// for a number of milliseconds.
func allEnd(within int) bool {
	for pause := 1; ; within, pause = within-pause, 2*pause {
		pid, err := reap(unix.WNOHANG)
		for pid > 0 {
			pid, err = reap(unix.WNOHANG)
		}
		if err != nil || within <= 0 {
			return err != nil
		}
		_, _ = unix.Poll(nil, min(pause, within)) // sleeps, on this thread
	}
}

// reap takes note of the end of a child; the error is that there is none, and
// with unix.WNOHANG a pid of 0 says that none has ended.
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
	self := os.Getpid()
	for pid, s := range allProcesses() {
		// The number of a child is its own until it is reaped, and that is here.
		if s.parent != self || unix.Kill(pid, unix.SIGKILL) != nil {
			continue
		}
		some = true
		if s.group != leader {
			found[pid] = true
		}
	}
	return some
}

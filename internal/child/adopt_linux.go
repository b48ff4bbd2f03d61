//go:build !portable

package child

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process, instead of process 1, the parent of its descendants whose own
// parent has ended. A process can leave its group, but not this: when a leader has ended,
// its remaining processes are our children. Those that end before it stay zombies until
// then.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

const (
	// leaveTime is how long those outside the group have to end by themselves after the
	// leader, in milliseconds: a helper notices that its pipe closes, say.
	leaveTime = 500
	// huntLimit limits the search for processes that fork faster than they are found.
	huntLimit = 5 * time.Second
)

// endOthers reaps all children after a leader has been reaped and its group killed. It
// kills those that do not end, and returns how many had left the group and had to be
// killed. The children of killed processes become ours in turn. Processes that run as
// another user cannot be killed and are left.
func endOthers(leader int, m *memory) (escaped int) {
	if allEnd(leaveTime) {
		return 0
	}
	m.forceShrink() // by the search
	found := map[int]bool{}
	for late := time.Now().Add(huntLimit); killChildren(leader, found) && time.Now().Before(late); {
		_, _ = reap(0) // one of the killed ones
		if allEnd(0) {
			break
		}
	}
	return len(found)
}

// allEnd reaps children until there are none, or until some have been running for within
// milliseconds.
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

// reap reaps a child. The error says that there is none; with unix.WNOHANG a pid of 0
// means that none has ended.
func reap(flags int) (pid int, err error) {
	for {
		if pid, err = unix.Wait4(-1, nil, flags, nil); err != unix.EINTR {
			return pid, err
		}
	}
}

// killChildren reports whether it could kill some child, and adds those outside the group
// of the leader to found.
func killChildren(leader int, found map[int]bool) (some bool) {
	self := os.Getpid()
	for pid, s := range allProcesses() {
		// No other process can have the number of a child until we reap it.
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

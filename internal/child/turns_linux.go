//go:build !portable

package child

import (
	"encoding/binary"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A turnLink is our end of the connection for a program's turns with its starter. We send
// eight bytes with the length in nanoseconds; one byte comes back at the end of the turn.
// The first byte comes without a turn, when the program has stopped.
type turnLink int

const noLink turnLink = -1

// The starter's messages about its program.
const (
	turnStopped = iota + 1
	turnEnded
)

// open makes the connection and returns the starter's end.
func (s *Seat) open() (int, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, os.NewSyscallError("socketpair", err)
	}
	s.link = turnLink(ends[0])
	return ends[1], nil
}

func (l turnLink) close() {
	if l != noLink {
		_ = unix.Close(int(l))
	}
}

// turn gives one turn and reports whether the program still runs.
func (l turnLink) turn(length time.Duration) bool {
	var order [8]byte
	binary.NativeEndian.PutUint64(order[:], uint64(length))
	if l == noLink || unix.Sendto(int(l), order[:], unix.MSG_NOSIGNAL, nil) != nil {
		return false
	}
	return l.stands()
}

// stands waits for the end of a turn.
func (l turnLink) stands() bool {
	if l == noLink {
		return false
	}
	var answer [1]byte
	for {
		n, err := unix.Read(int(l), answer[:])
		if err == unix.EINTR {
			continue
		}
		return n == 1 && answer[0] == turnStopped
	}
}

// turns are the starter's side: they stop and continue a leader and its group.
type turns struct {
	link int // -1 without turns

	active time.Duration
	info   unix.Siginfo
	order  [8]byte
}

// newTurns prepares the turns of a job with these files.
func newTurns(j job, files []int) *turns {
	t := &turns{link: -1}
	if j.Turns {
		t.link = files[ownFiles]
	}
	return t
}

// ownFiles is the number of files of every job: standard input, output and errors.
const ownFiles = 3

// files returns the number of files that come with a job.
func (j job) files() int {
	if j.Turns {
		return ownFiles + 1
	}
	return ownFiles
}

func (t *turns) close() {
	if t.link != -1 {
		_ = unix.Close(t.link)
	}
}

// hold stops a leader that has just been started; its time since the start counts.
func (t *turns) hold(p leader, start time.Time) {
	if t.link != -1 {
		t.stop(p, start)
	}
}

// obey gives the requested turn. It returns false when there are no more requests.
func (t *turns) obey(p leader, sock int) bool {
	n, err := unix.Read(t.link, t.order[:])
	if err == unix.EINTR {
		return true
	}
	if n != len(t.order) {
		return false
	}
	t.turn(p, sock, time.Duration(binary.NativeEndian.Uint64(t.order[:])))
	return true
}

// turn lets the group run for a while. The end of the leader, or an order to end it, ends
// the turn early.
func (t *turns) turn(p leader, sock int, length time.Duration) {
	start := time.Now()
	_ = unix.Kill(-p.pid, unix.SIGCONT)
	fds := [...]unix.PollFd{{Fd: int32(p.ended), Events: unix.POLLIN}, {Fd: int32(sock), Events: unix.POLLIN}}
	for left := length; left > 0; left = length - time.Since(start) {
		limit := unix.NsecToTimespec(int64(left))
		if n, err := unix.Ppoll(fds[:], &limit, nil); n > 0 || err != nil && err != unix.EINTR {
			break
		}
	}
	t.stop(p, start)
}

// stop ends a turn that began at start: it stops the group, waits until the leader has
// stopped or ended, and reports it.
func (t *turns) stop(p leader, start time.Time) {
	_ = unix.Kill(-p.pid, unix.SIGSTOP)
	for unix.Waitid(unix.P_PID, p.pid, &t.info, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	t.active += time.Since(start)
	answer := [1]byte{turnEnded}
	if t.info.Code == cldStopped {
		// Its stop has been reported; its end is still to come.
		for unix.Waitid(unix.P_PID, p.pid, nil, unix.WSTOPPED, nil) == unix.EINTR {
		}
		answer[0] = turnStopped
	}
	_ = unix.Sendto(t.link, answer[:], unix.MSG_NOSIGNAL, nil)
}

// cldStopped is CLD_STOPPED of the kernel's siginfo.h.
const cldStopped = 5

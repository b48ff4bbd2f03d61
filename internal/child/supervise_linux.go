//go:build !portable

package child

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-1318a441/assay/internal/fault"
)

// supervise starts a job with files as its stdin, stdout and stderr, closes them, waits,
// and kills the rest of the group. Until the leader has ended it obeys the orders from
// sock; the end of sock means orderKill.
//
// It stays on one thread and waits for everything at once: one goroutine waking another
// would use CPU while the job runs, and after it has ended.
func supervise(j job, files []int, sock int, m *memory) report {
	// The signal that ends the child with its parent is sent when the thread ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	counters := openCounters(j.Counters)
	defer counters.close()
	m.beforeStart()
	start := time.Now()
	p, err := startLeader(j, files)
	floor := m.afterStart()
	closeAll(files)
	if j.Announce {
		// If nobody listens any more, await notices.
		_ = send(sock, announcement{p.pid, start}.encode())
	}
	if err != nil {
		return report{Err: startError(err, j.Dir)}
	}
	p.await(sock)
	wall := time.Since(start)
	r := p.end()
	r.Start, r.Wall, r.Counters = start, wall, counters.read()
	r.PeakRSS = m.known(r.PeakRSS, floor)
	if m != nil { // otherwise some children here are not ours
		r.Escaped = endOthers(p.pid, m)
	}
	return r
}

// A leader is a process that leads a process group.
type leader struct {
	pid int
	// ended becomes readable when the process has ended.
	ended int
}

// startLeader starts the child as leader of a new group that ends with us.
func startLeader(j job, files []int) (leader, error) {
	unpin, err := pin(j.CPUs)
	if err != nil {
		return leader{}, err
	}
	defer unpin()
	ended := -1
	attr := syscall.ProcAttr{Dir: j.Dir, Env: j.Env, Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, PidFD: &ended}}
	for _, f := range files {
		attr.Files = append(attr.Files, uintptr(f))
	}
	pid, err := syscall.ForkExec(j.Path, append([]string{j.Path}, j.Args...), &attr)
	if err != nil {
		return leader{}, err
	}
	if ended == -1 || noPidFD.Load() {
		ended = endOf(pid)
	}
	return leader{pid, ended}, nil
}

// noPidFD makes tests behave as on Linux before 5.2, which has no such files.
var noPidFD atomic.Bool

// endOf returns a file that becomes readable when the child has ended.
func endOf(pid int) int {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return -1
	}
	go func() {
		defer fault.Exit()
		wait(pid)
		_ = unix.Close(ends[1])
	}()
	return ends[0]
}

// wait waits until the child has ended. It does not reap it, so that no other group can
// get its number while the group is killed.
func wait(pid int) {
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// await waits until the leader has ended, and obeys orders.
func (p leader) await(sock int) {
	if p.ended == -1 {
		wait(p.pid) // no order is obeyed
		return
	}
	fds := []unix.PollFd{{Fd: int32(p.ended), Events: unix.POLLIN}, {Fd: int32(sock), Events: unix.POLLIN}}
	for fds[0].Revents == 0 {
		if _, err := unix.Poll(fds, -1); err == unix.EINTR {
			continue
		} else if err != nil {
			wait(p.pid)
			return
		}
		if fds[0].Revents == 0 && fds[1].Revents != 0 && !p.obey(sock) {
			fds[1].Fd = -1
		}
	}
}

// signals are the leader's signals; other numbers send none.
var signals = map[order]unix.Signal{orderQuit: unix.SIGQUIT, orderInterrupt: unix.SIGINT, orderTerminate: unix.SIGTERM}

// obey carries out one order, and returns false when there will be no more.
func (p leader) obey(sock int) bool {
	var b [1]byte
	n, err := unix.Read(sock, b[:])
	if err == unix.EINTR {
		return true
	}
	if n == 1 && order(b[0]) != orderKill {
		_ = unix.Kill(p.pid, signals[order(b[0])])
		return true
	}
	_ = unix.Kill(-p.pid, unix.SIGKILL)
	return n == 1
}

// end kills the rest of the group and returns how the leader, which has ended, did so.
func (p leader) end() report {
	_ = unix.Kill(-p.pid, unix.SIGKILL)
	var status unix.WaitStatus
	var u unix.Rusage
	for {
		if _, err := unix.Wait4(p.pid, &status, 0, &u); err != unix.EINTR {
			break
		}
	}
	_ = unix.Close(p.ended)
	r := report{Exit: Exit{
		User: time.Duration(u.Utime.Nano()), Sys: time.Duration(u.Stime.Nano()), PeakRSS: uint64(u.Maxrss) << 10, Code: -1,
		Usage: Usage{true, int64(u.Minflt), int64(u.Majflt), int64(u.Nvcsw), int64(u.Nivcsw)},
	}}
	switch {
	case status.Exited():
		r.Code = status.ExitStatus()
	case status.Signaled():
		r.Signal = syscall.Signal(status.Signal()).String()
	}
	return r
}

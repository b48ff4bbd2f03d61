//go:build !portable

package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

func start(ctx context.Context, c Command) (*Process, error) {
	t, err := begin(ctx, c, true)
	if err != nil {
		return nil, err
	}
	a, err := t.announced()
	if err != nil || a.pid == 0 {
		_, err = t.end(ctx) // with the reason
		return nil, err
	}
	t.pid, t.wide = a.pid, t.widen()
	return follow(a.pid, a.at, t.order, func() (Exit, error) { return t.end(ctx) }), nil
}

// A task is a job in a starter.
type task struct {
	path    string
	starter *starter
	// pid is the leader's if it was announced, else 0.
	pid int
	// orders holds back orders after over is set: the starter may then belong to another
	// task.
	orders sync.Mutex
	over   bool
	// kept is the part of the output that is kept.
	kept [2]Excerpt
	// pipes are our ends of its stdout and stderr, -1 after their end. out is where they
	// are copied to.
	pipes [2]int
	out   [2]io.Writer
	// wide is true if a moment's output fits into the pipes.
	wide bool
	// stdin is our end of its stdin, nil if there is none.
	stdin    *os.File
	timeout  time.Duration
	timedOut bool
	guard    guard
}

// begin makes the task and passes its job to a starter.
func begin(ctx context.Context, c Command, announce bool) (*task, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	t := &task{path: c.Path, timeout: c.Timeout, guard: newGuard(c.Dir)}
	t.out = [2]io.Writer{alsoTo(&t.kept[0], c.Stdout), alsoTo(&t.kept[1], c.Stderr)}
	if err := t.start(c, announce); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	return t, nil
}

// end waits for the end of the task.
func (t *task) end(ctx context.Context) (Exit, error) {
	r, err := t.follow(ctx)
	t.close()
	if err != nil {
		t.starter.close()
		if t.pid != 0 {
			_ = unix.Kill(-t.pid, unix.SIGKILL) // the leader ends with the starter, its group does not
		}
		return Exit{}, fmt.Errorf("start %s: lost the process that starts trials: %w", t.path, err)
	}
	t.starter.release()
	if r.Err != "" {
		return Exit{}, fmt.Errorf("start %s: %s", t.path, r.Err)
	}
	return r.exit(t.timedOut, t.guard.broken, &t.kept[0], &t.kept[1]), context.Cause(ctx)
}

// announced waits until the job has been started.
func (t *task) announced() (announcement, error) {
	message, _, err := receive(t.starter.sock, t.starter.buffer[:])
	if err != nil {
		return announcement{}, err
	}
	return decodeAnnouncement(message)
}

// order orders the starter to end the job early, if it still runs it.
func (t *task) order(o order) {
	t.orders.Lock()
	defer t.orders.Unlock()
	if !t.over {
		t.starter.order(o)
	}
}

// start passes the job to a starter.
func (t *task) start(c Command, announce bool) error {
	if err := checkCPUs(c.CPUs); err != nil {
		return err
	}
	child, err := t.open(c.Stdin, c.packets)
	if err == nil {
		j := job{Path: c.Path, Dir: c.Dir, Args: c.Args, Env: c.Env, Counters: c.Counters, Announce: announce, CPUs: c.CPUs}
		t.starter, err = hire(j.encode(), child[:])
	}
	closeAll(child[:])
	if err != nil {
		t.close()
	}
	return err
}

// empty returns a file without content: the null device, or a pipe whose other end is
// closed where there are no devices.
func empty() (int, error) {
	f, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if !errors.Is(err, unix.ENOENT) {
		return f, err
	}
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return -1, err
	}
	return ends[0], unix.Close(ends[1])
}

// open makes the files of a task and returns the child's ends.
func (t *task) open(stdin io.Reader, packets bool) (child [ownFiles]int, err error) {
	child, t.pipes = [ownFiles]int{-1, -1, -1}, [2]int{-1, -1}
	switch in := stdin.(type) {
	case nil:
		child[0], err = empty()
	case *os.File:
		child[0], err = unix.FcntlInt(in.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	default:
		if child[0], err = t.feed(in); err != nil {
			return child, err
		}
	}
	for i := range t.pipes {
		var ends [2]int
		if err == nil {
			err = pipe(&ends, packets && i == 0)
		}
		if err == nil {
			t.pipes[i], child[i+1] = ends[0], ends[1]
		}
	}
	return child, err
}

// pipe makes a pipe. With packets it has room for one write and keeps writes apart.
func pipe(ends *[2]int, packets bool) error {
	if !packets {
		return unix.Pipe2(ends[:], unix.O_CLOEXEC)
	}
	err := unix.Pipe2(ends[:], unix.O_CLOEXEC|unix.O_DIRECT)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(ends[1]), unix.F_SETPIPE_SZ, os.Getpagesize())
	}
	return err
}

// feed makes a pipe, keeps it filled from r, and returns its other end.
func (t *task) feed(r io.Reader) (int, error) {
	var ends [2]int
	// Not blocking, so that closing it ends a waiting write.
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return -1, err
	}
	_ = unix.SetNonblock(ends[1], true)
	t.stdin = os.NewFile(uintptr(ends[1]), "stdin")
	go feed(t.stdin, r)
	return ends[0], nil
}

func (t *task) close() {
	closeAll(t.pipes[:])
	if t.stdin != nil {
		_ = t.stdin.Close()
	}
}

func closeAll(files []int) {
	for _, f := range files {
		if f != -1 {
			_ = unix.Close(f)
		}
	}
}

// hire passes a job to an idle starter. It skips starters that have ended in the
// meantime.
func hire(message []byte, files []int) (*starter, error) {
	for {
		s, err := takeStarter()
		if err != nil {
			return nil, err
		}
		fresh := s.jobs == 0
		s.jobs++
		err = send(s.sock, message, files...)
		if err == nil {
			return s, nil
		}
		s.close()
		if fresh {
			return nil, err
		}
	}
}

// follow copies the output, keeps the time limit, and returns the report.
func (t *task) follow(ctx context.Context) (report, error) {
	undo := context.AfterFunc(ctx, func() { t.order(orderKill) })
	defer func() {
		undo()
		t.orders.Lock()
		defer t.orders.Unlock()
		t.over = true
	}()
	var deadline time.Time
	if t.timeout > 0 {
		deadline = time.Now().Add(t.timeout)
	}
	for {
		ready, err := t.copy(t.starter.sock, deadline)
		switch {
		case err != nil:
			return report{}, err
		case ready:
			return t.finish()
		}
		deadline = t.overdue()
	}
}

// finish reads the report and the remaining output.
func (t *task) finish() (report, error) {
	message, _, err := receive(t.starter.sock, t.starter.buffer[:])
	if err != nil {
		return report{}, err
	}
	r, err := decodeReport(message) // before the buffer is reused
	if err == nil {
		_, err = t.copy(-1, time.Now().Add(drainTime))
	}
	return r, err
}

// copy copies output until it has ended, sock is ready, or the deadline, if any, has
// passed. ready reports the state of sock.
func (t *task) copy(sock int, deadline time.Time) (ready bool, err error) {
	for rest := false; sock != -1 || t.pipes[0] != -1 || t.pipes[1] != -1; {
		// Poll ignores negative files.
		fds := [3]unix.PollFd{
			{Fd: int32(t.pipes[0]), Events: unix.POLLIN}, {Fd: int32(t.pipes[1]), Events: unix.POLLIN}, {Fd: int32(sock), Events: unix.POLLIN},
		}
		left := t.guard.wait()
		if left == 0 && sock != -1 && t.guard.look() {
			t.order(orderKill)
		}
		if !deadline.IsZero() {
			until := time.Until(deadline)
			if until <= 0 {
				return false, nil
			}
			left = min(left, until)
		}
		ts := unix.NsecToTimespec(int64(left))
		limit := &ts
		if rest {
			fds[0].Fd, fds[1].Fd = -1, -1
			ts = unix.NsecToTimespec(int64(dribbleRest))
		}
		if _, err := unix.Ppoll(fds[:], limit, nil); err != nil && err != unix.EINTR {
			return false, os.NewSyscallError("ppoll", err)
		}
		n := 0
		for i := range t.pipes {
			if fds[i].Revents != 0 {
				n += t.read(i)
			}
		}
		if fds[2].Revents != 0 {
			return true, nil
		}
		rest = t.wide && sock != -1 && n > 0 && n < littleOutput
	}
	return false, nil
}

// A Go program writes a line of its collector's trace in forty pieces. Waking up for each
// costs 2 % of a core at 100 lines a second, mostly in the Go runtime's own poller. So if
// little output came, we let a Process print for a moment, into pipes that have room for
// it. This does not apply to Run: its process is measured, and a full pipe would delay
// it.
const (
	littleOutput = 4 << 10 // bytes
	dribbleRest  = 30 * time.Millisecond
	widePipe     = 1 << 20 // bytes; the most that is allowed without privileges
)

// widen makes the pipes wide, and reports whether they are.
func (t *task) widen() bool {
	for _, f := range t.pipes {
		if n, err := unix.FcntlInt(uintptr(f), unix.F_SETPIPE_SZ, widePipe); err != nil || n < widePipe {
			return false
		}
	}
	return true
}

// read copies the available part of output i, and returns its number of bytes.
func (t *task) read(i int) int {
	n, err := unix.Read(t.pipes[i], t.starter.buffer[:])
	if n > 0 {
		_, _ = t.out[i].Write(t.starter.buffer[:n])
		return n
	}
	if err != unix.EINTR {
		_ = unix.Close(t.pipes[i])
		t.pipes[i] = -1
	}
	return 0
}

// overdue orders the end of the task, the second time by force, and returns when to check
// again.
func (t *task) overdue() time.Time {
	if t.timedOut {
		t.order(orderKill)
		return time.Time{}
	}
	t.timedOut = true
	t.order(orderQuit)
	return time.Now().Add(Grace)
}

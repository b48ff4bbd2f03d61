//go:build unix && (!linux || portable)

package child

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// A group is a process group and the process that leads it.
type group struct{ cmd *exec.Cmd }

func startGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{cmd}, nil
}

// obey carries out one order.
func (g *group) obey(o order) {
	if s, ok := signals[o]; ok {
		_ = g.cmd.Process.Signal(s)
	} else {
		g.kill()
	}
}

// signals are the leader's signals; any other order kills.
var signals = map[order]syscall.Signal{orderQuit: syscall.SIGQUIT, orderInterrupt: syscall.SIGINT, orderTerminate: syscall.SIGTERM}

// finish kills the rest of the group after its leader has ended, and waits briefly until
// it is gone: ended processes stay in the group until they are reaped, which is not done
// by us.
func (g *group) finish() {
	pid := g.cmd.Process.Pid
	pause, late := 100*time.Microsecond, time.Now().Add(drainTime)
	for syscall.Kill(-pid, syscall.SIGKILL) == nil && time.Now().Before(late) {
		time.Sleep(pause)
		pause *= 2
	}
}

func (g *group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// await waits until the leader has ended.
func (g *group) await() { g.reap() }

// reap returns how the leader, which has ended, did so.
func (g *group) reap() *os.ProcessState {
	if g.cmd.ProcessState == nil {
		_ = g.cmd.Wait() // its error only repeats the exit status
	}
	return g.cmd.ProcessState
}

func signalOf(s *os.ProcessState) string {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return w.Signal().String()
	}
	return ""
}

// peakRSS returns the largest resident set in bytes, of the leader or of a child that it
// waited for.
func peakRSS(s *os.ProcessState) uint64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return uint64(u.Maxrss)
	}
	return uint64(u.Maxrss) << 10
}

func usageOf(s *os.ProcessState) Usage {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return Usage{}
	}
	return Usage{true, int64(u.Minflt), int64(u.Majflt), int64(u.Nvcsw), int64(u.Nivcsw)}
}

func dup(f *os.File) (*os.File, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), f.Name()), nil
}

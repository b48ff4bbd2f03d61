package trial

import (
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes make the child lead a group of its own and end with its parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// await waits until the leader has ended. It leaves it unreaped, so that the
// group's number belongs to nobody else while the group is killed.
func (g *group) await() {
	for {
		err := unix.Waitid(unix.P_PID, g.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// peakFloor is the peak memory of this process in bytes, 0 where /proc does not
// tell. When a process is replaced by exec, Linux counts the memory it had
// before, which after a fork is that of its parent (setmax_mm_hiwater_rss in
// exec_mmap, fs/exec.c). For the same reason getrusage would not do here: it
// counts the memory of the process that started this one.
func peakFloor() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	kib, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseUint(kib, 10, 64)
	return n << 10
}

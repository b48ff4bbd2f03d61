//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts a command that has not started into a process group of its own and
// makes a cancel reach the whole group: a go command does not pass signals on to the
// compilers and tests that it started.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// EndGroup kills what is left of the group of a command that has ended.
func EndGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inOwnGroup puts a command into a process group of its own and makes a cancel
// reach the whole of it: cmd/bisect does not hand signals on to what it runs.
func inOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

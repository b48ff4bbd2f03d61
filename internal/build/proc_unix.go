//go:build unix

package build

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command into a process group of its own and makes a cancel
// reach the whole of it: the compilers that go started must end too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

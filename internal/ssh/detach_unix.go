//go:build unix

package ssh

import (
	"os/exec"
	"syscall"
)

// detach takes ssh off the terminal: neither a jump host can ask for a password there, nor
// does Ctrl-C end the connection before the program has decided what to do.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup kills a detached command and its children.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

//go:build !unix

package ssh

import "os/exec"

// detach leaves the command as it is.
func detach(*exec.Cmd) {}

// killGroup kills a command.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

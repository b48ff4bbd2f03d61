//go:build !unix

package process

import "os/exec"

// OwnGroup leaves the command as it is: a cancel ends the command alone, and its
// children end when their pipes break.
func OwnGroup(*exec.Cmd) {}

// EndGroup has no group to end.
func EndGroup(*exec.Cmd) {}

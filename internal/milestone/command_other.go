//go:build !unix

package milestone

import "os/exec"

// ownGroup leaves the command as it is: a cancel ends the go command alone,
// and its children end when their pipes break.
func ownGroup(*exec.Cmd) {}

// endGroup has no group to end.
func endGroup(*exec.Cmd) {}

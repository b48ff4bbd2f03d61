//go:build unix && !linux

package trial

import "syscall"

// attributes make the child lead a group of its own.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// await waits until the leader has ended.
func (g *group) await() { g.reap() }

func peakFloor() uint64 { return 0 }

func shrink() {}

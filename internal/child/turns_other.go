//go:build !linux || portable

package child

import "time"

// A turnLink is the connection with what stops and continues a program.
type turnLink struct{}

var noLink turnLink

func (turnLink) turn(time.Duration) bool { return false }

func (turnLink) stands() bool { return false }

func (turnLink) close() {}

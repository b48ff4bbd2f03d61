//go:build !linux || portable

package child

import "time"

// A turnLink would be the connection for turns.
type turnLink struct{}

var noLink turnLink

func (turnLink) turn(time.Duration) bool { return false }

func (turnLink) stands() bool { return false }

func (turnLink) close() {}

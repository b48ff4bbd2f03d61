//go:build !linux || portable

package child

import "context"

// SideBySide is true if processes can take turns at a Turnstile and run in steps.
const SideBySide = false

// A Stepped is a process that runs in steps, which only Linux supports.
type Stepped struct{}

// StartStepped returns ErrNoTurns.
func StartStepped(context.Context, Command) (*Stepped, error) { return nil, ErrNoTurns }

// End does nothing here.
func (*Stepped) End(context.Context) (Exit, error) { return Exit{}, ErrNoTurns }

// Next does nothing here.
func (*Stepped) Next() []byte { return nil }

// Await does nothing here.
func (*Stepped) Await() bool { return false }

// Close does nothing here.
func (*Stepped) Close() {}

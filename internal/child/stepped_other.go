//go:build !linux || portable

package child

import (
	"context"
	"errors"
)

// SideBySide is true if processes can run in steps.
const SideBySide = false

// A Stepped is a process that runs in steps, which only Linux supports.
type Stepped struct{}

// errNoSteps means that this system cannot run processes in steps.
var errNoSteps = errors.New("steps are for Linux only")

// StartStepped returns an error.
func StartStepped(context.Context, Command) (*Stepped, error) { return nil, errNoSteps }

// End does nothing here.
func (*Stepped) End(context.Context) (Exit, error) { return Exit{}, errNoSteps }

// Next does nothing here.
func (*Stepped) Next() []byte { return nil }

// Await does nothing here.
func (*Stepped) Await() bool { return false }

// Close does nothing here.
func (*Stepped) Close() {}

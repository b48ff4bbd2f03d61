//go:build !linux || portable

package trial

import "context"

func (s Slices) run(context.Context) ([]Outcome, error) { return nil, ErrNoSlices }

// SideBySide is true where trials can run side by side.
const SideBySide = false

package host

import (
	"context"
	"os/exec"

	"github.com/seed-1318a441/assay"
)

// A Glance is what a machine says of itself before anything is sent there.
type Glance struct {
	Platform assay.Platform
	// Occupant is the assay that measures there; nil for none.
	Occupant *Occupant
	// Missing are those of the tools that were asked for that are not on its PATH.
	Missing []string
}

// NewGlance looks at this machine, and for programs on its PATH.
func NewGlance(ctx context.Context, tools []string) Glance {
	g := Glance{Platform: Platform(ctx)}
	if o, ok := Occupied(); ok {
		g.Occupant = &o
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			g.Missing = append(g.Missing, tool)
		}
	}
	return g
}

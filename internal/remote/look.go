package remote

import (
	"context"
	"slices"

	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Look returns what a machine says of itself, the version of the assay that answers there,
// and which tools are missing there.
func Look(ctx context.Context, m *Machine, tools []string) (g host.Glance, version string, err error) {
	if err := m.call(ctx, OpLook, tools, &g, nil); err != nil {
		return g, "", err
	}
	g.Platform = CleanPlatform(g.Platform)
	if o := g.Occupant; o != nil {
		o.Command, o.Dir = printable.Line(o.Command, maxName), printable.Line(o.Dir, maxName)
	}
	g.Missing = slices.DeleteFunc(slices.Clone(tools), func(tool string) bool { return !slices.Contains(g.Missing, tool) })
	m.mu.Lock()
	defer m.mu.Unlock()
	return g, printable.Line(m.welcome.Version, maxName), nil
}

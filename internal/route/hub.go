package route

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/remote"
)

// overHub connects to a machine of a hub.
func (o Options) overHub(_ context.Context, h assay.Host) (*remote.Machine, assay.Host, error) {
	return nil, h, assay.NewError(assay.ExitRefused, assay.CodeNoHub, fmt.Sprintf("%s is a machine of a hub, and assay knows of no hub", h.Label), nil,
		"--on=ssh:HOST, for a machine that ssh reaches")
}

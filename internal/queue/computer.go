package queue

import (
	"context"
	"encoding/json"
	"os"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/remote/blob"
)

// A Computer is what an agent serves.
type Computer interface {
	// Handler returns what does the requests of one ticket.
	Handler() (Handler, error)
	// Platform and Welcome say what the computer is.
	Platform(context.Context) assay.Platform
	Welcome(context.Context) (remote.Welcome, error)
	// Glance says how it is now, and which programs are missing.
	Glance(ctx context.Context, tools []string) host.Glance
	// Occupy makes the agent the only one that measures there, until release. It calls
	// busy if it has to wait, once for each assay that measures meanwhile.
	Occupy(ctx context.Context, what string, busy func(string)) (release func() error, err error)
}

// A Handler does requests, like remote.Handler.
type Handler interface {
	Do(ctx context.Context, do remote.Operation, body json.RawMessage, event func(any) error) (any, error)
	Close() error
}

// thisComputer is the computer that the process runs on.
type thisComputer struct{ remote.HandlerOptions }

// ThisComputer returns the computer that this process runs on. self is the path of this
// program.
func ThisComputer(c *cache.Cache, blobs *blob.Store, self string) Computer {
	return thisComputer{remote.HandlerOptions{Cache: c, Blobs: blobs, Self: self}}
}

// Handler implements Computer, as do those below.
func (c thisComputer) Handler() (Handler, error) { return remote.NewHandler(c.HandlerOptions) }

func (c thisComputer) Platform(ctx context.Context) assay.Platform { return host.Platform(ctx) }

func (c thisComputer) Welcome(ctx context.Context) (remote.Welcome, error) {
	one, err := remote.NewHandler(c.HandlerOptions)
	if err != nil {
		return remote.Welcome{}, err
	}
	return one.Welcome(ctx), one.Close()
}

func (c thisComputer) Glance(ctx context.Context, tools []string) host.Glance {
	return host.NewGlance(ctx, tools)
}

func (c thisComputer) Occupy(ctx context.Context, what string, busy func(string)) (func() error, error) {
	dir, _ := os.Getwd()
	me := host.Occupant{PID: os.Getpid(), Command: what, Dir: dir}
	return host.Occupy(ctx, me, func(other host.Occupant) error {
		busy(other.String())
		return nil
	})
}

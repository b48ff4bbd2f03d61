// Package queuetest runs an agent of a made-up computer in the process of a test.
package queuetest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub/hubtest"
	"github.com/seed-1318a441/assay/internal/queue"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/remote/blob"
	"github.com/seed-1318a441/assay/internal/remote/wire"
)

// Finding is what the computer finds of itself.
var Finding = check.Finding{Code: "clock", Level: check.Note, Text: "the clock is slow"}

// A computer is a made-up one, which can only be inspected.
type computer struct{ platform assay.Platform }

func (c computer) Handler() (queue.Handler, error)         { return c, nil }
func (c computer) Platform(context.Context) assay.Platform { return c.platform }
func (c computer) Welcome(context.Context) (remote.Welcome, error) {
	return remote.Welcome{Protocol: wire.Version, Version: assay.Version(), PID: 7}, nil
}
func (c computer) Glance(context.Context, []string) host.Glance {
	return host.Glance{Platform: c.platform}
}
func (c computer) Occupy(context.Context, string, func(string)) (func() error, error) {
	return func() error { return nil }, nil
}
func (c computer) Close() error { return nil }
func (c computer) Do(_ context.Context, do remote.Operation, _ json.RawMessage, _ func(any) error) (any, error) {
	if do != remote.OpInspect {
		return nil, errors.New("a made-up computer does no " + string(do))
	}
	return []check.Finding{Finding}, nil
}

// RunAgent runs an agent of a hub until the test ends. It returns when the hub knows the
// agent. The agent's computer finds Finding, and does nothing else.
func RunAgent(t testing.TB, h *hubtest.Hub, name string, p assay.Platform, labels ...string) {
	t.Helper()
	blobs, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a, err := queue.NewAgent(t.Context(), queue.AgentOptions{Conn: h.Connect(name), Computer: computer{p}, Blobs: blobs, Dir: t.TempDir(), Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := a.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	user := h.Connect("ci")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		members, err := queue.Members(t.Context(), user)
		for _, m := range members {
			if err == nil && m.Name == name {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("the agent of %s does not come", name)
		}
	}
}

// Package hubtest serves a hub in the process of a test.
package hubtest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/hub"
)

// A Hub is a hub that is served in this process. None of its agents runs until a test
// starts one.
type Hub struct {
	Dir    string // the hub's folder
	Folder *hub.Folder
	Server *hub.Server         // the one that serves now
	Joins  map[string]hub.Join // the members' keys, by the members' names
	opt    hub.Options
	stop   func()
	t      testing.TB
}

// New serves a hub with the user ci and agents until the test ends. The hub listens at listen;
// names are those in its certificate.
func New(t testing.TB, listen string, names []string, agents ...string) *Hub {
	t.Helper()
	h := &Hub{t: t, Dir: t.TempDir(), Joins: map[string]hub.Join{}, opt: hub.Options{Listen: listen, Names: names}}
	var err error
	if h.Folder, err = hub.OpenFolder(h.Dir); err != nil {
		t.Fatal(err)
	}
	h.start()
	if err := h.Folder.SetURLs(h.Server.URLs()); err != nil {
		t.Fatal(err)
	}
	h.add(hub.RoleUser, "ci")
	for _, a := range agents {
		h.add(hub.RoleAgent, a)
	}
	h.serve()
	return h
}

// NewLoopback serves a hub at a free port of this computer alone.
func NewLoopback(t testing.TB, agents ...string) *Hub {
	t.Helper()
	return New(t, "127.0.0.1:0", nil, agents...)
}

func (h *Hub) add(role hub.Role, name string) {
	h.t.Helper()
	j, err := h.Folder.Add(role, name, nil, "", time.Now())
	if err != nil {
		h.t.Fatal(err)
	}
	h.Joins[name] = j
}

// start has the server listen, from now on always at the same address.
func (h *Hub) start() {
	h.t.Helper()
	var err error
	if h.Server, err = hub.Start(h.Folder, h.opt); err != nil {
		h.t.Fatal(err)
	}
	_, h.opt.Listen, _ = strings.Cut(h.Server.URLs()[0], "//")
}

// serve returns when the server is ready.
func (h *Hub) serve() {
	h.t.Helper()
	server := h.Server
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(ctx, func() { close(ready) }); err != nil {
			h.t.Error(err)
		}
	}()
	<-ready
	h.stop = sync.OnceFunc(func() { cancel(); <-done; server.Close() })
	h.t.Cleanup(h.stop)
}

// Stop ends the server.
func (h *Hub) Stop() { h.stop() }

// Restart starts a server at the address of the one that was stopped, on loopback.
func (h *Hub) Restart() {
	h.t.Helper()
	h.start()
	h.serve()
}

// JoinFile writes the join file of a member, and returns its path.
func (h *Hub) JoinFile(member string) string {
	h.t.Helper()
	file := filepath.Join(h.t.TempDir(), member+hub.JoinSuffix)
	if err := hub.WriteJoin(file, h.Joins[member]); err != nil {
		h.t.Fatal(err)
	}
	return file
}

// Connect connects as a member.
func (h *Hub) Connect(member string) *hub.Conn {
	h.t.Helper()
	c, err := hub.Connect(h.Joins[member], false, func(string) {})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(c.Close)
	return c
}

// PutState stores what an agent says of itself, without an agent.
func (h *Hub) PutState(agent string, state any) {
	h.t.Helper()
	data, err := h.Joins[agent].Seal(hub.AboutState, state)
	if err != nil {
		h.t.Fatal(err)
	}
	h.Put(agent, hub.BucketMachines, agent, data)
}

// Put has a member store the value of a key.
func (h *Hub) Put(member, bucket, key string, value []byte) {
	h.t.Helper()
	if err := h.Connect(member).SetKey(h.t.Context(), bucket, key, value); err != nil {
		h.t.Fatal(err)
	}
}

// Settings makes a folder of settings for a test, and returns the path of the own join file
// in it.
func Settings(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", t.TempDir())
	if err := os.Mkdir(filepath.Join(dir, "assay"), 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "assay", "hub.join")
}

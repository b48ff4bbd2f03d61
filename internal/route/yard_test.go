package route

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/blob"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/queue"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/wire"
)

// A yard is a hub that is served in this process, with the user ci and some agents, none of
// which is there yet.
type yard struct {
	testing.TB
	folder *hub.Folder
	joins  map[string]hub.Join
}

// newYard serves a hub at an address.
func newYard(t testing.TB, opt hub.Options, agents ...string) *yard {
	t.Helper()
	y := &yard{TB: t, joins: map[string]hub.Join{}}
	var err error
	if y.folder, err = hub.OpenFolder(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	server, err := hub.Start(y.folder, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := y.folder.SetURLs(server.URLs()); err != nil {
		t.Fatal(err)
	}
	y.join(hub.RoleUser, "ci")
	for _, a := range agents {
		y.join(hub.RoleAgent, a)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(ctx, func() { close(ready) }); err != nil {
			t.Error(err)
		}
	}()
	<-ready
	t.Cleanup(func() { cancel(); <-done; server.Close() })
	return y
}

func (y *yard) join(role hub.Role, name string) {
	y.Helper()
	j, err := y.folder.Add(role, name, nil, "", time.Now())
	if err != nil {
		y.Fatal(err)
	}
	y.joins[name] = j
}

// file writes the join file of a member, and returns its path.
func (y *yard) file(name string) string {
	y.Helper()
	file := filepath.Join(y.TempDir(), name+hub.JoinSuffix)
	if err := hub.WriteJoin(file, y.joins[name]); err != nil {
		y.Fatal(err)
	}
	return file
}

// connect connects as a member.
func (y *yard) connect(name string) *hub.Conn {
	y.Helper()
	c, err := hub.Connect(y.joins[name], false, func(string) {})
	if err != nil {
		y.Fatal(err)
	}
	y.Cleanup(c.Close)
	return c
}

// claims has an agent say what it is, and claim every ticket of a pool that it hears of.
func (y *yard) claims(s queue.State) {
	y.Helper()
	c := y.connect(s.Name)
	_, err := c.Subscribe(hub.SubjectEntries(s.Name), func(m *nats.Msg) {
		var t queue.Ticket
		if json.Unmarshal(m.Data, &t) != nil || !t.Pool {
			return
		}
		if err := c.Create(context.Background(), hub.SubjectClaim(t.ID), []byte(s.Name)); err != nil && !errors.Is(err, hub.ErrTaken) {
			y.Error(err)
		}
	})
	if err == nil {
		err = c.Flush()
	}
	var data []byte
	if err == nil {
		data, err = c.Join.Seal(hub.AboutState, s)
	}
	if err == nil {
		err = c.SetKey(y.Context(), hub.BucketMachines, s.Name, data)
	}
	if err != nil {
		y.Fatal(err)
	}
}

// A desk is a made-up computer, which finds that its clock is slow.
type desk struct{ platform assay.Platform }

func (d desk) Handler() (queue.Handler, error)         { return d, nil }
func (d desk) Platform(context.Context) assay.Platform { return d.platform }
func (d desk) Welcome(context.Context) (remote.Welcome, error) {
	return remote.Welcome{Protocol: wire.Version, Version: assay.Version(), PID: 7}, nil
}
func (d desk) Glance(context.Context, []string) host.Glance { return host.Glance{Platform: d.platform} }
func (d desk) Occupy(context.Context, string, func(string)) (func() error, error) {
	return func() error { return nil }, nil
}
func (d desk) Close() error { return nil }
func (d desk) Do(_ context.Context, do remote.Operation, _ json.RawMessage, _ func(any) error) (any, error) {
	if do != remote.OpInspect {
		return nil, errors.New("a desk does no " + string(do))
	}
	return []host.Finding{{Code: "clock", Level: host.Note, Text: "the clock is slow"}}, nil
}

// works starts the agent of a made-up computer.
func (y *yard) works(name string, p assay.Platform, labels ...string) {
	y.Helper()
	blobs, err := blob.Open(y.TempDir())
	if err != nil {
		y.Fatal(err)
	}
	c := y.connect(name)
	a, err := queue.NewAgent(y.Context(), queue.AgentOptions{Conn: c, Computer: desk{p}, Blobs: blobs, Dir: y.TempDir(), Labels: labels})
	if err != nil {
		y.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := a.Run(ctx); err != nil {
			y.Error(err)
		}
	}()
	y.Cleanup(func() { cancel(); <-done })
	user := y.connect("ci")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		members, err := queue.Members(y.Context(), user)
		for _, m := range members {
			if err == nil && m.Name == name {
				return
			}
		}
		if time.Now().After(deadline) {
			y.Fatalf("the agent of %s does not come", name)
		}
	}
}

// A talk is what was said to the user.
type talk struct {
	mu   sync.Mutex
	said []string
}

func (t *talk) say(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.said = append(t.said, text)
}

func (t *talk) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.said, "\n")
}

package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/hub/hubtest"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/remote/blob"
)

// A yard is a hub with members, in this process.
type yard struct {
	testing.TB
	*hubtest.Hub
}

// newYard serves a hub with the user ci and some agents.
func newYard(t testing.TB, agents ...string) *yard {
	t.Helper()
	return &yard{t, hubtest.NewLoopback(t, agents...)}
}

// A desk is a made-up computer. Its handlers do made-up work.
type desk struct {
	name string
	// block is what happens in a block; nil ends it at once with one trial.
	block func(ctx context.Context, attempt int, event func(any) error) error

	mu  sync.Mutex
	log []string // requests, in the order in which they were done
}

func (d *desk) Handler() (Handler, error) { return &clerk{desk: d}, nil }
func (d *desk) Platform(context.Context) assay.Platform {
	return assay.Platform{ID: d.name, GOOS: "linux"}
}
func (d *desk) Welcome(context.Context) (remote.Welcome, error) { return remote.Welcome{PID: 7}, nil }
func (d *desk) Glance(_ context.Context, tools []string) host.Glance {
	return host.Glance{Missing: tools}
}
func (d *desk) Occupy(context.Context, string, func(string)) (func() error, error) {
	return func() error { return nil }, nil
}

func (d *desk) done(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, what)
}

func (d *desk) did() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.log, " ")
}

// A clerk does the requests of one ticket.
type clerk struct {
	*desk
	closed bool
}

func (c *clerk) Close() error { c.closed = true; return nil }

func (c *clerk) Do(ctx context.Context, do remote.Operation, body json.RawMessage, event func(any) error) (any, error) {
	switch do {
	case remote.OpBlock:
		b, err := remote.BlockOf(body)
		if err != nil {
			return nil, err
		}
		c.done(fmt.Sprintf("block%d.%d", b.Index, b.Attempt))
		if c.block != nil {
			return nil, c.block(ctx, b.Attempt, event)
		}
		return nil, event(map[string]int{"attempt": b.Attempt})
	case remote.OpRun:
		c.done("run")
		var n int
		if json.Unmarshal(body, &n) == nil && n > 0 {
			return strings.Repeat("r", n), nil
		}
		return "ran", nil
	case remote.OpLink:
		c.done("link")
		return map[string]string{"ID": "made"}, nil
	case remote.OpCheck:
		return nil, assay.UsageError(assay.CodeNoProgram, "there is no program x", "")
	}
	c.done(string(do))
	return nil, nil
}

// A working is a running agent.
type working struct {
	*Agent
	dir  string
	kill func() // ends it, and waits for that
}

// agent starts an agent of a computer. dir is "" for a new one.
func (y *yard) agent(d *desk, dir string) *working {
	y.Helper()
	c, err := hub.Connect(y.Joins[d.name], true, func(string) {})
	if err != nil {
		y.Fatal(err)
	}
	if dir == "" {
		dir = y.TempDir()
	}
	blobs, err := blob.Open(filepath.Join(dir, "blob"))
	if err != nil {
		y.Fatal(err)
	}
	a, err := NewAgent(y.Context(), AgentOptions{Conn: c, Computer: d, Blobs: blobs, Dir: dir, Labels: []string{"quiet"}})
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
	kill := sync.OnceFunc(func() { cancel(); <-done; c.Close() })
	y.Cleanup(kill)
	until(y.TB, "the agent of "+d.name, func() bool {
		members, err := Members(y.Context(), y.user())
		for _, m := range members {
			if err == nil && m.Name == d.name && m.Instance == a.instance {
				return true
			}
		}
		return false
	})
	return &working{a, dir, kill}
}

// user connects as ci.
func (y *yard) user() *hub.Conn { return y.Connect("ci") }

// A submission is a link, with what it has said.
type submission struct {
	*Link
	t testing.TB

	blocks int

	mu   sync.Mutex
	said []string
}

func (y *yard) submit(machine string, change func(*LinkOptions)) *submission {
	y.Helper()
	s := &submission{t: y.TB}
	opt := LinkOptions{Conn: y.user(), Machine: machine, Study: "codec", Dir: filepath.Join(y.TempDir(), "link"), Say: func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.said = append(s.said, text)
	}}
	if change != nil {
		change(&opt)
	}
	l, err := NewLink(y.Context(), opt)
	if err != nil {
		y.Fatal(err)
	}
	y.Cleanup(func() { l.Close() })
	s.Link = l
	return s
}

// plan tells the agent of a plan whose run is called uid.
func (s *submission) plan(uid string) {
	s.t.Helper()
	if err := s.Call(s.t.Context(), remote.OpPlan, map[string]any{"Hash": "h", "Plan": assay.Plan{UID: uid}}, nil, nil); err != nil {
		s.t.Fatal(err)
	}
}

// run runs a block, and returns the attempts of its trials.
func (s *submission) run(ctx context.Context, index, attempt int) (attempts []int, err error) {
	body := map[string]any{"Plan": "h", "Index": index, "Attempt": attempt}
	err = s.Call(ctx, remote.OpBlock, body, nil, func(data json.RawMessage) error {
		var e struct{ Attempt int }
		err := json.Unmarshal(data, &e)
		attempts = append(attempts, e.Attempt)
		return err
	})
	return attempts, err
}

func (s *submission) mustRun(index int, want ...int) {
	s.t.Helper()
	got, err := s.run(s.t.Context(), index, 1)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Errorf("block %d: got the trials of attempts %v, %v, want %v", index, got, err, want)
	}
}

func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", what)
		}
	}
}

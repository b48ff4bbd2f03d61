package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/remote"
)

// A link tells the agent of everything before the first job, once, and each job does what
// it is asked for.
func TestLink(t *testing.T) {
	y := newYard(t, "m4")
	d := &desk{name: "m4"}
	a := y.agent(d, "")
	s := y.submit("m4", nil)
	ctx := t.Context()
	var w remote.Welcome
	if err := s.Call(ctx, remote.OpHello, map[string]any{}, &w, nil); err != nil || w.PID != 7 {
		t.Errorf("got %+v, %v, want the welcome of m4", w, err)
	}
	var p assay.Platform
	if err := s.Call(ctx, remote.OpPlatform, nil, &p, nil); err != nil || p.ID != "m4" {
		t.Errorf("got %+v, %v, want the platform of m4", p, err)
	}
	var g host.Glance
	if err := s.Call(ctx, remote.OpLook, []string{"wrk"}, &g, nil); err != nil || len(g.Missing) != 1 {
		t.Errorf("got %+v, %v, want a glance", g, err)
	}
	if err := s.Call(ctx, remote.OpStudy, map[string]any{}, nil, nil); err != nil {
		t.Error(err)
	}
	var ran string
	if err := s.Call(ctx, remote.OpRun, 0, &ran, nil); err != nil || ran != "ran" {
		t.Errorf("got %q, %v", ran, err)
	}
	err := s.Call(ctx, remote.OpCheck, "h", nil, nil)
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoProgram {
		t.Errorf("got %v, want the agent's error", err)
	}
	s.plan("run1")
	s.mustRun(1, 1)
	s.mustRun(2, 1)
	if got, want := d.did(), "study run plan block1.1 block2.1"; got != want {
		t.Errorf("the agent did %q, want %q", got, want)
	}
	until(t, "that the agent drops the first result", func() bool { return len(a.spool.all()) == 1 })
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	until(t, "that the agent forgets the ticket", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.handlers) == 0 && len(a.turns.waiting) == 0
	})
}

// Results and requests that are larger than a message go in pieces.
func TestLarge(t *testing.T) {
	y := newYard(t, "m4")
	y.agent(&desk{name: "m4"}, "")
	s := y.submit("m4", nil)
	n := 3*hub.MaxInline + 17
	var got string
	if err := s.Call(t.Context(), remote.OpRun, n, &got, nil); err != nil || len(got) != n {
		t.Errorf("got %d bytes, %v, want %d", len(got), err, n)
	}
	if err := s.Call(t.Context(), remote.OpRun, strings.Repeat("q", n), &got, nil); err != nil || got != "ran" {
		t.Errorf("got %.20q, %v, want that a large request is done", got, err)
	}
}

// Another process of an agent is told what the first one was told, before the next job.
// Links that were dropped meanwhile it does not make.
func TestJournal(t *testing.T) {
	y := newYard(t, "m4")
	d := &desk{name: "m4"}
	first := y.agent(d, "")
	s := y.submit("m4", nil)
	for range 2 {
		if err := s.Call(t.Context(), remote.OpLink, 0, &struct{}{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.plan("run1")
	s.mustRun(1, 1)
	first.kill()
	next := &desk{name: "m4"}
	y.agent(next, first.dir)
	s.mustRun(2, 1)
	if err := s.Call(t.Context(), remote.OpDrop, []string{"made"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	s.mustRun(3, 1)
	if got, want := d.did()+" | "+next.did(), "link link plan block1.1 | link link plan block2.1 drop block3.1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An agent that ends in a block gives it back; its next process does it as the next
// attempt, in a fresh order.
func TestAgentEnds(t *testing.T) {
	y := newYard(t, "m4")
	running := make(chan struct{})
	d := &desk{name: "m4", block: func(ctx context.Context, attempt int, event func(any) error) error {
		close(running)
		<-ctx.Done()
		return ctx.Err()
	}}
	first := y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	go func() {
		<-running
		first.kill()
		y.agent(&desk{name: "m4"}, first.dir)
	}()
	s.mustRun(1, 2)
}

// An agent that ends between the result of a job and the end of it leaves the job in the queue:
// the next one waits for it to go, but not for longer than for a machine that is away.
func TestAgentLeavesAJob(t *testing.T) {
	y := newYard(t, "m4")
	a := y.agent(&desk{name: "m4"}, "")
	s := y.submit("m4", func(opt *LinkOptions) { opt.Patience = time.Second })
	s.plan("run1")
	a.kill()
	data, err := json.Marshal(Job{Name: "left"})
	if err == nil {
		err = s.opt.Conn.Enqueue(t.Context(), "m4", s.ticket.ID, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.run(t.Context(), 1, 1)
	errortest.Want(t, err, assay.CodeMachineLost, assay.ExitRefused)
}

// A result is committed once. A submitter that died before it had it finds it: nothing
// runs twice.
func TestSubmitterDies(t *testing.T) {
	y := newYard(t, "m4")
	d := &desk{name: "m4"}
	running, release := make(chan struct{}), make(chan struct{})
	d.block = func(ctx context.Context, attempt int, event func(any) error) error {
		close(running)
		<-release
		return event(map[string]int{"attempt": attempt})
	}
	y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	go s.run(context.Background(), 1, 1) // its process is gone before it returns
	<-running
	s.stop()
	s.opt.Conn.Close()
	close(release)
	again := y.submit("m4", nil)
	again.plan("run1")
	again.mustRun(1, 1)
	if got := d.did(); got != "plan block1.1" {
		t.Errorf("the agent did %q, want the block once", got)
	}
}

// A submitter that is cancelled withdraws its job.
func TestWithdraw(t *testing.T) {
	y := newYard(t, "m4")
	running := make(chan struct{})
	d := &desk{name: "m4", block: func(ctx context.Context, attempt int, event func(any) error) error {
		if attempt == 1 {
			close(running)
			<-ctx.Done()
			return ctx.Err()
		}
		return event(map[string]int{"attempt": attempt})
	}}
	y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-running; cancel() }()
	if _, err := s.run(ctx, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
	if got, err := s.run(t.Context(), 1, 2); err != nil || fmt.Sprint(got) != "[2]" {
		t.Errorf("got %v, %v, want attempt 2", got, err)
	}
}

// Of two agents of one machine the late one is refused: the first commit counts.
func TestFence(t *testing.T) {
	y := newYard(t, "m4")
	a := y.agent(&desk{name: "m4"}, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	s.mustRun(1, 1)
	k := a.spool.all()[0]
	late := k
	late.Commit.Attempt, late.Commit.Agent = 9, "zombie"
	if err := a.offer(t.Context(), late); !errors.Is(err, hub.ErrTaken) {
		t.Errorf("got %v, want that the late commit is refused", err)
	}
	c, err := s.committed(t.Context(), &Job{Run: k.Commit.Run, Name: k.Commit.Job})
	if err != nil || c.Attempt != 1 || c.Agent != a.instance {
		t.Errorf("got %+v, %v, want the first commit", c, err)
	}
}

// A hub whose disk is wiped loses nothing: the submitter publishes its job again, the
// agent commits from its spool what was lost.
func TestHubWiped(t *testing.T) {
	t.Parallel()
	y := newYard(t, "m4")
	d := &desk{name: "m4"}
	y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	s.mustRun(1, 1)
	y.wipe()
	y.met("m4")
	until(t, "the result that the hub has lost", func() bool { return y.commits() == 1 })
	again := y.submit("m4", nil)
	again.plan("run1")
	again.mustRun(1, 1) // which the submitter has not appended, say
	s.mustRun(2, 1)
	if got, want := strings.Count(d.did(), "block1"), 1; got != want {
		t.Errorf("the agent did block 1 %d times, want once: %s", got, d.did())
	}
}

// wipe ends the hub, removes what it has stored, and starts it again.
func (y *yard) wipe() {
	y.Helper()
	y.Stop()
	if err := disk.RemoveAll(filepath.Join(y.Dir, "store")); err != nil {
		y.Fatal(err)
	}
	y.Restart()
}

// commits returns how many results the hub has.
func (y *yard) commits() uint64 {
	y.Helper()
	x, err := y.user().JS.Stream(y.Context(), hub.StreamDone)
	if err != nil {
		y.Fatal(err)
	}
	return x.CachedInfo().State.Msgs
}

// met waits until an agent has found a hub that was wiped.
func (y *yard) met(machine string) {
	y.Helper()
	c := y.user()
	until(y.TB, "the state of "+machine, func() bool {
		_, _, err := c.Key(y.Context(), hub.BucketMachines, machine)
		return err == nil
	})
}

// A hub that goes away in a block gets its result when it is back.
func TestHubAway(t *testing.T) {
	t.Parallel()
	y := newYard(t, "m4")
	running, release := make(chan struct{}), make(chan struct{})
	d := &desk{name: "m4", block: func(ctx context.Context, attempt int, event func(any) error) error {
		close(running)
		<-release
		return event(map[string]int{"attempt": attempt})
	}}
	y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	go func() {
		<-running
		y.Stop()
		close(release)
		y.Restart()
	}()
	s.mustRun(1, 1)
}

// Files that a hub has lost before the agent had them are sent again.
func TestLackingFile(t *testing.T) {
	t.Parallel()
	y := newYard(t, "m4")
	d := &desk{name: "m4"}
	a := y.agent(d, "")
	s := y.submit("m4", nil)
	content := bytes.Repeat([]byte("of a tree "), 100_000)
	file := filepath.Join(t.TempDir(), "tree")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err := disk.Digest(file)
	if err != nil {
		t.Fatal(err)
	}
	f := remote.File{Sum: sum, Size: int64(len(content))}
	if lacking, err := s.Lacks(t.Context(), []remote.File{f}); err != nil || len(lacking) != 1 {
		t.Errorf("got %v, %v, want that it is lacking", lacking, err)
	}
	if err := s.Put(t.Context(), f, file); err != nil {
		t.Fatal(err)
	}
	if lacking, err := s.Lacks(t.Context(), []remote.File{f}); err != nil || len(lacking) != 0 {
		t.Errorf("got %v, %v, want that the hub has it", lacking, err)
	}
	y.wipe()
	y.met("m4")
	if err := s.Call(t.Context(), remote.OpStudy, map[string]any{"Tree": f}, nil, nil); err != nil {
		t.Fatal(err)
	}
	s.plan("run1")
	s.mustRun(1, 1)
	if !a.opt.Blobs.Has(f.Sum, f.Size) {
		t.Error("the agent does not have the file")
	}
	// What the agent has is not sent, whether the hub has it or not.
	other := y.submit("m4", nil)
	y.wipe()
	y.met("m4")
	if lacking, err := other.Lacks(t.Context(), []remote.File{f}); err != nil || len(lacking) != 0 {
		t.Errorf("got %v, %v, want that the agent has it", lacking, err)
	}
}

// A file that neither the link nor anybody else can give has to be sent anew.
func TestLostFile(t *testing.T) {
	y := newYard(t, "m4")
	y.agent(&desk{name: "m4"}, "")
	s := y.submit("m4", nil)
	if err := s.Call(t.Context(), remote.OpStudy, map[string]any{"Tree": remote.File{Sum: strings.Repeat("a", 64), Size: 1}}, nil, nil); err != nil {
		t.Fatal(err)
	}
	s.plan("run1")
	if _, err := s.run(t.Context(), 1, 1); !errors.Is(err, lab.ErrLost) {
		t.Errorf("got %v, want that the machine has to be connected anew", err)
	}
}

// A job that ends its agent again and again is given up.
func TestDeadly(t *testing.T) {
	y := newYard(t, "m4")
	deaths := make(chan struct{}, 100)
	d := &desk{name: "m4", block: func(ctx context.Context, attempt int, event func(any) error) error {
		deaths <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}}
	a := y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-deaths:
				a.kill()
				a = y.agent(d, a.dir)
			}
		}
	}()
	_, err := s.run(t.Context(), 1, 1)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the agent of m4 has begun the same job %d times and never ended it", hub.Deliveries)) {
		t.Errorf("got %v, want that it is given up", err)
	}
}

// The first idle machine of a pool claims its ticket; what waits at the others goes.
func TestClaim(t *testing.T) {
	y := newYard(t, "m4", "box")
	block := make(chan struct{})
	busy := &desk{name: "m4", block: func(context.Context, int, func(any) error) error { <-block; return nil }}
	y.agent(busy, "")
	y.agent(&desk{name: "box"}, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	go s.run(context.Background(), 1, 1)
	until(t, "the block", func() bool { return strings.Contains(busy.did(), "block") })
	conn := y.user()
	machine, id, err := Claim(t.Context(), []string{"m4", "box"}, LinkOptions{Conn: conn, Study: "codec"}, func() {})
	if err != nil || machine != "box" {
		t.Fatalf("got %s, %v, want box", machine, err)
	}
	close(block)
	of := y.submit("box", func(o *LinkOptions) { o.ID = id })
	of.plan("run2")
	of.mustRun(1, 1)
	members, err := Members(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		for _, ticket := range m.Queue {
			if (ticket.ID == id) != (m.Name == "box") || ticket.Pool {
				t.Errorf("%s has %+v in its queue", m.Name, ticket)
			}
		}
	}
}

// A machine that drains finishes its job and begins none, also after a restart.
func TestAgentDrains(t *testing.T) {
	t.Parallel()
	y := newYard(t, "m4")
	d := &desk{name: "m4"}
	a := y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	s.mustRun(1, 1)
	conn := y.user()
	if err := Drain(t.Context(), conn, "m4", false); err != nil {
		t.Fatal(err)
	}
	a.kill()
	y.agent(d, a.dir)
	go func() {
		until(t, "that the submitter hears why it waits", func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return strings.Contains(strings.Join(s.said, "\n"), "m4 is draining: it begins nothing before somebody types: assay machines resume m4")
		})
		if err := Drain(context.Background(), conn, "m4", true); err != nil {
			t.Error(err)
		}
	}()
	s.mustRun(2, 1)
}

// What is wrong with a machine is known before anything is sent there.
func TestMeet(t *testing.T) {
	y := newYard(t, "m4", "old")
	link := func(machine string) error {
		l, err := NewLink(t.Context(), LinkOptions{Conn: y.user(), Machine: machine, Dir: filepath.Join(t.TempDir(), "l"), Say: func(string) {}})
		if err == nil {
			l.Close()
		}
		return err
	}
	for _, machine := range []string{"m4", "nobody"} {
		if err := link(machine); err == nil || !strings.Contains(err.Error(), "no agent of "+machine+" has ever joined the hub") {
			t.Errorf("got %v, want that %s is unknown", err, machine)
		}
	}
	y.agent(&desk{name: "m4"}, "")
	if err := link("m4"); err != nil {
		t.Error(err)
	}
	y.PutState("old", State{Protocol: Protocol, Name: "old", Version: "v0.1", Clock: time.Now()})
	if err := link("old"); err == nil || !strings.Contains(err.Error(), "the agent of old is another version of assay") {
		t.Errorf("got %v, want that it is another version", err)
	}
	y.PutState("old", State{Protocol: Protocol, Name: "old", Version: assay.Version(), Clock: time.Now().Add(-time.Hour)})
	if s := y.submit("old", nil); len(s.said) != 1 || !strings.HasPrefix(s.said[0], "assay: the clock of old is wrong by 1h0m0s") {
		t.Errorf("got %q, want that its clock is wrong", s.said)
	}
	l, err := NewLink(t.Context(), LinkOptions{Conn: y.user(), Machine: "m4", Dir: filepath.Join(t.TempDir(), "l"), Say: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	err = l.Call(t.Context(), remote.OpHello, map[string]any{"Pass": []string{"PGHOST"}}, nil, nil)
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeAgentPass {
		t.Errorf("got %v, want that the agent does not pass PGHOST", err)
	}
}

// An exclusive study keeps the machine between its blocks; others wait, and hear for whom.
func TestExclusive(t *testing.T) {
	y := newYard(t, "m4")
	d := &desk{name: "m4"}
	y.agent(d, "")
	first := y.submit("m4", func(o *LinkOptions) { o.Exclusive, o.Study = true, "alone" })
	first.plan("run1")
	first.mustRun(1, 1)
	other := y.submit("m4", nil)
	other.plan("run2")
	done := make(chan error)
	go func() {
		_, err := other.run(t.Context(), 7, 1)
		done <- err
	}()
	for i := 2; i <= 4; i++ {
		first.mustRun(i, 1)
	}
	if got := d.did(); strings.Contains(got, "block7") {
		t.Errorf("the other one was served: %s", got)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// What a block has failed with is not the result of the next try, which another process
// of the submitter is.
func TestFaultIsNoResult(t *testing.T) {
	y := newYard(t, "m4")
	failed := false
	d := &desk{name: "m4", block: func(_ context.Context, attempt int, event func(any) error) error {
		if !failed {
			failed = true
			return errors.New("it fails once")
		}
		return event(map[string]int{"attempt": attempt})
	}}
	y.agent(d, "")
	first := y.submit("m4", nil)
	first.plan("run1")
	if _, err := first.run(t.Context(), 1, 1); err == nil || err.Error() != "it fails once" {
		t.Errorf("got %v, want the agent's error", err)
	}
	again := y.submit("m4", nil)
	again.plan("run1")
	again.mustRun(1, 1)
}

// A user can have the hub deliver what lies there on any subject. What the machine's agent has
// not signed is no result, nor is that of another machine or another job.
func TestForgedResult(t *testing.T) {
	t.Parallel()
	y := newYard(t, "m4", "box")
	y.agent(&desk{name: "m4"}, "")
	y.agent(&desk{name: "box"}, "")
	user := y.user()
	of := func(machine string) string {
		s := y.submit(machine, nil)
		s.plan("run" + machine)
		s.mustRun(1, 1)
		x, err := user.JS.Stream(t.Context(), hub.StreamDone)
		if err != nil {
			t.Fatal(err)
		}
		info, err := x.Info(t.Context(), jetstream.WithSubjectFilter("done."+machine+".>"))
		if err != nil {
			t.Fatal(err)
		}
		for subject := range info.State.Subjects {
			return subject
		}
		t.Fatalf("%s has committed nothing", machine)
		return ""
	}
	genuine := of("m4")
	data, _, err := user.Get(t.Context(), hub.StreamDone, genuine)
	if err != nil {
		t.Fatal(err)
	}
	forged := []byte(`{"said":{"protocol":2,"run":"runbox","job":"JOB","attempt":1,"digest":"","result":{}},"key":"","badge":"","signature":""}`)
	for name, message := range map[string][]byte{"of another machine": data, "unsigned": forged} {
		sum := fmt.Sprintf("%064x", len(message))
		if err := user.Put(t.Context(), hub.SubjectPiece(sum, 0), message); err != nil {
			t.Fatal(err)
		}
		s := y.submit("box", nil)
		s.plan("run" + strings.ReplaceAll(name, " ", ""))
		body, err := json.Marshal(map[string]any{"Plan": "h", "Index": 1, "Attempt": 1})
		if err != nil {
			t.Fatal(err)
		}
		job, err := s.describe(remote.OpBlock, body)
		if err != nil {
			t.Fatal(err)
		}
		get := "$JS.API.DIRECT.GET." + hub.StreamBlobs + "." + hub.SubjectPiece(sum, 0)
		if err := user.PublishMsg(&nats.Msg{Subject: get, Reply: hub.SubjectDone("box", job.Run, job.Name)}); err != nil {
			t.Fatal(err)
		}
		until(t, "the forged result", func() bool {
			_, _, err := user.Get(t.Context(), hub.StreamDone, hub.SubjectDone("box", job.Run, job.Name))
			return err == nil
		})
		_, err = s.run(t.Context(), 1, 1)
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeAgentReport || !strings.Contains(strings.Join(e.Facts, " "), hub.ErrForged.Error()) {
			t.Errorf("%s: got %v, want that it is not signed by the agent", name, err)
		}
	}
}

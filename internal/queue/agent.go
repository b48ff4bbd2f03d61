package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/remote/blob"
)

// AgentOptions say what an agent serves, and for whom.
type AgentOptions struct {
	Conn     *hub.Conn
	Computer Computer
	// Blobs has the files that were fetched from the hub, at most Keep bytes of those that
	// are not in use; 0 is blob.Limit.
	Blobs *blob.Store
	Keep  int64
	// Dir is where the agent keeps results until they are in a record.
	Dir string
	// Labels are words that pools ask for, Tools programs of its PATH, Pass the variables
	// of its environment that trials get.
	Labels, Tools, Pass []string
	// Say tells the operator what happens; it may be nil.
	Say func(string)
}

// An Agent serves one machine: it does one job at a time, of the ticket whose turn it is.
type Agent struct {
	opt      AgentOptions
	name     string
	instance string
	spool    *spool
	welcome  remote.Welcome
	wake     chan struct{}
	changed  chan struct{} // the agent serves another ticket

	// platform is the computer's as it was at lookedAt.
	platform assay.Platform
	lookedAt time.Time
	sweptAt  time.Time

	mu        sync.Mutex
	turns     *turns
	consumers map[string]jetstream.Consumer
	handlers  map[string]*served
	claimed   map[string]bool // tickets of pools that this machine has taken
	woken     time.Time       // when a job was last announced
	wokenFor  string          // the ticket that it is of
	draining  bool
	serving   string // the ticket whose job runs
	running   string // the job
	cancel    context.CancelCauseFunc
}

// served is a ticket that has had jobs here.
type served struct {
	Handler
	done map[int]bool // entries of its journal, by number
}

// NewAgent returns an agent, which Run starts.
func NewAgent(ctx context.Context, opt AgentOptions) (*Agent, error) {
	if opt.Say == nil {
		opt.Say = func(string) {}
	}
	a := &Agent{opt: opt, name: opt.Conn.Join.Name, instance: rand.Text()[:12], wake: make(chan struct{}, 1), changed: make(chan struct{}, 1), turns: newTurns(time.Now),
		consumers: map[string]jetstream.Consumer{}, handlers: map[string]*served{}, claimed: map[string]bool{}}
	var err error
	if a.spool, err = openSpool(filepath.Join(opt.Dir, "spool")); err != nil {
		return nil, err
	}
	a.draining = disk.IsFile(a.drainFile())
	a.welcome, err = opt.Computer.Welcome(ctx)
	a.look(ctx)
	return a, err
}

// idleWait is how long an agent waits for a sign of work before it looks by itself.
const idleWait = 2 * time.Second

// Run serves until ctx ends. A job that runs then is given back.
func (a *Agent) Run(ctx context.Context) error {
	defer a.closeAll()
	for subject, take := range map[string]nats.MsgHandler{hub.SubjectControl(a.name): a.control, hub.SubjectEntries(a.name): a.entry} {
		sub, err := a.opt.Conn.Subscribe(subject, take)
		if err != nil {
			return fmt.Errorf("listen on %s: %w", subject, err)
		}
		defer sub.Unsubscribe()
	}
	a.giveBack()
	again := make(chan struct{}, 1)
	a.opt.Conn.SetReconnectHandler(func(*nats.Conn) { signal(again) })
	signal(again)
	beat := time.NewTicker(hub.Beat)
	defer beat.Stop()
	var beats sync.WaitGroup
	beats.Go(func() {
		defer fault.Exit()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
				a.state(ctx)
			case <-a.changed:
				a.state(ctx)
				select { // blocks may be short
				case <-ctx.Done():
				case <-time.After(stateEvery):
				}
			case <-again:
				if at := a.opt.Conn.ConnectedUrlRedacted(); at != "" { // else it is away again
					a.opt.Say("assay: connected to the hub at " + at)
					a.hello(ctx)
				}
			}
		}
	})
	defer beats.Wait()
	for ctx.Err() == nil {
		wait := a.turn(ctx)
		if wait <= 0 {
			continue
		}
		select {
		case <-ctx.Done():
		case <-a.wake:
		case <-time.After(wait):
		}
	}
	a.leave()
	return nil
}

// stateEvery is how often an agent says at most that it serves another ticket.
const stateEvery = 2 * time.Second

// signal puts a sign into a channel that has room for one.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// hello tells a hub that has just been reached what it may not know: the agent's state, and
// results that it may have lost. Submitters renew their tickets.
func (a *Agent) hello(ctx context.Context) {
	for a.state(ctx) != nil && ctx.Err() == nil && a.opt.Conn.IsConnected() { // it may be making its streams
		select {
		case <-ctx.Done():
		case <-time.After(commitWait):
		}
	}
	a.tell(hub.TellAll, Tell{Hello: true})
	for _, k := range a.spool.all() {
		if err := a.offer(ctx, k); err != nil && !errors.Is(err, hub.ErrTaken) {
			return // it is away again
		}
	}
	signal(a.wake)
}

// leave says that the agent is not there any more, for as long as the hub remembers.
func (a *Agent) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	a.tell(hub.TellAll, Tell{})
	_ = a.opt.Conn.FlushWithContext(ctx)
}

// closeAll ends what was begun for tickets.
func (a *Agent) closeAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, s := range a.handlers {
		s.Close()
		delete(a.handlers, id)
	}
}

// tell tells the submitter of a ticket something, which may be lost.
func (a *Agent) tell(ticket string, t Tell) {
	if data, err := json.Marshal(t); err == nil {
		_ = a.opt.Conn.Publish(hub.SubjectTell(a.name, ticket), data)
	}
}

// state says what the agent is and does. Where that fails, the next beat comes soon.
func (a *Agent) state(ctx context.Context) error {
	a.mu.Lock()
	s := State{Protocol: Protocol, Name: a.name, Instance: a.instance, Version: assay.Version(), Platform: a.platform, Welcome: a.welcome, Labels: a.opt.Labels,
		Tools: a.opt.Tools, Pass: a.opt.Pass, Draining: a.draining, Serving: a.serving, Used: a.turns.used(), Clock: time.Now().UTC()}
	a.mu.Unlock()
	data, err := a.opt.Conn.Join.Seal(hub.AboutState, s)
	if err == nil {
		err = a.opt.Conn.SetKey(ctx, hub.BucketMachines, a.name, data)
	}
	return err
}

// lookEvery is how often an agent looks which computer it is on.
const lookEvery = hub.Beat

// look looks what the computer is, and returns it.
func (a *Agent) look(ctx context.Context) assay.Platform {
	if time.Since(a.lookedAt) > lookEvery || a.lookedAt.IsZero() {
		p := a.opt.Computer.Platform(ctx)
		a.mu.Lock()
		a.platform = p
		a.mu.Unlock()
		a.lookedAt = time.Now()
	}
	return a.platform
}

// entry takes what a submitter says of its ticket.
func (a *Agent) entry(m *nats.Msg) {
	var t Ticket
	id := m.Subject[len(hub.SubjectEntries(a.name))-1:]
	if m.Header.Get("KV-Operation") != "" {
		a.end(id)
		return
	}
	if json.Unmarshal(m.Data, &t) != nil || t.ID != id || !hub.IsName(id) {
		return
	}
	a.mu.Lock()
	known := a.turns.waiting[id] != nil
	t.Pool = t.Pool && !a.claimed[id]
	a.turns.renew(t.clean())
	a.mu.Unlock()
	if !known {
		signal(a.wake)
	}
}

// end forgets a ticket.
func (a *Agent) end(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turns.end(id)
	if a.serving != id { // otherwise when its job has ended
		a.forget(id)
	}
	signal(a.wake)
}

// forget closes what a ticket has here. a.mu is held.
func (a *Agent) forget(id string) {
	delete(a.claimed, id)
	a.spool.dropAll(id)
	if s := a.handlers[id]; s != nil {
		s.Close()
		delete(a.handlers, id)
	}
	if a.consumers[id] != nil {
		delete(a.consumers, id)
		go func() {
			defer fault.Exit()
			ctx, cancel := hub.Bound(context.Background())
			defer cancel()
			_ = a.opt.Conn.JS.DeleteConsumer(ctx, hub.StreamJobs(a.name), id) // else it ends by itself
		}()
	}
}

// control takes a message from a submitter.
func (a *Agent) control(m *nats.Msg) {
	var c Control
	if json.Unmarshal(m.Data, &c) != nil {
		return
	}
	switch {
	case c.Ask != "":
		go a.answer(m, c)
	case c.Wake != "":
		a.mu.Lock()
		a.woken, a.wokenFor = time.Now(), c.Wake
		a.mu.Unlock()
		signal(a.wake)
	case c.Durable != "":
		if err := a.spool.drop(c.Run, c.Durable); err != nil {
			a.opt.Say("assay: " + printable.OneLine(err))
		}
	case c.End != "":
		a.withdraw(c.End, c.Job)
	case c.Drain != "":
		a.drain(c.Drain == "drain")
	}
}

// withdraw ends a job that runs, or keeps one from being begun.
func (a *Agent) withdraw(id, job string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w := a.turns.waiting[id]; w != nil {
		w.withdrawn = job
	}
	if a.serving == id && a.running == job {
		a.cancel(errWithdrawn)
	}
	signal(a.wake)
}

// errWithdrawn ends a job that its submitter does not want any more.
var errWithdrawn = errors.New("the job was withdrawn")

// answer answers a question.
func (a *Agent) answer(m *nats.Msg, c Control) {
	defer fault.Exit()
	ctx, cancel := hub.Bound(context.Background())
	defer cancel()
	var v any
	switch c.Ask {
	case askLook:
		v = a.opt.Computer.Glance(ctx, c.Tools[:min(len(c.Tools), mostWords)])
	case askLacks:
		lacking := []string{}
		for _, f := range c.Files {
			if !a.opt.Blobs.Has(f.Sum, f.Size) {
				lacking = append(lacking, f.Sum)
			}
		}
		v = lacking
	default:
		return
	}
	if data, err := json.Marshal(v); err == nil {
		_ = m.Respond(data)
	}
}

// drainFile is there while the agent drains, so that it also does after a restart.
func (a *Agent) drainFile() string { return filepath.Join(a.opt.Dir, "draining") }

// drain has the agent serve nobody after its job, or serve again.
func (a *Agent) drain(yes bool) {
	a.mu.Lock()
	changed := a.draining != yes
	a.draining = yes
	a.mu.Unlock()
	if changed {
		var err error
		if yes {
			a.opt.Say("assay: draining: " + a.name + " serves nobody until it is told to resume")
			err = disk.WritePrivate(a.drainFile(), nil)
		} else {
			a.opt.Say("assay: " + a.name + " serves again")
			err = os.Remove(a.drainFile())
		}
		if err != nil {
			a.opt.Say("assay: " + printable.OneLine(err))
		}
	}
	a.state(context.Background())
	signal(a.wake)
}

// A consumer may find a job some milliseconds after it was published: an agent that was
// woken looks again after wokenWait, for wokenFor.
const (
	wokenWait = 2 * time.Millisecond
	wokenFor  = 50 * time.Millisecond
)

// turn does the next job, if there is one. It returns how long to wait for one.
func (a *Agent) turn(ctx context.Context) time.Duration {
	a.mu.Lock()
	for _, id := range a.turns.expire() {
		a.forget(id)
	}
	order, draining, woken := a.turns.order(), a.draining, ""
	if time.Since(a.woken) < wokenFor {
		woken = a.wokenFor
	}
	a.mu.Unlock()
	if draining || !a.opt.Conn.IsConnected() {
		return idleWait
	}
	for _, id := range order {
		m := a.fetch(ctx, id)
		if m != nil {
			a.serve(ctx, id, m)
			return 0
		}
		a.mu.Lock()
		wait := a.turns.none(id)
		a.mu.Unlock()
		switch {
		case woken == id:
			return wokenWait
		case wait > 0:
			return wait
		}
	}
	if ctx.Err() == nil && a.claim(ctx) {
		return 0
	}
	a.sweep()
	return idleWait
}

// sweepEvery is how often an agent that has nothing to do removes files that it does not
// need any more.
const sweepEvery = 24 * time.Hour

func (a *Agent) sweep() {
	if time.Since(a.sweptAt) < sweepEvery {
		return
	}
	a.sweptAt = time.Now()
	if _, err := a.opt.Blobs.Sweep(cmp.Or(a.opt.Keep, blob.Limit)); err != nil {
		a.opt.Say("assay: " + printable.OneLine(err))
	}
}

// fetch leases the job of a ticket; nil if it has none.
func (a *Agent) fetch(ctx context.Context, id string) jetstream.Msg {
	a.mu.Lock()
	c := a.consumers[id]
	a.mu.Unlock()
	if c == nil {
		bound, cancel := hub.Bound(ctx)
		defer cancel()
		var err error
		// A consumer that a restart of the hub loses is made again, and what it had leased
		// is leased again: the first commit counts. On disk it would cost two more syncs a
		// job.
		c, err = a.opt.Conn.JS.CreateConsumer(bound, hub.StreamJobs(a.name), jetstream.ConsumerConfig{Durable: id, FilterSubject: hub.SubjectJob(a.name, id),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: hub.Lease, MaxAckPending: 1, MaxDeliver: -1, InactiveThreshold: 24 * time.Hour, MemoryStorage: true})
		if err != nil {
			return nil // the hub is away, or has not made the stream yet
		}
		a.mu.Lock()
		a.consumers[id] = c
		a.mu.Unlock()
	}
	batch, err := c.FetchNoWait(1)
	if err == nil {
		if m, ok := <-batch.Messages(); ok {
			return m
		}
		err = batch.Error()
	}
	if err != nil && !errors.Is(err, jetstream.ErrNoMessages) {
		a.mu.Lock()
		delete(a.consumers, id) // it is made again
		a.mu.Unlock()
	}
	return nil
}

// claim takes a ticket of a pool, and reports whether there was one to take.
func (a *Agent) claim(ctx context.Context) bool {
	a.mu.Lock()
	id := a.turns.unclaimed()
	a.mu.Unlock()
	if id == "" {
		return false
	}
	err := a.opt.Conn.Create(ctx, hub.SubjectClaim(id), []byte(a.name))
	if err != nil && !errors.Is(err, hub.ErrTaken) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		a.turns.end(id) // another machine has it
	} else if w := a.turns.waiting[id]; w != nil {
		w.Pool, a.claimed[id] = false, true
	}
	return true
}

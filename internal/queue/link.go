package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/remote/blob"
)

// LinkOptions say what a submitter wants of a machine.
type LinkOptions struct {
	// Conn is the link's own: Close closes it.
	Conn    *hub.Conn
	Machine string
	// Study is what the queue shows of the work.
	Study    string
	Priority Priority
	// Exclusive keeps others from being served before this one ends.
	Exclusive bool
	// ID is that of a ticket of a pool that the machine has claimed; "" is a new one.
	ID string
	// Dir is a folder for the time of the link.
	Dir string
	// Patience is how long the machine, or the hub, may stay away; 0 is remote.Patience.
	Patience time.Duration
	// Say tells the user what happens.
	Say func(string)
	// Ended hears how many trials of the present block have ended, from the goroutine that
	// has asked for it; it may be nil.
	Ended func(trials int)
}

// A Link implements remote.Link by jobs of one ticket.
type Link struct {
	opt    LinkOptions
	ticket Ticket
	state  State
	ctx    context.Context // of what goes on until Close
	stop   context.CancelFunc
	work   sync.WaitGroup
	told   chan struct{} // something was heard

	jobs sync.Mutex // held while a job runs

	mu       sync.Mutex
	journal  *journal
	copies   map[string]string // files that were put, by digest
	begun    bool              // blocks have begun
	pending  *Commit           // a block whose result is not in the record yet
	probes   int
	heard    time.Time // when the agent was last heard
	last     Tell
	greeting bool // a greeting is being answered
}

// NewLink makes a ticket for a machine and returns the link. The error says why the
// machine cannot be worked with.
func NewLink(ctx context.Context, opt LinkOptions) (*Link, error) {
	who := opt.Conn.Join.Name
	l := &Link{opt: opt, told: make(chan struct{}, 1), journal: newJournal(), copies: map[string]string{}, heard: time.Now(),
		ticket: Ticket{ID: cmp.Or(opt.ID, newTicket()), Study: printable.Line(opt.Study, longestName), Who: who, Priority: cmp.Or(opt.Priority, PriorityNormal), Since: time.Now().UTC()}}
	if l.opt.Patience == 0 {
		l.opt.Patience = remote.Patience
	}
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	l.ctx, l.stop = context.WithCancel(context.Background())
	for _, ticket := range []string{l.ticket.ID, hub.TellAll} {
		sub, err := opt.Conn.Subscribe(hub.SubjectTell(opt.Machine, ticket), l.hear)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("listen to %s: %w", opt.Machine, err), l.Close())
		}
		l.work.Go(func() {
			defer fault.Exit()
			<-l.ctx.Done()
			sub.Unsubscribe()
		})
	}
	patience := l.opt.Patience
	l.opt.Patience = min(patience, meetTime)
	err := l.withoutHub(ctx, func() error { return l.renew(ctx) })
	if err == nil {
		err = l.meet(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	l.opt.Patience = patience
	l.work.Go(l.beat)
	return l, nil
}

// meetTime is how long a hub that has just been reached may be away again: it may be
// starting.
const meetTime = 20 * time.Second

// newTicket returns the name of a new ticket.
func newTicket() string { return strings.ToLower(rand.Text()) }

// beat renews the ticket until the link is closed.
func (l *Link) beat() {
	defer fault.Exit()
	tick := time.NewTicker(hub.Beat)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
			_ = l.renew(l.ctx) // the next beat comes soon
		}
	}
}

// renew puts the ticket into the queue of the machine.
func (l *Link) renew(ctx context.Context) error {
	l.mu.Lock()
	data, err := json.Marshal(l.ticket)
	l.mu.Unlock()
	if err != nil {
		return err
	}
	return l.opt.Conn.SetKey(ctx, hub.BucketQueue, l.opt.Machine+"."+l.ticket.ID, data)
}

// meet reads what the agent says of itself, and checks that it can be worked with.
func (l *Link) meet(ctx context.Context) error {
	var said, now time.Time // by the hub's clock
	err := l.withoutHub(ctx, func() (err error) {
		if said, err = l.look(ctx); err == nil {
			_, now, err = l.opt.Conn.Key(ctx, hub.BucketQueue, l.opt.Machine+"."+l.ticket.ID)
		}
		return err
	})
	if errors.Is(err, hub.ErrNotFound) {
		return assay.NewError(assay.ExitRefused, assay.CodeAgentAway, fmt.Sprintf("no agent of %s has ever joined the hub", l.opt.Machine), nil, "assay machines   lists those that have")
	}
	if err != nil {
		return err
	}
	if now.Sub(said) > hub.Gone {
		return assay.NewError(assay.ExitRefused, assay.CodeAgentAway, fmt.Sprintf("the agent of %s is away: it was last heard %s ago", l.opt.Machine, now.Sub(said).Round(time.Second)), nil,
			"on that machine: assay agent --join FILE")
	}
	s := l.agent()
	if ahead := s.Clock.Sub(said); ahead > time.Minute || ahead < -time.Minute {
		l.opt.Say(fmt.Sprintf("assay: the clock of %s is wrong by %v; durations are not affected", l.opt.Machine, ahead.Abs().Round(time.Second)))
	}
	if s.Protocol != Protocol || s.Version != assay.Version() {
		return assay.NewError(assay.ExitRefused, assay.CodeAgentVersion, "the agent of "+l.opt.Machine+" is another version of assay",
			[]string{"there: assay " + s.Version, "here: assay " + assay.Version()}, "")
	}
	return nil
}

// look reads what the agent says of itself, and returns when it said so.
func (l *Link) look(ctx context.Context) (said time.Time, err error) {
	data, said, err := l.opt.Conn.Key(ctx, hub.BucketMachines, l.opt.Machine)
	if err != nil {
		return said, err
	}
	var s State
	if err := l.opt.Conn.Join.Open(l.opt.Machine, hub.AboutState, data, &s); err != nil {
		return said, l.lie("what it says of itself: " + printable.OneLine(err))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if said.After(l.state.Seen) {
		l.heard = time.Now()
	}
	l.state = s.clean()
	l.state.Seen = said
	return said, nil
}

// lie is the error of something that the agent cannot have written.
func (l *Link) lie(fact string) error {
	return assay.NewError(assay.ExitRefused, assay.CodeAgentReport, l.opt.Machine+": the agent there reports what cannot be true", []string{fact}, "")
}

// agent returns what the agent has last said of itself.
func (l *Link) agent() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// hear takes what the agent tells.
func (l *Link) hear(m *nats.Msg) {
	var t Tell
	if json.Unmarshal(m.Data, &t) != nil {
		return
	}
	l.mu.Lock()
	l.heard, l.last = time.Now(), t
	greet := t.Hello && !l.greeting && l.ctx.Err() == nil
	l.greeting = l.greeting || greet
	if greet {
		l.work.Go(l.greetBack)
	}
	l.mu.Unlock()
	if t.Busy != "" {
		l.opt.Say(fmt.Sprintf("assay: %s: another assay measures there: this one waits for it: %s", l.opt.Machine, printable.Line(t.Busy, 4*longestName)))
	}
	signal(l.told)
}

// greetBack tells a new process of the agent of the ticket. A flood of greetings has few
// answers.
func (l *Link) greetBack() {
	defer fault.Exit()
	select {
	case <-l.ctx.Done():
	case <-time.After(greetWait):
	}
	l.mu.Lock()
	l.greeting = false
	l.mu.Unlock()
	_ = l.renew(l.ctx) // the next beat comes soon
	_ = l.control(Control{Wake: l.ticket.ID})
}

// greetWait is the wait before a greeting is answered.
const greetWait = 20 * time.Millisecond

// control sends a message to the agent, which may be lost.
func (l *Link) control(c Control) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return l.opt.Conn.Publish(hub.SubjectControl(l.opt.Machine), data)
}

// ask asks the agent a question that it answers whatever it does.
func (l *Link) ask(ctx context.Context, c Control, out any) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	ctx, cancel := hub.Bound(ctx)
	defer cancel()
	m, err := l.opt.Conn.RequestWithContext(ctx, hub.SubjectControl(l.opt.Machine), data)
	if err != nil {
		return fmt.Errorf("the agent of %s does not answer: %w", l.opt.Machine, err)
	}
	return json.Unmarshal(m.Data, out)
}

// Call implements remote.Link.
func (l *Link) Call(ctx context.Context, do remote.Operation, body, out any, event func(json.RawMessage) error) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("ask for %s: %w", do, err)
	}
	switch do {
	case remote.OpHello:
		return l.greet(data, out)
	case remote.OpPlatform:
		if err := l.withoutHub(ctx, func() error { _, err := l.look(ctx); return err }); err != nil {
			return err
		}
		return assign(out, l.agent().Platform)
	case remote.OpLook:
		tools, _ := body.([]string)
		return l.ask(ctx, Control{Ask: askLook, Tools: tools}, out)
	case remote.OpStudy, remote.OpPlace, remote.OpPlan, remote.OpDrop:
		return l.journal.note(do, data)
	}
	l.jobs.Lock()
	defer l.jobs.Unlock()
	number := 0
	if do == remote.OpLink { // another process of the agent has to make it, too
		number = l.journal.next()
	}
	r, err := l.job(ctx, do, data, number)
	if err != nil {
		return err
	}
	for _, e := range r.Events {
		if event == nil {
			break
		}
		if err := event(e); err != nil {
			return err
		}
	}
	if r.Fault != nil {
		return r.Fault.Err()
	}
	if do == remote.OpLink {
		l.journal.noteLink(number, data, r.Done)
	}
	if out == nil || len(r.Done) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Done, out); err != nil {
		return fmt.Errorf("read answer of %s: %w", l.opt.Machine, err)
	}
	return nil
}

// assign copies a value as a message would.
func assign(out, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, out)
	}
	return err
}

// greet answers a greeting by what the agent says of itself. Its operator decides which
// variables trials get.
func (l *Link) greet(body json.RawMessage, out any) error {
	pass, err := remote.PassOf(body)
	if err != nil {
		return err
	}
	for _, name := range pass {
		if !slices.Contains(l.agent().Pass, name) {
			return assay.NewError(assay.ExitRefused, assay.CodeAgentPass, fmt.Sprintf("trials on %s do not get the variable %s: its agent does not pass it", l.opt.Machine, printable.Line(name, longestName)), nil,
				fmt.Sprintf("on that machine: assay agent --join FILE --pass %s", printable.Line(name, longestName)))
		}
	}
	return assign(out, l.agent().Welcome)
}

// Lacks implements remote.Link: it returns what neither the agent nor the hub has.
func (l *Link) Lacks(ctx context.Context, files []remote.File) (lacking []string, err error) {
	var absent []string
	if err := l.ask(ctx, Control{Ask: askLacks, Files: files}, &absent); err != nil {
		for _, f := range files { // it may be away for a while
			absent = append(absent, f.Sum)
		}
	}
	for _, f := range files {
		if !slices.Contains(absent, f.Sum) {
			continue
		}
		var has bool
		err := l.withoutHub(ctx, func() (err error) {
			has, err = l.opt.Conn.HasFile(ctx, f.Sum, f.Size)
			return err
		})
		if err != nil {
			return nil, err
		}
		if !has {
			lacking = append(lacking, f.Sum)
		}
	}
	return lacking, nil
}

// Put implements remote.Link: the hub gets the file, and the link keeps it as long as the
// hub could lose it.
func (l *Link) Put(ctx context.Context, f remote.File, path string) error {
	kept := filepath.Join(l.opt.Dir, f.Sum)
	if !disk.IsFile(kept) {
		if err := os.Link(path, kept); err != nil {
			if err := copyFile(kept, path); err != nil {
				return fmt.Errorf("keep file: %w", err)
			}
		}
	}
	l.mu.Lock()
	l.copies[f.Sum] = kept
	l.mu.Unlock()
	return l.withoutHub(ctx, func() error { return l.put(ctx, f, kept) })
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// put gives the hub a file.
func (l *Link) put(ctx context.Context, f remote.File, path string) error {
	src, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("send file: %w", err)
	}
	defer src.Close()
	r, w := io.Pipe()
	go func() {
		defer fault.Exit()
		_, err := blob.Compress(w, src)
		w.CloseWithError(err)
	}()
	err = l.opt.Conn.PutFile(ctx, f.Sum, f.Size, r)
	r.CloseWithError(err)
	return err
}

// putBytes gives the hub some data as a file.
func (l *Link) putBytes(ctx context.Context, data []byte) (f remote.File, err error) {
	sum := sha256.Sum256(data)
	f = remote.File{Sum: hex.EncodeToString(sum[:]), Size: int64(len(data))}
	path := filepath.Join(l.opt.Dir, "new")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return f, fmt.Errorf("keep file: %w", err)
	}
	defer os.Remove(path)
	return f, l.Put(ctx, f, path)
}

// sendJournal gives the hub the journal as it is now.
func (l *Link) sendJournal(ctx context.Context) (remote.File, error) {
	f, data, version, err := l.journal.file()
	if err != nil || data == nil {
		return f, err
	}
	if f, err = l.putBytes(ctx, data); err == nil {
		l.journal.isSent(f, version)
	}
	return f, err
}

// Traffic implements remote.Link.
func (l *Link) Traffic() (sent, received int64) {
	s := l.opt.Conn.Stats()
	return int64(s.OutBytes), int64(s.InBytes)
}

// Close implements remote.Link: it withdraws the ticket.
func (l *Link) Close() error {
	l.mu.Lock()
	l.stop()
	l.mu.Unlock()
	l.work.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_ = l.opt.Conn.DeleteKey(ctx, hub.BucketQueue, l.opt.Machine+"."+l.ticket.ID) // else it ends by itself
	l.opt.Conn.Close()
	return disk.RemoveAll(l.opt.Dir)
}

package queue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/remote"
)

// serve does a job that was leased. ctx ends with the agent.
func (a *Agent) serve(ctx context.Context, id string, m jetstream.Msg) {
	var job Job
	meta, err := m.Metadata()
	if err == nil {
		err = json.Unmarshal(m.Data(), &job)
	}
	if err != nil || job.Machine != a.name || job.Ticket != id {
		a.opt.Say("assay: a job that is none of " + a.name + " is refused")
		_ = m.Term()
		return
	}
	job.Attempt += int(meta.NumDelivered) - 1
	if k, ok := a.spool.get(job.Run, job.Name); ok { // it was done before this agent was killed
		a.commit(ctx, k)
		a.finish(ctx, m, job)
		return
	}
	running, cancel := context.WithCancelCause(ctx)
	a.mu.Lock()
	a.serving, a.running, a.cancel = id, job.Name, cancel
	if w := a.turns.waiting[id]; w != nil && w.withdrawn == job.Name {
		cancel(errWithdrawn)
	}
	a.turns.begin(id)
	a.mu.Unlock()
	began := time.Now()
	result, err := a.attempt(running, m, job, int(meta.NumDelivered))
	a.mu.Lock()
	a.serving, a.running, a.cancel = "", "", nil
	a.turns.done(id, time.Since(began))
	if a.turns.waiting[id] == nil {
		a.forget(id)
	}
	a.mu.Unlock()
	cancel(nil)
	_ = os.Remove(a.leaseFile())
	switch {
	case errors.Is(err, errWithdrawn):
		_ = m.Term()
	case err != nil: // it is begun again, as the next attempt
		a.opt.Say("assay: " + printable.OneLine(err))
		_ = m.Nak()
	default:
		k := spooled{Commit: Commit{Protocol: Protocol, Run: job.Run, Job: job.Name, Attempt: job.Attempt, Agent: a.instance}}
		if k.Result, err = json.Marshal(result); err != nil {
			k.Result, _ = json.Marshal(Result{Fault: remote.FaultOf(err)})
		}
		sum := sha256.Sum256(k.Result)
		k.Commit.Digest = hex.EncodeToString(sum[:])
		if err := a.spool.keep(k); err != nil {
			a.opt.Say("assay: " + printable.OneLine(err)) // the hub has it then
		}
		a.commit(ctx, k)
		a.finish(ctx, m, job)
	}
}

// finish tells the hub and the submitter that the result of a job is there.
func (a *Agent) finish(ctx context.Context, m jetstream.Msg, job Job) {
	a.tell(job.Ticket, Tell{Job: job.Name, Committed: true})
	ctx, cancel := hub.Bound(context.WithoutCancel(ctx))
	defer cancel()
	_ = m.DoubleAck(ctx) // else it comes again, and is found in the spool
}

// commitWait is the wait between attempts to commit.
const commitWait = time.Second

// commit commits a result, however long the hub is away: the spool has it. One that was
// committed before stays.
func (a *Agent) commit(ctx context.Context, k spooled) {
	told := false
	for {
		err := a.offer(ctx, k)
		if err == nil || errors.Is(err, hub.ErrTaken) {
			return
		}
		if !told {
			a.opt.Say("assay: a result cannot be given to the hub yet: " + printable.OneLine(err))
			told = true
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(commitWait):
		}
	}
}

// offer commits a result once: the pieces of a large one first.
func (a *Agent) offer(ctx context.Context, k spooled) error {
	c := k.Commit
	if len(k.Result) <= hub.MaxInline {
		c.Result = k.Result
	} else {
		for rest := []byte(k.Result); len(rest) > 0; c.Parts++ {
			piece := rest[:min(len(rest), hub.MaxInline)]
			if err := a.opt.Conn.Put(ctx, hub.SubjectPart(a.name, c.Run, c.Job, c.Attempt, c.Parts), piece); err != nil {
				return err
			}
			rest = rest[len(piece):]
		}
	}
	data, err := a.opt.Conn.Join.Seal(hub.AboutResult, c)
	if err != nil {
		return err
	}
	return a.opt.Conn.Create(ctx, hub.SubjectDone(a.name, c.Run, c.Job), data)
}

// errFrozen ends an attempt during which the process stood still: other processes went on
// meanwhile.
var errFrozen = errors.New("the agent was stopped for a while: the job begins anew")

// attempt does a job once. An error means that it has to be done again.
func (a *Agent) attempt(ctx context.Context, m jetstream.Msg, job Job, delivery int) (r Result, err error) {
	fault := func(err error) (Result, error) { return Result{Fault: remote.FaultOf(err)}, nil }
	switch {
	case job.Protocol != Protocol || job.Version != assay.Version():
		return fault(assay.NewError(assay.ExitRefused, assay.CodeAgentVersion, "the agent of "+a.name+" is another version of assay",
			[]string{"there: assay " + assay.Version(), "here: assay " + printable.Line(job.Version, longestName)}, ""))
	case delivery > hub.Deliveries:
		return fault(assay.NewError(assay.ExitRefused, assay.CodeMachineLost, fmt.Sprintf("the agent of %s has begun the same job %d times and never ended it", a.name, delivery-1), nil, ""))
	}
	l := a.lease(ctx, m, job)
	defer l.end()
	signal(a.changed)
	a.tell(job.Ticket, Tell{Job: job.Name, Began: true})
	lacking, err := a.fetchAll(l.ctx, job)
	if full, ok := errors.AsType[*assay.Error](err); ok {
		return fault(full)
	}
	if err != nil || len(lacking) > 0 {
		return Result{Lacking: lacking}, l.why(err)
	}
	if occupies(job.Request.Do) {
		who := fmt.Sprintf("assay agent %s, for %s", a.name, a.titleOf(job.Ticket))
		release, err := a.opt.Computer.Occupy(l.ctx, who, func(other string) { a.tell(job.Ticket, Tell{Job: job.Name, Busy: other}) })
		if err != nil {
			return r, l.why(err)
		}
		defer release()
	}
	if p := hostOf(a.look(l.ctx)); job.Host != (Host{}) && p != job.Host {
		return fault(assay.NewError(assay.ExitRefused, assay.CodeHostChanged, a.name+" is another machine now, or in another state",
			[]string{fmt.Sprintf("it was %+v", job.Host), fmt.Sprintf("it is %+v", p), "the blocks before are kept; the same line again begins a new run"}, ""))
	}
	h, err := a.handler(job.Ticket)
	if err != nil {
		return fault(err)
	}
	if err := a.replay(l.ctx, h, job); err != nil {
		if l.ctx.Err() != nil {
			return r, l.why(err)
		}
		return fault(err)
	}
	r, err = a.do(l, h, job)
	return r, l.why(err)
}

// occupies reports whether a request measures, or could disturb another assay that does.
// Its submitter may be on this computer, and holds it before its first one.
func occupies(do remote.Operation) bool {
	switch do {
	case remote.OpOccupy, remote.OpLink, remote.OpRun, remote.OpTogether, remote.OpBlock:
		return true
	}
	return false
}

// titleOf says what a ticket is for.
func (a *Agent) titleOf(id string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w := a.turns.waiting[id]; w != nil {
		return w.title()
	}
	return "a study"
}

// do does the request of a job.
func (a *Agent) do(l *lease, h *served, job Job) (r Result, err error) {
	body, err := a.body(job)
	if err != nil {
		return Result{Fault: remote.FaultOf(err)}, nil
	}
	if job.Request.Do == remote.OpOccupy { // the journal was all that there was to do
		return r, nil
	}
	done, err := h.Do(l.ctx, job.Request.Do, body, func(v any) error {
		data, err := json.Marshal(v)
		r.Events = append(r.Events, data)
		l.event()
		a.tell(job.Ticket, Tell{Job: job.Name, Trials: len(r.Events)})
		return err
	})
	if cause := context.Cause(l.ctx); cause != nil {
		return Result{}, cause
	}
	if err == nil {
		r.Done, err = json.Marshal(done)
	}
	if err != nil {
		r.Fault = remote.FaultOf(err)
	} else if job.Number > 0 {
		h.done[job.Number] = true
	}
	return r, nil
}

// body returns the body of a job's request.
func (a *Agent) body(job Job) (body json.RawMessage, err error) {
	if body = job.Request.Body; job.Body.Sum != "" {
		if body, err = os.ReadFile(a.opt.Blobs.Path(job.Body.Sum)); err != nil {
			return nil, err
		}
	}
	if job.Request.Do == remote.OpBlock {
		return remote.AsAttempt(body, job.Attempt)
	}
	return body, nil
}

// handler returns what has done the requests of a ticket so far.
func (a *Agent) handler(id string) (*served, error) {
	a.mu.Lock()
	h := a.handlers[id]
	a.mu.Unlock()
	if h != nil {
		return h, nil
	}
	one, err := a.opt.Computer.Handler()
	if err != nil {
		return nil, err
	}
	h = &served{Handler: one, done: map[int]bool{}}
	a.mu.Lock()
	a.handlers[id] = h
	a.mu.Unlock()
	return h, nil
}

// journal reads the journal of a job.
func (a *Agent) journal(job Job) (list []entry, err error) {
	if job.Journal.Sum == "" {
		return nil, nil
	}
	data, err := os.ReadFile(a.opt.Blobs.Path(job.Journal.Sum))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var e entry
		switch err := d.Decode(&e); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("read journal: %w", err)
		}
		list = append(list, e)
	}
}

// replay does the requests before a job that were not done yet.
func (a *Agent) replay(ctx context.Context, h *served, job Job) error {
	list, err := a.journal(job)
	if err != nil {
		return err
	}
	for _, e := range list {
		if h.done[e.Number] {
			continue
		}
		if _, err := h.Do(ctx, e.Do, e.Body, func(any) error { return nil }); err != nil {
			return err
		}
		h.done[e.Number] = true
	}
	return nil
}

// fetchAll fetches what a job needs from the hub, and returns what the hub does not have
// either.
func (a *Agent) fetchAll(ctx context.Context, job Job) (lacking []remote.File, err error) {
	files := []remote.File{}
	for _, f := range []remote.File{job.Journal, job.Body} {
		if f.Sum != "" {
			files = append(files, f)
		}
	}
	if lacking, err = a.fetchFiles(ctx, files); err != nil || len(lacking) > 0 {
		return lacking, err
	}
	list, err := a.journal(job)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	h := a.handlers[job.Ticket]
	a.mu.Unlock()
	files = files[:0]
	for _, e := range list {
		if h == nil || !h.done[e.Number] {
			needs, err := remote.FilesOf(e.Do, e.Body)
			if err != nil {
				return nil, err
			}
			files = append(files, needs...)
		}
	}
	return a.fetchFiles(ctx, files)
}

func (a *Agent) fetchFiles(ctx context.Context, files []remote.File) (lacking []remote.File, err error) {
	for _, f := range files {
		if a.opt.Blobs.Has(f.Sum, f.Size) {
			continue
		}
		switch err := a.fetchFile(ctx, f); {
		case errors.Is(err, hub.ErrNotFound):
			lacking = append(lacking, f)
		case err != nil:
			return nil, err
		}
	}
	return lacking, nil
}

// fetchFile fetches a file from the hub.
func (a *Agent) fetchFile(ctx context.Context, f remote.File) error {
	r, w := io.Pipe()
	got := make(chan error, 1)
	go func() {
		defer fault.Exit()
		err := a.opt.Conn.GetFile(ctx, f.Sum, w)
		w.CloseWithError(err)
		got <- err
	}()
	err := remote.NoRoom(a.opt.Blobs.Put(f.Sum, f.Size, r), f.Size)
	r.CloseWithError(errors.New("the file is not taken"))
	if gone := <-got; errors.Is(gone, hub.ErrNotFound) {
		return gone
	}
	return err
}

// A lease keeps a job for this agent while it gets on.
type lease struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	over   chan struct{}
	ended  sync.WaitGroup

	mu     sync.Mutex
	last   time.Time // when the job got on
	frozen bool
}

// Times of a lease.
const (
	// renewEvery is how often the hub hears that a job runs.
	renewEvery = hub.Lease / 3
	// pulse is how often the process notes that it runs, stillstand the gap from which it
	// has stood still.
	pulse      = time.Second
	stillstand = 10 * time.Second
)

// lease holds a job until end, or until it does not get on.
func (a *Agent) lease(ctx context.Context, m jetstream.Msg, job Job) *lease {
	l := &lease{over: make(chan struct{}), last: time.Now()}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	_ = disk.WriteFile(a.leaseFile(), []byte(m.Reply()))
	began := time.Now()
	l.ended.Go(func() {
		defer fault.Exit()
		tick := time.NewTicker(pulse)
		defer tick.Stop()
		before, renewed := time.Now(), time.Now()
		for {
			select {
			case <-l.over:
				return
			case <-tick.C:
			}
			l.mu.Lock()
			l.frozen = l.frozen || time.Since(before) > stillstand
			before = time.Now()
			silent := time.Since(l.last)
			l.mu.Unlock()
			switch {
			case job.Limit > 0 && time.Since(began) > job.Limit:
				l.cancel(fmt.Errorf("job %s has run for more than %v", job.Name, job.Limit))
			case job.Silence > 0 && silent > job.Silence:
				l.cancel(fmt.Errorf("no trial of job %s has ended for more than %v", job.Name, job.Silence))
			case time.Since(renewed) >= renewEvery:
				_ = m.InProgress()
				renewed = time.Now()
			}
		}
	})
	return l
}

// event notes that the job gets on.
func (l *lease) event() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = time.Now()
}

// end ends the lease.
func (l *lease) end() {
	close(l.over)
	l.ended.Wait()
	l.cancel(nil)
}

// why returns why an attempt has failed, if it has.
func (l *lease) why(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch cause := context.Cause(l.ctx); {
	case cause != nil:
		return cause
	case l.frozen:
		return errFrozen
	}
	return err
}

// leaseFile has the subject on which the job that runs can be given back.
func (a *Agent) leaseFile() string { return filepath.Join(a.opt.Dir, "lease") }

// giveBack gives back the job that an agent killed before had: it need not wait for the
// end of its lease.
func (a *Agent) giveBack() {
	subject := string(disk.Content(a.leaseFile()))
	if subject == "" {
		return
	}
	_ = a.opt.Conn.Publish(subject, []byte("-NAK"))
	_ = os.Remove(a.leaseFile())
}

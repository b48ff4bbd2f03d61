package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/remote"
)

// job has the agent do a request, and returns the result, which the first commit decides.
// number is that of the entry of the journal which it becomes; 0 for none.
func (l *Link) job(ctx context.Context, do remote.Operation, body json.RawMessage, number int) (r Result, err error) {
	job, err := l.describe(do, body)
	if err != nil {
		return r, err
	}
	job.Number = number
	l.durable() // who asks for more has synced what came before
	var plan *assay.Plan
	if do == remote.OpBlock {
		b, err := remote.BlockOf(body)
		if err != nil {
			return r, err
		}
		plan = l.journal.plan(b.Plan)
	}
	if err := l.hold(ctx, do); err != nil {
		return r, err
	}
	for {
		c, old, err := l.await(ctx, &job, body)
		if err == nil {
			r, err = l.result(ctx, c)
		}
		if err != nil {
			return r, err
		}
		switch {
		case len(r.Lacking) > 0:
			if err := l.supply(ctx, r.Lacking); err != nil {
				return r, err
			}
		case old && r.Fault != nil: // the same line again is another try
		default:
			l.received(c, do == remote.OpBlock)
			if plan != nil {
				l.journal.blockDone(plan)
			}
			return r, nil
		}
		job.Name += "x" // a job of that name has its commit
	}
}

// describe makes the job of a request.
func (l *Link) describe(do remote.Operation, body json.RawMessage) (job Job, err error) {
	l.mu.Lock()
	l.probes++
	job = Job{Protocol: Protocol, Version: assay.Version(), Machine: l.opt.Machine, Run: l.ticket.ID, Ticket: l.ticket.ID, Kind: KindProbe, Name: fmt.Sprintf("p%d", l.probes),
		Request: Request{Do: do}, Attempt: 1, Limit: probeLimit, Host: hostOf(l.state.Platform)}
	if l.begun {
		job.Kind = KindEvidence
	}
	l.mu.Unlock()
	if do != remote.OpBlock {
		return job, nil
	}
	b, err := remote.BlockOf(body)
	if err != nil {
		return job, err
	}
	p := l.journal.plan(b.Plan)
	if p == nil {
		return job, fmt.Errorf("no plan %q was sent", b.Plan)
	}
	next, err := json.Marshal(b.Next)
	if err != nil {
		return job, err
	}
	// Another process that goes on with the run asks for the same block by the same name.
	sum := sha256.Sum256(next)
	job.Kind, job.Attempt, job.Limit = KindBlock, b.Attempt, 0
	job.Name = fmt.Sprintf("b%d-%d-%s", b.Index, b.Attempt, hex.EncodeToString(sum[:4]))
	if p.UID != "" {
		job.Run = p.UID
	}
	job.Silence = silence(p)
	return job, nil
}

// probeLimit is how long a request outside of blocks may take: a survey of one benchmark
// takes minutes at most.
const probeLimit = time.Hour

// silence is the longest time without the end of a trial in a block: those of all variants
// may run side by side.
func silence(p *assay.Plan) time.Duration {
	timeout := p.Study.Measure.Timeout
	if timeout == 0 {
		timeout = assay.DefaultTimeout
	}
	return timeout*time.Duration(len(p.Variants)+1) + 30*time.Second
}

// hold says whether others may be served between this job and the next: not during a
// survey, nor beside an exclusive study.
func (l *Link) hold(ctx context.Context, do remote.Operation) error {
	l.mu.Lock()
	before := l.ticket.Hold
	switch do {
	case remote.OpOccupy:
		l.ticket.Hold = true
	case remote.OpBlock:
		l.ticket.Hold, l.begun = l.opt.Exclusive, true
	}
	changed := before != l.ticket.Hold
	l.mu.Unlock()
	if !changed {
		return nil
	}
	return l.withoutHub(ctx, func() error { return l.renew(ctx) })
}

// withoutHub does something that needs the hub, again while it is away, for as long as
// there is patience.
func (l *Link) withoutHub(ctx context.Context, do func() error) error {
	began, told := time.Now(), false
	for {
		err := do()
		_, here := errors.AsType[*fs.PathError](err)
		_, final := errors.AsType[*assay.Error](err)
		switch {
		case err == nil || here || final || errors.Is(err, hub.ErrTaken) || errors.Is(err, hub.ErrNotFound):
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case time.Since(began) > l.opt.Patience:
			return assay.NewError(assay.ExitRefused, assay.CodeMachineLost, fmt.Sprintf("the hub has been away for %v", time.Since(began).Round(time.Second)), []string{printable.OneLine(err)}, "")
		}
		if !told {
			l.opt.Say(fmt.Sprintf("assay: the hub is away: %s; waiting for it for up to %v", printable.OneLine(err), l.opt.Patience))
			told = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(awayWait):
		}
	}
}

// awayWait is the wait between attempts to reach a hub that is away.
const awayWait = time.Second

// Times of waiting for a job.
const (
	// askEvery is how often the hub is asked for the result, also when nothing was heard.
	askEvery = 2 * time.Second
	// checkEvery is how often a submitter makes sure that its job is still in the queue.
	checkEvery = 5 * time.Second
	// waitNotice is how long a job waits before its submitter hears why.
	waitNotice = 2 * time.Second
)

// await publishes a job and waits for its result. If ctx ends, it withdraws the job. old
// reports that a process before this one has asked for it.
func (l *Link) await(ctx context.Context, job *Job, body json.RawMessage) (c Commit, old bool, err error) {
	defer func() {
		if ctx.Err() != nil {
			l.withdraw(job)
		}
	}()
	if job.Kind == KindBlock {
		if c, err = l.committed(ctx, job); err == nil || !errors.Is(err, hub.ErrNotFound) {
			return c, true, err
		}
	}
	if err := l.publish(ctx, job, body); err != nil {
		return c, false, err
	}
	ask, check, notice := time.NewTicker(askEvery), time.NewTicker(checkEvery), time.After(waitNotice)
	defer ask.Stop()
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return c, false, context.Cause(ctx)
		case <-l.told:
			if !l.toldOf(job) {
				continue
			}
		case <-ask.C:
		case <-notice:
			l.sayQueue(ctx, job)
			continue
		case <-check.C:
			if err := l.ensure(ctx, job, body); err != nil {
				return c, false, err
			}
		}
		if c, err = l.committed(ctx, job); !errors.Is(err, hub.ErrNotFound) {
			return c, false, err
		}
	}
}

// toldOf reports whether the agent has said that the result of a job is there.
func (l *Link) toldOf(job *Job) bool {
	l.mu.Lock()
	t := l.last
	l.mu.Unlock()
	if t.Job == job.Name && t.Trials > 0 && l.opt.Ended != nil {
		l.opt.Ended(t.Trials)
	}
	return t.Job == job.Name && t.Committed
}

// committed returns the result of a job, if it is there.
func (l *Link) committed(ctx context.Context, job *Job) (c Commit, err error) {
	var data []byte
	err = l.withoutHub(ctx, func() (err error) {
		data, _, err = l.opt.Conn.Get(ctx, hub.StreamDone, hub.SubjectDone(l.opt.Machine, job.Run, job.Name))
		return err
	})
	if err != nil {
		return c, err
	}
	if err = l.opt.Conn.Join.Open(l.opt.Machine, hub.AboutResult, data, &c); err == nil && (c.Protocol != Protocol || c.Run != job.Run || c.Job != job.Name) {
		err = fmt.Errorf("it is of the job %s of %s", printable.Line(c.Job, longestName), printable.Line(c.Run, longestName))
	}
	if err != nil {
		err = l.lie("a result of job " + job.Name + ": " + printable.OneLine(err))
	}
	return c, err
}

// publish puts a job into the queue of the machine, unless it is there.
func (l *Link) publish(ctx context.Context, job *Job, body json.RawMessage) error {
	return l.withoutHub(ctx, func() error {
		var err error
		if job.Journal, err = l.sendJournal(ctx); err != nil {
			return err
		}
		if job.Request.Body, job.Body = body, (remote.File{}); len(body) > hub.MaxInline {
			job.Request.Body = nil
			if job.Body, err = l.putBytes(ctx, body); err != nil {
				return err
			}
		}
		data, err := json.Marshal(job)
		if err != nil {
			return err
		}
		for {
			err := l.opt.Conn.Enqueue(ctx, l.opt.Machine, l.ticket.ID, data)
			if errors.Is(err, hub.ErrTaken) {
				err = l.own(ctx, job)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, errOther) && !errors.Is(err, hub.ErrNotFound) {
				return err
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(otherWait):
			}
			// An agent that ended between the result of a job and the end of it leaves it there.
			if _, _, err := l.silence(ctx); err != nil {
				return err
			}
		}
		return l.control(Control{Wake: l.ticket.ID})
	})
}

// otherWait is the wait for a withdrawn job to go.
const otherWait = 50 * time.Millisecond

// ensure publishes a job again that the hub has lost, and gives a machine up that has been
// away for too long.
func (l *Link) ensure(ctx context.Context, job *Job, body json.RawMessage) error {
	silent, known, err := l.silence(ctx)
	if err != nil || !known {
		return err // who asks for the result says that the hub is away
	}
	if silent > hub.Gone && silent < hub.Gone+checkEvery {
		l.opt.Say(fmt.Sprintf("assay: %s is lost: its agent has not been heard for %v; waiting for it for up to %v", l.opt.Machine, hub.Gone, l.opt.Patience))
	}
	_, _, err = l.opt.Conn.Get(ctx, hub.StreamJobs(l.opt.Machine), hub.SubjectJob(l.opt.Machine, l.ticket.ID))
	if !errors.Is(err, hub.ErrNotFound) {
		return nil
	}
	if _, err := l.committed(ctx, job); !errors.Is(err, hub.ErrNotFound) {
		return nil
	}
	l.journal.lost()
	return l.publish(ctx, job, body)
}

// silence returns for how long the machine's agent has not been heard; known is false if the
// hub does not say. The error gives a machine up whose agent has been away for too long.
func (l *Link) silence(ctx context.Context) (d time.Duration, known bool, err error) {
	if _, err := l.look(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, hub.ErrNotFound) {
		return 0, false, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if d = time.Since(l.heard); d > l.opt.Patience {
		err = assay.NewError(assay.ExitRefused, assay.CodeMachineLost, fmt.Sprintf("the agent of %s has been away for %v", l.opt.Machine, d.Round(time.Second)), nil, "")
	}
	return d, true, err
}

// sayQueue says why a job waits.
func (l *Link) sayQueue(ctx context.Context, job *Job) {
	if _, err := l.look(ctx); err != nil {
		return
	}
	l.mu.Lock()
	begun, s := l.last.Job == job.Name, l.state
	l.mu.Unlock()
	switch {
	case begun:
	case s.Draining:
		l.opt.Say(fmt.Sprintf("assay: %s is draining: it begins nothing before somebody types: assay machines resume %[1]s", l.opt.Machine))
	case s.Serving != "" && s.Serving != l.ticket.ID:
		l.opt.Say(fmt.Sprintf("assay: %s serves %s: this one waits for its turn", l.opt.Machine, l.named(ctx, s.Serving)))
	}
}

// named says whose ticket it is.
func (l *Link) named(ctx context.Context, id string) string {
	var t Ticket
	data, _, err := l.opt.Conn.Key(ctx, hub.BucketQueue, l.opt.Machine+"."+id)
	if err != nil || json.Unmarshal(data, &t) != nil {
		return "another one"
	}
	t = t.clean()
	return t.title()
}

// result reads the result of a commit.
func (l *Link) result(ctx context.Context, c Commit) (r Result, err error) {
	data := []byte(c.Result)
	for i := range c.Parts {
		var part []byte
		err := l.withoutHub(ctx, func() (err error) {
			part, _, err = l.opt.Conn.Sure(ctx, hub.StreamDone, hub.SubjectPart(l.opt.Machine, c.Run, c.Job, c.Attempt, i))
			return err
		})
		if err != nil {
			return r, fmt.Errorf("read the result of %s: %w", l.opt.Machine, err)
		}
		if data = append(data, part...); len(data) > mostResult {
			break
		}
	}
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) != c.Digest {
		return r, l.lie("a result with another digest than it says")
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, l.lie("a result that cannot be read: " + printable.OneLine(err))
	}
	return r, nil
}

// mostResult is the size of the largest result, in bytes, as that of a message of ssh's
// agent (package wire).
const mostResult = 96 << 20

// received notes that a result is here. That of a block is kept by the agent until it is
// in the record.
func (l *Link) received(c Commit, block bool) {
	if block {
		l.mu.Lock()
		l.pending = &c
		l.mu.Unlock()
		return
	}
	_ = l.control(Control{Run: c.Run, Durable: c.Job}) // else it goes by itself
}

// durable tells the agent that the last block is in the record.
func (l *Link) durable() {
	l.mu.Lock()
	c := l.pending
	l.pending = nil
	l.mu.Unlock()
	if c != nil {
		_ = l.control(Control{Run: c.Run, Durable: c.Job})
	}
}

// supply gives the hub files that it has lost. Those that the link has not put itself were
// there when it began: then all has to be sent anew.
func (l *Link) supply(ctx context.Context, files []remote.File) error {
	lacking, err := l.Lacks(ctx, files)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !slices.Contains(lacking, f.Sum) {
			continue // it has come meanwhile
		}
		l.mu.Lock()
		path, ok := l.copies[f.Sum]
		l.mu.Unlock()
		if !ok {
			return fmt.Errorf("%w: %s has lost files that were sent before", lab.ErrLost, l.opt.Machine)
		}
		if err := l.withoutHub(ctx, func() error { return l.put(ctx, f, path) }); err != nil {
			return err
		}
	}
	return nil
}

// withdraw takes a job back.
func (l *Link) withdraw(job *Job) { _ = l.control(Control{End: l.ticket.ID, Job: job.Name}) }

// errOther means that another job of the ticket is in the queue yet.
var errOther = errors.New("a job that was withdrawn is still in the queue")

// own returns an error unless the job in the queue is this one. What is there is taken
// back.
func (l *Link) own(ctx context.Context, job *Job) error {
	data, _, err := l.opt.Conn.Get(ctx, hub.StreamJobs(l.opt.Machine), hub.SubjectJob(l.opt.Machine, l.ticket.ID))
	if err != nil {
		return err
	}
	var there Job
	if err := json.Unmarshal(data, &there); err != nil {
		return err
	}
	if there.Name == job.Name {
		return nil
	}
	l.withdraw(&there)
	return errOther
}

//go:build !linux || portable

package child

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/seed-1318a441/assay/internal/fault"
)

func start(ctx context.Context, c Command) (*Process, error) {
	t, err := begin(ctx, c, true)
	if err != nil {
		return nil, err
	}
	a := <-t.begun
	if a.pid == 0 {
		_, err := t.end(ctx) // with the reason
		return nil, err
	}
	return follow(a.pid, a.at, t.order, func() (Exit, error) { return t.end(ctx) }), nil
}

// A task is a running job.
type task struct {
	path    string
	timeout time.Duration
	pipes   *pipes
	// kept is the part of the output that is kept.
	kept   [2]Excerpt
	orders chan order
	begun  chan announcement
	// report is set when done is closed.
	report report
	done   chan struct{}
}

// begin starts the job. Every start is announced.
func begin(ctx context.Context, c Command, _ bool) (*task, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	t := &task{path: c.Path, timeout: c.Timeout, orders: make(chan order), begun: make(chan announcement, 1), done: make(chan struct{})}
	err := checkCPUs(c.CPUs)
	if err == nil {
		t.pipes, err = openPipes(c.Stdin)
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	var turn sync.Mutex
	t.pipes.read(0, inTurn{&turn, alsoTo(&t.kept[0], c.Stdout)})
	t.pipes.read(1, inTurn{&turn, alsoTo(&t.kept[1], c.Stderr)})
	go func() {
		defer fault.Exit()
		defer close(t.done)
		t.report = supervise(job{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: c.Env}, t.pipes.child, t.orders, t.begun)
	}()
	return t, nil
}

// inTurn lets one goroutine at a time write.
type inTurn struct {
	turn *sync.Mutex
	w    io.Writer
}

func (t inTurn) Write(p []byte) (int, error) {
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.w.Write(p)
}

// order passes an order on, unless the job has ended.
func (t *task) order(o order) {
	select {
	case t.orders <- o:
	case <-t.done:
	}
}

// end waits for the end of the task.
func (t *task) end(ctx context.Context) (Exit, error) {
	timedOut := t.await(ctx)
	t.pipes.finish()
	if t.report.Err != "" {
		return Exit{}, fmt.Errorf("start %s: %s", t.path, t.report.Err)
	}
	return t.report.exit(timedOut, "", &t.kept[0], &t.kept[1]), context.Cause(ctx)
}

// await waits for the end of the job, and ends it at its timeout.
func (t *task) await(ctx context.Context) (timedOut bool) {
	var limit <-chan time.Time
	if t.timeout > 0 {
		timer := time.NewTimer(t.timeout)
		defer timer.Stop()
		limit = timer.C
	}
	select {
	case <-t.done:
		return false
	case <-ctx.Done():
		t.order(orderKill)
		<-t.done
		return false
	case <-limit:
	}
	t.order(orderQuit)
	timer := time.NewTimer(Grace)
	defer timer.Stop()
	select {
	case <-t.done:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	t.order(orderKill)
	<-t.done
	return true
}

// pipes connect this process with the one that runs.
type pipes struct {
	// child has its stdin, stdout and stderr.
	child [3]*os.File
	// mine are our ends of stdout and stderr.
	mine [2]*os.File
	// stdin is our end of stdin, nil if there is none.
	stdin   *os.File
	readers sync.WaitGroup
}

func openPipes(stdin io.Reader) (p *pipes, err error) {
	p = new(pipes)
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	for i := range p.mine {
		if p.mine[i], p.child[i+1], err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	switch in := stdin.(type) {
	case nil:
		p.child[0], err = os.Open(os.DevNull)
	case *os.File:
		// The child's ends are closed after the start, but this one is not ours.
		p.child[0], err = dup(in)
	default:
		if p.child[0], p.stdin, err = os.Pipe(); err == nil {
			go feed(p.stdin, in)
		}
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// read copies output i to w until it ends.
func (p *pipes) read(i int, w io.Writer) {
	p.readers.Go(func() {
		defer fault.Exit()
		// An error is the end: a closed pipe, or the deadline of finish.
		_, _ = io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{p.mine[i]}, make([]byte, 64<<10))
	})
}

// finish waits until all output has arrived and closes everything.
func (p *pipes) finish() {
	late := time.AfterFunc(drainTime, func() {
		for _, f := range p.mine {
			if f.SetReadDeadline(time.Now()) != nil {
				_ = f.Close()
			}
		}
	})
	p.readers.Wait()
	late.Stop()
	p.close()
}

func (p *pipes) close() {
	for _, f := range []*os.File{p.child[0], p.child[1], p.child[2], p.mine[0], p.mine[1], p.stdin} {
		if f != nil {
			_ = f.Close()
		}
	}
}

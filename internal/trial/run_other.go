//go:build !linux || portable

package trial

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// run is Run with all output also written to stdout and stderr, each from one
// goroutine at a time; those writers never fail, and may be nil.
func run(ctx context.Context, c Command, stdout, stderr io.Writer) (Exit, error) {
	if err := context.Cause(ctx); err != nil {
		return Exit{}, err
	}
	p, err := openPipes(c.Stdin)
	if err != nil {
		return Exit{}, fmt.Errorf("start %s: %w", c.Path, err)
	}
	out, errs := new(limited), new(limited)
	p.read(0, both(out, stdout))
	p.read(1, both(errs, stderr))

	orders := make(chan order, 2)
	reports := make(chan report, 1)
	go func() { reports <- supervise(job{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: c.Env}, p.child, orders) }()
	r, timedOut := await(ctx, c.Timeout, reports, orders)
	p.finish()
	if r.Err != "" {
		return Exit{}, fmt.Errorf("start %s: %s", c.Path, r.Err)
	}
	e := r.exit(timedOut, out, errs)
	return e, context.Cause(ctx)
}

// await waits for the report, and orders the end when it is time for that.
func await(ctx context.Context, timeout time.Duration, reports <-chan report, orders chan<- order) (r report, timedOut bool) {
	var limit <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		limit = t.C
	}
	select {
	case r := <-reports:
		return r, false
	case <-ctx.Done():
		orders <- orderKill
		return <-reports, false
	case <-limit:
	}
	orders <- orderQuit
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case r := <-reports:
		return r, true
	case <-ctx.Done():
	case <-t.C:
	}
	orders <- orderKill
	return <-reports, true
}

// pipes connect this process with the one that runs.
type pipes struct {
	// child has its stdin, stdout and stderr.
	child [3]*os.File
	// mine are our ends of stdout and stderr.
	mine [2]*os.File
	// stdin is our end of stdin, nil where there is none.
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
		// An error is the end: a closed pipe, or the deadline of finish.
		_, _ = io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{p.mine[i]}, make([]byte, 64<<10))
	})
}

// finish waits until all output has arrived and closes everything.
func (p *pipes) finish() {
	late := time.AfterFunc(drain, func() {
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

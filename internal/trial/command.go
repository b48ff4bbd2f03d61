package trial

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// A Command is one process: no shell.
type Command struct {
	// Path of the program; it is not looked for in PATH.
	Path string
	// Args without the program's name.
	Args []string
	// Dir is the working folder; empty means this process's.
	Dir string
	// Env is the full environment, as NAME=VALUE; nil means an empty one.
	Env []string
	// Timeout ends the process; 0 means none.
	Timeout time.Duration
	// Stdin is read until the process ends; nil means no input.
	Stdin io.Reader
	// Counters asks for Exit.Counters.
	Counters bool
}

// An Exit tells how a process ended.
type Exit struct {
	Start time.Time
	// Wall is from just before the start to the end of the process; User and
	// Sys are the CPU time of it and of the children that it waited for.
	Wall, User, Sys time.Duration
	// PeakRSS is the largest resident set in bytes; 0 where it is not known.
	PeakRSS uint64
	// Usage is of the process and of the children that it waited for.
	Usage
	// Counters are what the processor counted in user mode, by metric, of the
	// process and all that descend from it; nil where Command.Counters did not
	// ask or the system has none.
	Counters map[string]float64
	// Code is the exit status, -1 where a signal ended the process.
	Code int
	// Signal names the signal that ended the process, else "".
	Signal string
	// TimedOut is true where Command.Timeout ended it.
	TimedOut bool
	// Stdout and Stderr hold at most 1 MiB each: the head, a note of how much
	// was left out, and the tail.
	Stdout, Stderr []byte
}

// A Usage is what the system counted of a process. Faults are of memory
// pages, switches away from the CPU.
type Usage struct {
	// HasUsage is false where the system does not tell, and all else is 0.
	HasUsage bool `json:"has_usage,omitempty"`
	// Minor faults need no disk.
	MinorFaults int64 `json:"minor_faults,omitempty"`
	MajorFaults int64 `json:"major_faults,omitempty"`
	// Voluntary switches wait for something.
	VoluntarySwitches   int64 `json:"voluntary_switches,omitempty"`
	InvoluntarySwitches int64 `json:"involuntary_switches,omitempty"`
}

const (
	// grace is the time that a program has to print its stacks after SIGQUIT.
	grace = 2 * time.Second
	// drain is the time that output may take to arrive after everything in the
	// process group has ended; only a process that left the group can use it up.
	drain = 250 * time.Millisecond
)

// Run starts the process in a process group of its own and waits for it. When
// ctx is cancelled the whole group is killed; at the timeout its leader gets
// SIGQUIT, which makes a Go program print its stacks, and then the group is
// killed. The group is also killed when its leader ends, so that nothing
// outlives the trial, except what left the group on purpose.
//
// The error says that the process could not be started, or is the cause of
// ctx's end; a process that fails is not an error.
func Run(ctx context.Context, c Command) (Exit, error) {
	return run(ctx, c, nil, nil)
}

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
	go func() { reports <- start(job{c.Path, c.Args, c.Dir, c.Env}, p.child, orders) }()
	r, timedOut := await(ctx, c.Timeout, reports, orders)
	p.finish()
	if r.Err != "" {
		return Exit{}, fmt.Errorf("start %s: %s", c.Path, r.Err)
	}
	e := Exit{
		Start: r.Start, Wall: r.Wall, User: r.User, Sys: r.Sys, PeakRSS: r.PeakRSS, Usage: r.Usage, Counters: r.Counters,
		Code: r.Code, Signal: r.Signal, TimedOut: timedOut, Stdout: out.Bytes(), Stderr: errs.Bytes(),
	}
	return e, context.Cause(ctx)
}

func both(out *limited, w io.Writer) io.Writer {
	if w == nil {
		return out
	}
	return io.MultiWriter(out, w)
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

func feed(w *os.File, r io.Reader) {
	_, _ = io.Copy(w, r)
	_ = w.Close()
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

package child

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/seed-1318a441/assay/internal/fault"
)

// A Command is one process, without a shell.
type Command struct {
	// Path of the program; PATH is not searched.
	Path string
	// Args are without the program's name.
	Args []string
	// Dir is the working folder; empty means this process's.
	Dir string
	// Env is the full environment, as NAME=VALUE; nil means an empty one.
	Env []string
	// Timeout ends the process; 0 means no limit.
	Timeout time.Duration
	// Stdin is read until the process ends; nil means no input.
	Stdin io.Reader
	// Stdout and Stderr get all output of the process, besides Exit, from one goroutine
	// at a time. They never fail; nil means none.
	Stdout, Stderr io.Writer
	// Counters requests Exit.Counters.
	Counters bool
	// CPUs are the processors that it and its children may use, counted from 0; nil means
	// all that this process may use. Systems other than Linux return ErrAffinity.
	CPUs []int
	// packets makes standard output a pipe with room for one write (see Stepped).
	packets bool
}

// ErrAffinity means that a process cannot be bound to processors here.
var ErrAffinity = errors.New("a process cannot be bound to processors")

// An Exit describes how a process ended.
type Exit struct {
	Start time.Time
	// Wall is from just before the start to the end of the process. User and Sys are the
	// CPU time of the process and of the children that it waited for.
	Wall, User, Sys time.Duration
	// PeakRSS is the largest resident set in bytes; 0 if unknown.
	PeakRSS uint64
	// Usage is of the process and of the children that it waited for.
	Usage
	// Counters are the processor's counts in user mode, by metric, for the process and
	// all its descendants; nil if not requested or not available.
	Counters map[string]float64
	// Code is the exit status, -1 if a signal ended the process.
	Code int
	// Signal names the signal that ended the process, else "".
	Signal string
	// TimedOut is true if Command.Timeout ended it.
	TimedOut bool
	// Limit names the limit of the machine that the process came near, so that it was
	// killed: its processes, memory or disk space. "" is none. Only Linux checks.
	Limit string
	// Escaped counts the processes that had left the group, as daemons do, did not end by
	// themselves within half a second after the leader, and were killed. Only Linux finds
	// them; elsewhere they stay, and it is 0.
	Escaped int
	// Stdout and Stderr hold at most 1 MiB each: the head, a note of how much was
	// omitted, and the tail.
	Stdout, Stderr []byte
}

// A Usage is the system's accounting of a process. Faults are of memory pages, switches
// away from the CPU.
type Usage struct {
	// HasUsage is false if the system does not report it; all else is then 0.
	HasUsage bool
	// Minor faults need no disk.
	MinorFaults int64
	MajorFaults int64
	// Voluntary switches wait for something.
	VoluntarySwitches   int64
	InvoluntarySwitches int64
}

// Grace is the time that a program has to print its stacks after SIGQUIT.
const Grace = 2 * time.Second

// drainTime is the time for output to arrive after everything in the process group has
// ended. Only an undetected process that left the group can use it up.
const drainTime = 250 * time.Millisecond

// Run starts the process in a new process group and waits for it. When ctx is cancelled
// the whole group is killed. At the timeout its leader gets SIGQUIT, which makes a Go
// program print its stacks; then the group is killed. The group is also killed when its
// leader ends, on Linux together with processes that had left the group (Exit.Escaped),
// so that nothing outlives the trial.
//
// The error says that the process could not be started, or is the cause of ctx's end; a
// process that fails is not an error.
func Run(ctx context.Context, c Command) (Exit, error) {
	t, err := begin(ctx, c, false)
	if err != nil {
		return Exit{}, err
	}
	return t.end(ctx)
}

// exit adds to a report what the starter does not know.
func (r report) exit(timedOut bool, limit string, stdout, stderr *Excerpt) Exit {
	r.TimedOut, r.Limit, r.Stdout, r.Stderr = timedOut, limit, stdout.Bytes(), stderr.Bytes()
	return r.Exit
}

func alsoTo(out *Excerpt, w io.Writer) io.Writer {
	if w == nil {
		return out
	}
	return io.MultiWriter(out, w)
}

// feed copies r to w and closes it.
func feed(w io.WriteCloser, r io.Reader) {
	defer fault.Exit()
	_, _ = io.Copy(w, r)
	_ = w.Close()
}

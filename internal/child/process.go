package child

import (
	"context"
	"time"

	assay "github.com/seed-1318a441/assay"

	"github.com/seed-1318a441/assay/internal/fault"
)

// A Process is a process started by Start. It ends like one of Run, at its timeout, with
// its context, or by itself; or by Stop.
type Process struct {
	pid     int
	started time.Time
	// order passes an order on; it does nothing after the process has ended.
	order func(order)

	ended chan struct{}
	// exit and err are set when ended is closed.
	exit Exit
	err  error
}

// Start starts a process like Run, in a new group, and returns when it has been started:
// it has a number, and its program has been found. When ctx ends the whole group is
// killed. The timeout of the command counts from the start.
//
// A Process costs nothing while it prints nothing. The caller need not wait for it.
func Start(ctx context.Context, c Command) (*Process, error) { return start(ctx, c) }

// PID returns the number of the leader. After its end another process may have that
// number.
func (p *Process) PID() int { return p.pid }

// Started returns the time just before the start.
func (p *Process) Started() time.Time { return p.started }

// Ended is closed when the leader has ended, all output has arrived, and nothing is left
// of its group; on Linux also nothing of processes that left the group.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Stop sends a signal to the leader: assay.StopInterrupt or assay.StopTerminate, which is
// also used for any unknown word. assay.StopKill kills the whole group. It does not wait
// for the end. Windows has no such signals; there each of them kills.
func (p *Process) Stop(signal string) {
	switch signal {
	case assay.StopKill:
		p.order(orderKill)
	case assay.StopInterrupt:
		p.order(orderInterrupt)
	default:
		p.order(orderTerminate)
	}
}

// Wait waits until the process has ended and returns how. It may be called more than
// once. The error is the cause of the end of Start's context, or says that the process
// was lost; a process that fails is not an error.
func (p *Process) Wait() (Exit, error) {
	<-p.ended
	return p.exit, p.err
}

// follow starts a goroutine that calls end, and returns the process.
func follow(pid int, started time.Time, order func(order), end func() (Exit, error)) *Process {
	p := &Process{pid: pid, started: started, order: order, ended: make(chan struct{})}
	go func() {
		defer fault.Exit()
		defer close(p.ended)
		p.exit, p.err = end()
	}()
	return p
}

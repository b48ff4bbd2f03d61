package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/session"
)

// An interruption ends a run on signals. While blocks run, the first signal ends the run
// after the block, the second one at once. Before the blocks there is nothing to finish,
// and the first one ends the work at once.
type interruption struct {
	stop *session.Stop
	// signals come from the system and from keys. cancel ends the work at once, and
	// closes over.
	signals chan os.Signal
	cancel  func()
	over    <-chan struct{}
}

// stoppable returns a context that a signal cancels, and a function that ends the
// watching.
func stoppable(ctx context.Context, cfg *session.Config) (context.Context, func()) {
	i := &interruption{stop: cfg.Stop}
	return i.watch(ctx, cfg.Progress.Say)
}

// press acts as a signal for a key: a terminal that passes keys on sends no signals.
func (i *interruption) press() {
	select {
	case i.signals <- os.Interrupt:
	default: // two are waiting already
	}
}

// watch returns a context that a signal cancels, and a function that ends the watching.
// say tells the user what will happen.
func (i *interruption) watch(parent context.Context, say func(string)) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	i.signals, i.cancel, i.over = signals, cancel, ctx.Done()
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	wait := func() bool {
		select {
		case <-signals:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer fault.Exit()
		if !wait() {
			return
		}
		i.stop.Request()
		if i.stop.Measuring() {
			say("assay: stopping after this block; press again to stop now")
			if !wait() {
				return
			}
		}
		cancel()
	}()
	return ctx, func() { signal.Stop(signals); cancel() }
}

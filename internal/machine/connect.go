package machine

import (
	"context"
	"io"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/ssh"
)

// Options say how to reach machines and what they may do. The zero value will do.
type Options struct {
	// Hub is a file to join with, or a URL; "" is the user's own hub. It and the fields up
	// to Prefer matter to machines of a hub alone.
	Hub string
	// Priority is "high", "normal" (also "") or "low": who goes first on a machine that
	// several want.
	Priority string
	// Work is what the queue of a machine shows of the work: the study or the command.
	Work string
	// Avoid is a machine that no pool has: it was lost. Prefer reports whether a pool has
	// no other machine than one like this, if that is there; nil is never.
	Avoid  string
	Prefer func(assay.Platform) bool
	// Builder gives what a link takes; nil is for a machine that links nothing.
	Builder *build.Builder
	// Pass names variables of the other computer's environment that trials get.
	Pass []string
	// Patience is as in remote.Options.
	Patience time.Duration
	// Say tells the user what happens; it may be nil.
	Say func(string)
	// Ended hears that a trial of a block has ended; it may be nil (remote.Options).
	Ended func(lab.Event)
}

// Connect connects to a machine. at is the host that was found, which differs from h if
// that is a pool.
func Connect(ctx context.Context, h assay.Host, o Options) (m *remote.Machine, at assay.Host, err error) {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.Builder == nil {
		o.Builder = build.New("")
	}
	if h.OfHub() {
		return o.overHub(ctx, h)
	}
	m, err = remote.Connect(ctx, remote.Options{Name: h.Label, Builder: o.Builder, Pass: o.Pass, Patience: o.Patience, Say: o.Say,
		Link: remote.OverStream(func(ctx context.Context) (io.ReadWriteCloser, error) {
			return ssh.Dial(ctx, h.Address, ssh.Options{Log: func(line string) { o.Say("assay: " + line) }})
		})})
	return m, h, err
}

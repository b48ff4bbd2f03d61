package session

import (
	"context"
	"os"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
)

// alone makes this the only assay that measures on the machine, until the command ends:
// what one builds and runs is noise in the trials of another. Where another measures, this
// one says for whom it waits; the time is not counted against the budget.
func (s *session) alone(ctx context.Context) error {
	if s.Lease.leave != nil || s.Within {
		return nil
	}
	dir, _ := os.Getwd() // for who waits to be told; without it, the command alone
	began := time.Now()
	leave, err := host.Occupy(ctx, host.Occupant{PID: os.Getpid(), Command: s.Command, Dir: dir, Since: began.UTC().Round(time.Second)}, s.busy)
	if err != nil {
		return s.because(err)
	}
	s.Lease.leave = leave
	s.builder.Cache.PruneDaily() // now that nobody builds or measures
	waited := time.Since(began)
	s.Lease.Began, s.started = s.Lease.Began.Add(waited), s.started.Add(waited)
	return nil
}

// busy tells of the assay that measures on this machine, or refuses to wait for it.
func (s *session) busy(o host.Occupant) error {
	w := assay.Warning{Code: assay.CodeMachineBusy, Text: "another assay measures on this machine: this one waits for it"}
	if o.PID > 0 {
		w.Facts = []string{o.String()}
	}
	if s.NoWait {
		w.Text, w.Try = "another assay measures on this machine", s.Command+"   (without --no-wait, to wait for it)"
		return &assay.Error{Exit: assay.ExitRefused, Warning: w}
	}
	w.Facts = append(w.Facts, "what both of them build and run would be noise in each other's trials; --no-wait refuses at once")
	s.Progress.warn(w)
	return nil
}

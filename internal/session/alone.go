package session

import (
	"context"
	"os"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
)

// waitForMachine waits until no other assay measures on the machine, and keeps others
// from measuring until the command ends: one's builds and runs are noise in the trials of
// another. It prints the command that it waits for. Waiting does not count against the
// budget.
func (s *session) waitForMachine(ctx context.Context) error {
	if s.Lease.leave != nil || s.Within {
		return nil
	}
	dir, _ := os.Getwd() // shown to those who wait
	began := time.Now()
	leave, err := host.Occupy(ctx, host.Occupant{PID: os.Getpid(), Command: s.Command, Dir: dir, Since: began.UTC().Round(time.Second)}, s.reportOccupant)
	if err != nil {
		return s.withCauses(err)
	}
	s.Lease.leave = leave
	s.builder.Cache.PruneDaily() // no other assay builds or measures now
	waited := time.Since(began)
	s.Lease.Began, s.started = s.Lease.Began.Add(waited), s.started.Add(waited)
	return nil
}

// reportOccupant reports the assay that measures on this machine, or with NoWait refuses
// to wait for it.
func (s *session) reportOccupant(o host.Occupant) error {
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

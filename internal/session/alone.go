package session

import (
	"context"
	"os"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/survey"
)

// WaitForMachine waits until no other assay measures on the machine, and keeps others
// from measuring until the command ends: one's builds and runs are noise in the trials of
// another. It prints the command that it waits for. Before it waits it looks for what would end the session later.
func (s *Session) WaitForMachine(ctx context.Context) error {
	if s.Config.Lease.leave != nil || s.Config.Simulation != nil {
		return nil
	}
	dir, _ := os.Getwd() // shown to those who wait
	report, foreseen := s.reportOccupants(), s.Config.NoWait
	leave, err := host.Occupy(ctx, host.Occupant{PID: os.Getpid(), Command: s.Config.Command, Dir: dir}, func(o host.Occupant) error {
		if !foreseen {
			if err := s.foresee(ctx); err != nil {
				return err
			}
			foreseen = true
		}
		return report(o)
	})
	if err != nil {
		return s.withCauses(ctx, err)
	}
	s.Config.Lease.leave = leave
	s.Builder.Cache.PruneDaily() // no other assay builds or measures now
	return nil
}

// foresee returns the error that the session would meet after the waiting, as far as that
// takes no build. Its builder is thrown away: what one finds out holds for all its builds,
// and the sources may be edited while this one waits.
func (s *Session) foresee(ctx context.Context) error {
	w := local.NewWorkshop(build.New(s.Config.Cache), nil)
	w.Target = s.site.target
	if _, err := w.CheckKnobs(ctx, s.Config.Study); err != nil {
		return err
	}
	if err := s.site.Check(ctx, s.Config.Study); err != nil {
		return err
	}
	found, err := w.Foresee(ctx, s.Config.Study)
	if err != nil {
		return err
	}
	return survey.CheckSources(s.Config.Study, s.Config.Command, found.Benchmarks, len(found.Packages))
}

// reportOccupants returns what reports the assay that measures on this machine, and then
// each that takes its place; with NoWait it refuses to wait for it.
func (s *Session) reportOccupants() func(host.Occupant) error {
	waiting := false
	return func(o host.Occupant) error {
		w := assay.Warning{Code: assay.CodeMachineBusy, Text: "another assay measures on this machine"}
		if o.PID > 0 {
			w.Facts = []string{o.String()}
		}
		switch {
		case s.Config.NoWait:
			w.Advice = "the same line without --no-wait, to wait for it"
			return &assay.Error{Exit: assay.ExitRefused, Warning: w}
		case waiting:
			s.Config.Progress.Say("assay: still waiting, now for " + o.String())
		default:
			waiting = true
			w.Text += ": this one waits for it"
			w.Facts = append(w.Facts, "what both of them build and run would be noise in each other's trials; --no-wait refuses at once")
			s.Config.Progress.warn(w)
		}
		return nil
	}
}

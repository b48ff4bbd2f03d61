package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay/internal/doctor"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

// measureAA measures the same code under several names. Every verdict that differs is
// false.
func measureAA(cmd *cobra.Command, c *console, sf *studyFlags, rf *runFlags, dashed []string) error {
	line := sf.line
	line.Dashed = dashed
	s, err := session.ReadAA(cmd.Context(), line)
	if err != nil {
		return err
	}
	text, err := settle(cmd, s)
	if err != nil {
		return err
	}
	if err := oneMachine(s.Hosts); err != nil {
		return err
	}
	rf.AA = true
	flags := append([]string{"--aa"}, changedFlags(cmd)...)
	r, err := measured(cmd.Context(), c, rf, s, text, usage.Line("doctor", flags, nil, dashed))
	if err != nil {
		return err
	}
	aa, err := doctor.CheckAA(rf.Store, r)
	if err != nil {
		return err
	}
	if !rf.json {
		c.printAll(aa.Lines(c.out().Width))
		return nil
	}
	check, err := examine(cmd.Context(), rf, s.Hosts)
	if err != nil {
		return err
	}
	check.AA = aa
	return printCheckup(c, rf, check)
}

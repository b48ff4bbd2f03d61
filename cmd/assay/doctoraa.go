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
	if len(dashed) == 0 {
		dashed = []string{"-bench=.", "strconv", "sort"}
	}
	line := sf.line
	line.Variants, line.Dashed = []string{"base: .", "same1: .", "same2: .", "same3: ."}, dashed
	s, err := session.ReadLine(cmd.Context(), line)
	if err != nil {
		return err
	}
	s.Name, s.Measure.Force = "aa", true
	text, err := settle(cmd, s)
	if err != nil {
		return err
	}
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
	check, err := doctor.Examine(cmd.Context(), systemRoot, rf.Store)
	if err != nil {
		return err
	}
	check.AA = aa
	return printCheckup(c, rf, check)
}

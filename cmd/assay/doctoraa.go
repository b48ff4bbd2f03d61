package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/cmdline"
)

// measureAA measures the same code under several names. Every benchmark and
// name is a cell; whatever is called different is false.
func measureAA(cmd *cobra.Command, c *console, sf *studyFlags, rf *runFlags, dashed []string) error {
	if len(dashed) == 0 {
		dashed = []string{"-bench=.", "strconv", "sort"}
	}
	s, err := aaStudy(cmd, sf, dashed)
	if err != nil {
		return err
	}
	command := shell.Join(append(append([]string{"assay", "doctor", "--aa"}, changedFlags(cmd)...), append([]string{"--"}, dashed...)...))
	r, err := measured(cmd.Context(), c, rf, s, spec.Format(s), command)
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
	check, err := doctor.Examine(cmd.Context(), keeper(), rf.Store)
	if err != nil {
		return err
	}
	check.AA = aa
	return printCheckup(c, rf, check)
}

// aaStudy is the study of the tree as it is, under several names.
func aaStudy(cmd *cobra.Command, sf *studyFlags, dashed []string) (*assay.Study, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	words := []string{"base: ."}
	for i := range aaVariants {
		words = append(words, fmt.Sprintf("same%d: .", i+1))
	}
	s, err := cmdline.Parse(specEnv(cmd.Context(), dir), cmdline.Line{Variants: words, Dashed: dashed})
	if err != nil {
		return nil, err
	}
	s.Name, s.Dir = "aa", dir
	s.Measure.Force = true
	if err := sf.apply(cmd, s); err != nil {
		return nil, err
	}
	return s, session.Complete(s)
}

// aaVariants is how many times doctor --aa names the same code beside the
// base.
const aaVariants = 3

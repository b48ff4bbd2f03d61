package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/shell"
)

func newRun(c *console) *cobra.Command {
	return studyCommand(c, &cobra.Command{
		Use:   "run [flags] [STUDY.toml]",
		Short: "Measure a study in a file; resumes an interrupted run",
		Long:  "Measure a study in a file (default ./study.toml; a folder means its study.toml).\nassay resumes an interrupted run of the same study.",
	}, func(*assay.Study, string) error { return nil })
}

// studyCommand makes a command that measures the study of a file. settle has the
// last word on the study, after the flags.
func studyCommand(c *console, cmd *cobra.Command, settle func(s *assay.Study, name string) error) *cobra.Command {
	var sf studyFlags
	var rf runFlags
	cmd.Args = atMost(1)
	sf.register(cmd.Flags())
	rf.register(cmd.Flags(), c)
	rf.registerGates(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name, s, text, err := session.ReadStudy(cmd.Context(), args)
		if err != nil {
			return err
		}
		if err := sf.apply(cmd, s); err != nil {
			return err
		}
		if err := session.Complete(s); err != nil {
			return err
		}
		if err := settle(s, name); err != nil {
			return err
		}
		if rf.Gates == session.GatesOff {
			s.Gates = assay.Gates{} // those too that are judged from what is measured
		}
		words := append([]string{"assay", cmd.Name()}, changedFlags(cmd)...)
		return measure(cmd.Context(), c, &rf, s, text, shell.Join(append(words, name)))
	}
	return cmd
}

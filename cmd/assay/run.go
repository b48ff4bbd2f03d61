package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newRun(c *console) *cobra.Command {
	return studyCommand(c, &cobra.Command{
		Use:   "run [flags] [STUDY.toml]",
		Short: "Measure a study in a file; resumes an interrupted run",
		Long:  "Measure a study in a file (default ./study.toml; a folder means its study.toml).\nassay resumes an interrupted run of the same study.",
	}, func(*assay.Study, string) error { return nil })
}

// studyCommand returns a command that measures the study of a file. last may change or
// refuse the study after the flags.
func studyCommand(c *console, cmd *cobra.Command, last func(s *assay.Study, name string) error) *cobra.Command {
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
		if _, err := settle(cmd, s); err != nil {
			return err
		}
		if err := last(s, name); err != nil {
			return err
		}
		if rf.Gates == session.GatesOff {
			s.Gates = assay.Gates{} // those too that are judged from what is measured
		}
		return measure(cmd.Context(), c, &rf, s, text, usage.Line(cmd.Name(), changedFlags(cmd), []string{name}, nil))
	}
	return cmd
}

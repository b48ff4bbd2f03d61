package main

import (
	"errors"
	"fmt"

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
	cmd.Args = oneStudy
	sf.register(cmd.Flags())
	rf.register(cmd.Flags(), c)
	rf.registerGates(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name, s, text, err := readStudy(cmd, args)
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

// oneStudy is atMost(1) for a study. For a comparison with run, the line to try is
// compare's; a race is another question, and no line asks it of variants.
func oneStudy(cmd *cobra.Command, args []string) error {
	err := atMost(1)(cmd, args)
	variants, dashed := splitDash(cmd, args)
	if e, ok := errors.AsType[*assay.Error](err); ok && cmd.Name() == "run" && asksHere(cmd)(variants, dashed) {
		e.Text, e.Try = fmt.Sprintf("%s measures a study in a file; compare measures variants", cmd.CommandPath()), usage.Line("compare", changedFlags(cmd), variants, dashed)
	}
	return err
}

// readStudy reads the study that the arguments name. If it is missing, the line to try has
// the name of one that is here.
func readStudy(cmd *cobra.Command, args []string) (name string, s *assay.Study, text []byte, err error) {
	name, s, text, err = session.ReadStudy(cmd.Context(), args)
	if e, ok := errors.AsType[*assay.Error](err); ok && e.Code == assay.CodeNoStudy {
		if right := session.NearStudy(args); right != "" {
			e.Try = usage.Line(cmd.Name(), changedFlags(cmd), []string{right}, nil)
		}
	}
	return name, s, text, err
}

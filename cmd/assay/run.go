package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
)

func newRun(c *console) *cobra.Command {
	return studyCommand(c, &cobra.Command{
		Use:   "run [flags] [STUDY.toml]",
		Short: "Measure a study in a file; goes on where it was cut off",
		Long:  "Measure a study in a file (default ./study.toml; a folder means its study.toml).\nA run of the same study that was cut off is gone on with.",
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
		name, s, text, err := readStudy(cmd.Context(), args)
		if err != nil {
			return err
		}
		if err := sf.apply(cmd, s); err != nil {
			return err
		}
		if err := complete(s); err != nil {
			return err
		}
		if err := settle(s, name); err != nil {
			return err
		}
		if rf.Gates == GatesOff {
			s.Gates = assay.Gates{} // those too that are judged from what is measured
		}
		words := append([]string{"assay", cmd.Name()}, changedFlags(cmd)...)
		return measure(cmd.Context(), c, &rf, s, text, shell.Join(append(words, name)))
	}
	return cmd
}

// readStudy reads the study that the arguments name.
func readStudy(ctx context.Context, args []string) (name string, s *assay.Study, text []byte, err error) {
	name = "study.toml"
	if len(args) > 0 {
		name = args[0]
	}
	file := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		file = filepath.Join(name, "study.toml")
	}
	text, err = os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil, assay.UsageError("no-study", "there is no study "+file, "assay init go1.25.7 go1.26.8 > study.toml")
	}
	if err != nil {
		return "", nil, nil, err
	}
	if s, err = spec.Parse(file, text); err != nil {
		return "", nil, nil, err
	}
	if err := design.Cross(s); err != nil {
		return "", nil, nil, err
	}
	if s.Dir, err = filepath.Abs(filepath.Dir(file)); err != nil {
		return "", nil, nil, err
	}
	if err := readFiles(s); err != nil {
		return "", nil, nil, err
	}
	if err := listSteps(ctx, s); err != nil {
		return "", nil, nil, err
	}
	if s.Name == "" {
		s.Name = filepath.Base(s.Dir)
	}
	return name, s, text, nil
}

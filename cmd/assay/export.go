package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/runs"
)

func newExport(c *console) *cobra.Command {
	var store string
	var outputs []string
	cmd := &cobra.Command{
		Use:   "export [flags] [RUN]",
		Short: "Write a run in the Go benchmark format",
		Long: "Write the complete blocks of a run in the Go benchmark format, as assay report -o x.txt\n" +
			"does, for example for benchstat -col variant. assay compare reads it back with its\n" +
			"blocks.\n" + runHelp,
		Args: atMost(1),
	}
	storeFlag(cmd, &store)
	cmd.Flags().StringArrayVarP(&outputs, "output", "o", nil, "write `FILE`.txt instead of stdout; may be repeated")
	var verify bool
	cmd.Flags().BoolVar(&verify, "verify", false, "check the stored result against the trials, too; refuse to export where they differ")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		run, err := runs.Find(store, arg(args, 0))
		if err == nil && verify {
			_, err = run.Result()
		}
		if err != nil {
			return err
		}
		return c.emit(&output.Report{Sources: []runs.Source{{Run: run.Run}}}, outputs, output.Benchfmt)
	}
	return cmd
}

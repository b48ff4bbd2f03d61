package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/terminal"
)

func newVerify(c *console) *cobra.Command {
	v := &runs.Verifier{Report: reportText, Tell: c.print}
	cmd := &cobra.Command{
		Use:   "verify [flags] [RUN...]",
		Short: "Check that records and their results have not changed",
		Long: "Check that nothing in a record has changed: the digests of its files, the chain over its\n" +
			"trials, and the stored result, which verify computes again from the trials. It prints\n" +
			"one line a run: ok, or what is wrong and where. The exit status is 5 if something is\n" +
			"wrong. verify measures nothing, and without a flag it writes nothing.\n" + runHelp +
			"\nHere it may also be a folder of run folders, such as a store, or a result.json.",
		Example: "  assay verify\n" +
			"  assay verify .assay\n" +
			"  assay verify --recompute last   compute the result again by the rules of today",
	}
	storeFlag(cmd, &v.Store)
	cmd.Flags().BoolVar(&v.Recompute, "recompute", false, "write the result and its report again, from the trials, by the rules of this assay, and list changed verdicts")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = []string{"last"}
		}
		for _, name := range args {
			found, err := v.Verify(name)
			if err != nil {
				return err
			}
			if !found {
				c.skipped(name)
			}
		}
		if v.Bad {
			return exitError(assay.ExitRefused)
		}
		return nil
	}
	return cmd
}

// reportText writes the whole result, for the run folder.
func reportText(w io.Writer, r *assay.Result) error {
	return report.Text(w, r, terminal.Style{Width: 100, All: true, Hyphen: true})
}

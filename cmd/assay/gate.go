package main

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newGate(c *console) *cobra.Command {
	var store string
	var q output.GateQuestion
	undecided := "3"
	cmd := &cobra.Command{
		Use:   "gate [flags] [RUN]",
		Short: "Exit 1 when a stored result is proved slower than allowed",
		Long: "Check a stored result against limits: exit 1 when a benchmark is proved to be worse by\n" +
			"more than the limit, 3 when that is undecided, 0 when every limit holds. gate measures\n" +
			"nothing; it reads the intervals of the record. Of a group the worst machine counts.\n" + groupHelp +
			"\nHere it may also be a result.json.",
		Example: "  assay gate --max 3%\n" +
			"  assay gate --metric allocs/op=0% result.json       counts are exact: safe on shared runners\n" +
			"  assay gate --max 5% --metric B/op=0% --undecided=pass",
		Args: atMost(1),
	}
	storeFlag(cmd, &store)
	cmd.Flags().StringVar(&q.Max, "max", "", "the metrics that decide may be worse by `P` (default: the gate of the study, if it has one)")
	cmd.Flags().StringArrayVar(&q.Metrics, "metric", nil, "`NAME=P`: this metric may be worse by P; may be repeated")
	usage.ChoiceVar(cmd.Flags(), &undecided, []string{"pass", "fail", "3"}, "undecided", "what an undecided limit means: `pass` is exit 0, fail exit 1")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		q.Run = cmp.Or(arg(args, 0), "last")
		list, err := runs.OpenGroup(store, q.Run)
		if err != nil {
			return err
		}
		worst := []int{assay.ExitGate, assay.ExitBuild, assay.ExitUndecided, assay.ExitOK}
		at := len(worst) - 1
		for _, s := range list {
			o, err := output.JudgeGate(s.Result, q)
			if err != nil {
				return err
			}
			for i := range o.Lines {
				if len(list) > 1 {
					o.Lines[i] = s.Machine + ": " + o.Lines[i]
				}
			}
			c.printAll(o.Lines)
			at = min(at, slices.Index(worst, o.Exit(undecided)))
		}
		if code := worst[at]; code != assay.ExitOK {
			return exitError(code)
		}
		return nil
	}
	return cmd
}

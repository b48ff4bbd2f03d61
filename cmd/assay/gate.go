package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newGate(c *console) *cobra.Command {
	var store string
	var asJSON bool
	q := output.GateQuestion{Undecided: "3"}
	cmd := &cobra.Command{
		Use:   "gate [flags] [RUN]",
		Short: "Exit 1 when a stored result is proved slower than allowed",
		Long: "Check a stored result against limits: exit 1 when a benchmark is proved to be worse by\n" +
			"more than the limit, 3 when that is undecided, 0 when every limit holds. gate measures\n" +
			"nothing; it reads the intervals of the record. Of a group the worst machine counts.\n" + groupHelp +
			"\nHere it may also be a result.json.",
		Example: "  assay gate --max 3%\n" +
			"  assay gate --metric allocs/op=0% result.json   exact on shared runners, too\n" +
			"  assay gate --max 5% --metric B/op=0% --undecided=pass",
		Args: atMost(1),
	}
	storeFlag(cmd, &store)
	cmd.Flags().StringVar(&q.Max, "max", "", "the metrics that decide may be worse by `P` (default: the gate of the study, if it has one)")
	cmd.Flags().StringArrayVar(&q.Metrics, "metric", nil, "`NAME=P`: this metric may be worse by P; may be repeated")
	usage.ChoiceVar(cmd.Flags(), &q.Undecided, []string{"pass", "fail", "3"}, "undecided", "what an undecided limit means: `pass` is exit 0, fail exit 1")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print every comparison with its limit and status as JSON")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		q.Run, q.Flags = cmp.Or(arg(args, 0), "last"), flagsBut(cmd, "max", "metric")
		list, err := runs.OpenGroup(store, q.Run)
		if err != nil {
			return err
		}
		g, err := output.JudgeGate(list, q)
		if err != nil {
			return err
		}
		if err := printGate(c, g, q.Run, asJSON); err != nil {
			return err
		}
		if g.Exit != assay.ExitOK {
			return exitError(g.Exit)
		}
		return nil
	}
	return cmd
}

// printGate prints what the limits say of a run as text or JSON.
func printGate(c *console, g *assay.LimitReport, run string, asJSON bool) error {
	if !asJSON {
		c.printAll(output.GateLines(g, run))
		return nil
	}
	b, err := output.EncodeGate(g)
	if err == nil {
		_, err = c.stdout.Write(b)
	}
	return err
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/sheet"
)

const runHelp = `
RUN is "last" (the default), "last~1", a run id, the name of a study (its newest
run), or the path of a run folder, or of a folder with one.`

// groupHelp is runHelp of commands that show the runs of a group together.
const groupHelp = runHelp + `
The runs that one command made on several machines are a group: its id, and "last"
or a study where the newest run is one of them, stand for all of them.`

func newShow(c *console) *cobra.Command {
	var store, pair string
	var asJSON, pairs bool
	var log int
	cmd := &cobra.Command{
		Use:   "show [flags] [RUN] [BENCHMARK]",
		Short: "Print a stored result again",
		Long: "Print a stored result again; with BENCHMARK (part of a name) only its rows.\n" + groupHelp +
			"\nHere it may also be a result.json, or a zip file of a run folder.",
		Args:       atMost(2),
		SuggestFor: []string{"print", "last", "result"},
	}
	storeFlag(cmd, &store)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "print every row and metric")
	cmd.Flags().BoolVar(&pairs, "pairs", false, "print each variant beside the base: times, difference, change")
	cmd.Flags().StringVar(&pair, "pair", "", "compare any two variants of the run, `A,B`, A being the base")
	cmd.Flags().IntVar(&log, "log", 0, "print what the processes of `TRIAL` printed, by its number")
	cmd.MarkFlagsMutuallyExclusive("log", "json")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if log != 0 {
			return showLog(c, store, arg(args, 0), log)
		}
		if len(args) < 2 && pair == "" {
			m, err := runs.MergedGroup(store, arg(args, 0))
			if err != nil {
				return err
			}
			if m != nil {
				return printMerged(c, asJSON, pairs, m)
			}
		}
		r, err := runs.OpenPair(store, arg(args, 0), pair)
		if err != nil {
			return err
		}
		if err := runs.Narrow(r, arg(args, 1)); err != nil {
			return err
		}
		if asJSON {
			return sheet.WriteJSON(c.stdout, r)
		}
		style := c.out()
		style.Pairs = pairs || pair != ""
		return report.Text(c.stdout, r, style)
	}
	return cmd
}

// showLog prints the output of a trial, made safe for a terminal.
func showLog(c *console, store, name string, trial int) error {
	parts, err := runs.Printed(store, name, trial)
	if err != nil {
		return err
	}
	for _, p := range parts {
		c.print(p[0])
		if _, err := fmt.Fprintln(c.stdout, p[1]); err != nil {
			return err
		}
	}
	return nil
}

func storeFlag(cmd *cobra.Command, store *string) {
	cmd.Flags().StringVar(store, "store", session.StoreDir, "`DIR` that runs are kept in")
}

func arg(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}

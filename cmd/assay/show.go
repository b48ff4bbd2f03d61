package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/raw"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
)

const runHelp = `
RUN is "last" (the default), "last~1", a run id, the name of a study (its newest
run), or the path of a run folder.`

func newShow(c *console) *cobra.Command {
	var store, pair string
	var asJSON, pairs bool
	var log int
	cmd := &cobra.Command{
		Use:   "show [flags] [RUN] [BENCHMARK]",
		Short: "Print a stored result again",
		Long: "Print a stored result again; with BENCHMARK (part of a name) only its rows.\n" + runHelp +
			"\nHere it may also be a result.json, or a zip file of a run folder.",
		Args: atMost(2),
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
		r, err := resultToShow(store, arg(args, 0), pair)
		if err != nil {
			return err
		}
		if err := runs.Narrow(r, arg(args, 1)); err != nil {
			return err
		}
		if asJSON {
			return raw.JSON(c.stdout, r)
		}
		style := c.out()
		style.Pairs = pairs || pair != ""
		return report.Text(c.stdout, r, style)
	}
	return cmd
}

// showLog prints what a trial printed, without what a terminal would obey.
func showLog(c *console, store, name string, trial int) error {
	run, err := runs.Find(store, name)
	if err != nil {
		return err
	}
	raw, err := run.Printed(trial)
	if err != nil {
		e := assay.UsageError(assay.CodeNoLog, fmt.Sprintf("trial %d of run %s: %v", trial, run.Plan.Run, err), "assay show "+run.Plan.Run)
		switch {
		case trial < 1 || trial > len(run.Trials):
			e.Facts = []string{fmt.Sprintf("it has trials 1 to %d", len(run.Trials))}
		case run.Trials[trial-1].Run != "":
			e.Facts = []string{"run " + run.Trials[trial-1].Run + " measured it and has its output"}
		}
		return e
	}
	for _, part := range []struct {
		title string
		data  []byte
	}{{"stdout", raw.Stdout}, {"stderr", raw.Stderr}, {"server", raw.Server}} {
		if len(part.data) == 0 {
			continue
		}
		c.print(fmt.Sprintf("%s of trial %d:", part.title, trial))
		if _, err := fmt.Fprintln(c.stdout, printable.Lines(strings.TrimRight(string(part.data), "\n"))); err != nil {
			return err
		}
	}
	return nil
}

// resultToShow is the result of a run, or that of two of its variants.
func resultToShow(store, name, pair string) (*assay.Result, error) {
	if pair == "" {
		s, err := runs.Open(store, name)
		return s.Result, err
	}
	run, err := runs.Find(store, name)
	if err != nil {
		return nil, err
	}
	a, b, err := splitPair(run.Plan, pair)
	if err != nil {
		return nil, err
	}
	return analysis.Pair(run.Plan, run.Blocks(), a, b, run.Platform)
}

// splitPair splits "A,B" at the comma that stands between two variants: names
// such as "GOEXPERIMENT=nogreenteagc,nojsonv2" have commas of their own.
func splitPair(p *assay.Plan, pair string) (a, b string, err error) {
	known := func(name string) bool {
		is := func(v assay.Variant) bool { return v.Name == name }
		return slices.ContainsFunc(p.Variants, is) || slices.ContainsFunc(p.Study.Variants, is)
	}
	for i := range pair {
		if pair[i] == ',' && known(pair[:i]) && known(pair[i+1:]) {
			return pair[:i], pair[i+1:], nil
		}
	}
	a, b, ok := strings.Cut(pair, ",")
	if !ok || a == "" || b == "" {
		return "", "", assay.UsageError(assay.CodeFlags, fmt.Sprintf("--pair %s: it takes two variants, such as A,B", pair), "assay show "+p.Run+" --pairs")
	}
	return a, b, nil
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

func newExport(c *console) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "export [flags] [RUN]",
		Short: "Write a run in the Go benchmark format",
		Long: "Write the complete blocks of a run in the Go benchmark format, for example for\n" +
			"benchstat -col variant. assay compare reads it back with its blocks.\n" + runHelp,
		Args: atMost(1),
	}
	storeFlag(cmd, &store)
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
		return record.Export(c.stdout, run.Run)
	}
	return cmd
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/raw"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
)

func newMerge(c *console) *cobra.Command {
	var store string
	var outputs []string
	var asJSON, pairs bool
	cmd := &cobra.Command{
		Use:   "merge [flags] [NAME=]RUN...",
		Short: "Put runs of one study on several machines side by side",
		Long: "Put runs of one study on several machines side by side: a section a machine, the\n" +
			"machines beside each other without a verdict, and one answer a machine. Nothing is\n" +
			"averaged over machines. NAME is what a machine is called.\n" + runHelp +
			"\nHere it may also be a result that was written with -o FILE.json.",
		Example: "  assay merge desktop=last laptop=laptop.json",
	}
	storeFlag(cmd, &store)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "print every row and metric")
	cmd.Flags().BoolVar(&pairs, "pairs", false, "print each variant beside the base: times, difference, change")
	cmd.Flags().StringArrayVarP(&outputs, "output", "o", nil, "also write the result as JSON to `FILE`.json")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		m, err := mergeRuns(store, args)
		if err != nil {
			return err
		}
		if err := errors.Join(printMerged(c, m, asJSON, pairs), writeMerged(outputs, m)); err != nil {
			return err
		}
		return nil
	}
	return cmd
}

// mergeRuns reads the results that the arguments name and merges them.
func mergeRuns(store string, args []string) (*assay.Merged, error) {
	var results []assay.Result
	var names []string
	for _, a := range args {
		name, run := runs.SplitName(a)
		s, err := runs.Open(store, run)
		if err != nil {
			return nil, err
		}
		results, names = append(results, *s.Result), append(names, name)
	}
	return analysis.Merge(results, names)
}

func printMerged(c *console, m *assay.Merged, asJSON, pairs bool) error {
	if asJSON {
		return raw.JSON(c.stdout, m)
	}
	style := c.out()
	style.Pairs = pairs
	return report.Merged(c.stdout, m, style)
}

// writeMerged writes the files of -o.
func writeMerged(names []string, m *assay.Merged) error {
	for _, name := range names {
		if filepath.Ext(name) != ".json" {
			return assay.UsageError(assay.CodeOutput, fmt.Sprintf("-o %s: no output with this suffix", name), "-o merged.json")
		}
		f, err := os.Create(name)
		if err == nil {
			err = errors.Join(raw.JSON(f, m), f.Close())
		}
		if err != nil {
			return assay.UsageError(assay.CodeOutput, fmt.Sprintf("-o %s: %v", name, err), "-o with a file in a folder that exists")
		}
	}
	return nil
}

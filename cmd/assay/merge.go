package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/sheet"
)

func newMerge(c *console) *cobra.Command {
	var store string
	var outputs []string
	var asJSON, pairs bool
	cmd := &cobra.Command{
		Use:   "merge [flags] [[NAME=]RUN...]",
		Short: "Put runs of one study on several machines side by side",
		Long: "Put runs of one study on several machines side by side: a section a machine, the\n" +
			"machines beside each other without a verdict, and one answer a machine. Nothing is\n" +
			"averaged over machines. NAME is what a machine is called.\n" + groupHelp +
			"\nHere it may also be a result that was written with -o FILE.json.",
		Example: "  assay merge desktop=last laptop=laptop.json",
	}
	storeFlag(cmd, &store)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "print every row and metric")
	cmd.Flags().BoolVar(&pairs, "pairs", false, "print each variant beside the base: times, difference, change")
	cmd.Flags().StringArrayVarP(&outputs, "output", "o", nil, "also write the result as JSON to `FILE`.json")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		var m *assay.Merged
		var err error
		if len(args) == 0 {
			m, err = runs.MergedGroup(store, "last")
		}
		if m == nil && err == nil {
			m, err = runs.Merge(store, args)
		}
		if err != nil {
			return err
		}
		return errors.Join(printMerged(c, asJSON, pairs, m), writeMerged(outputs, m))
	}
	return cmd
}

// printMerged prints a merged result as text or JSON.
func printMerged(c *console, asJSON, pairs bool, m *assay.Merged) error {
	if asJSON {
		return sheet.WriteJSON(c.stdout, m)
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
		var b bytes.Buffer
		if err := sheet.WriteJSON(&b, m); err != nil {
			return err
		}
		if err := output.Write(name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

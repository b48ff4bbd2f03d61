package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/gclog"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/raw"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/terminal"
)

func newGC(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gc [flags] [NAME=]FILE...",
		Short: "Read logs of the garbage collector (GODEBUG=gctrace=1), and compare them",
		Long: "Read what a Go program printed under GODEBUG=gctrace=1, whatever else is in the\n" +
			"log, and print what its garbage collector did. Of several logs the first is the\n" +
			"base; those that have one NAME are runs of one variant. FILE \"-\" is the standard\n" +
			"input. There are no verdicts: nothing pairs the logs.",
		Example: "  GODEBUG=gctrace=1 ./server 2>gc.txt\n  assay gc gc.txt\n  assay gc old=a1.txt old=a2.txt new=b1.txt new=b2.txt",
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		logs, err := gclog.Read(cmd.InOrStdin(), args)
		if err != nil {
			return err
		}
		r := gclog.Compare(logs)
		r.Command = shell.Join(append([]string{"assay", "gc"}, args...))
		if asJSON {
			return raw.JSON(c.stdout, r)
		}
		return printGC(c, logs, r)
	}
	return cmd
}

// printGC prints a table with a column a variant.
func printGC(c *console, logs []*gclog.Log, r *assay.Result) error {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	line := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) }
	head, several := []string{""}, len(logs) > len(r.Variants)
	for i, v := range r.Variants {
		head = append(head, printable.Brief(v.Name))
		if i > 0 {
			head = append(head, "") // of the change
		}
	}
	line(head...)
	if several {
		line(eachVariant(r, "logs", func(v string) string { return fmt.Sprint(len(gclog.Of(logs, v))) })...)
	}
	for _, table := range r.Tables {
		line(gcRow(table, c.out())...)
		if table.Metric.Name == assay.MetricGCIdleCPU {
			line(eachVariant(r, "assists, workers, idle", func(v string) string { return gclog.MarkSplit(gclog.Of(logs, v)) })...)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if several {
		fmt.Fprintf(&text, "\nmedians over the logs; from eight logs on with the %g %% interval\n", 100*r.Rule.Confidence)
	}
	for line := range strings.Lines(text.String()) {
		c.print(strings.TrimRight(line, " \n"))
	}
	terminal.WarningText(c.stderr, r.Warnings, c.err())
	return nil
}

// eachVariant is a line that has no changes.
func eachVariant(r *assay.Result, label string, text func(variant string) string) []string {
	cells := []string{label}
	for i, v := range r.Variants {
		cells = append(cells, text(v.Name))
		if i > 0 {
			cells = append(cells, "")
		}
	}
	return cells
}

// gcRow is the line of a metric.
func gcRow(t assay.Table, style terminal.Style) []string {
	row := t.Rows[0]
	cells := []string{t.Metric.Name, gcValue(t.Metric, row.Base, row.Spread)}
	for _, x := range row.Cells {
		if x.N == 0 {
			cells = append(cells, "", "")
			continue
		}
		change := ""
		if row.Base != 0 {
			change = style.Text(sheet.Change(x.Change, min(0.001, assay.Change(math.Abs(float64(x.Change))))))
		}
		cells = append(cells, gcValue(t.Metric, x.Value, x.Spread), change)
	}
	return cells
}

// gcValue is a value with its interval. The trace has two digits or three.
func gcValue(m assay.Metric, v float64, spread *assay.Spread) string {
	rel := 0.01
	if m.Name == gclog.Cycles || m.Name == gclog.ForcedCycles {
		rel = 0
	}
	text := sheet.Value(m, v, rel)
	if spread == nil {
		return text
	}
	return text + " [" + sheet.Value(m, spread.Lo, rel) + ", " + sheet.Value(m, spread.Hi, rel) + "]"
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
)

func newList(c *console) *cobra.Command {
	var store string
	cmd := &cobra.Command{Use: "list", Short: "List the runs that are kept here", Args: atMost(0)}
	storeFlag(cmd, &store)
	cmd.RunE = func(*cobra.Command, []string) error {
		runs, err := record.List(store)
		if err != nil {
			return err
		}
		if len(runs) == 0 {
			fmt.Fprintf(c.stderr, "assay: no run in %s yet\n", c.err().Text(store))
			return nil
		}
		c.printRuns(runs, time.Now())
		return nil
	}
	return cmd
}

// printRuns prints a line for each run, the newest last.
func (c *console) printRuns(runs []record.Entry, now time.Time) {
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "run\tage\tstudy\tvariants\tbenchmarks\tverdict")
	for _, e := range runs {
		row := []string{e.Run, age(now.Sub(e.Created)), e.Study, firstOf(e.Variants, 3), firstOf(benchmarksOf(e.Workloads), 2), verdictOf(e)}
		for i := range row {
			row[i] = printable.Line(row[i], 0) // one blank at most between words
		}
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush() // a strings.Builder takes everything
	for line := range strings.Lines(table.String()) {
		c.print(strings.TrimRight(line, " \n"))
	}
}

// age is a length of time in its largest unit.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// widest is the most characters of a column.
const widest = 48

// firstOf joins the first names of a list, as far as there is room.
func firstOf(names []string, most int) string {
	if len(names) > most {
		names = append(append([]string{}, names[:most]...), fmt.Sprintf("… %d more", len(names)-most))
	}
	text := []rune(strings.Join(names, ", "))
	if len(text) > widest {
		text = append(text[:widest-1], '…')
	}
	return string(text)
}

// benchmarksOf says what the variants of a run ran: patterns and packages of Go
// benchmarks, the names of commands and services.
func benchmarksOf(ws []assay.Workload) (out []string) {
	for _, w := range ws {
		if w.Kind == assay.KindGoTest {
			out = append(out, strings.Join(append([]string{cmp.Or(w.Bench, ".")}, w.Packages...), " "))
		} else {
			out = append(out, w.Names...)
		}
	}
	return out
}

// verdictOf is a run's verdict, the variant to use where there is one; what to type where
// it is not finished, or damaged.
func verdictOf(e record.Entry) string {
	fault, _ := errors.AsType[*record.Fault](e.Fault)
	switch a := e.Answer; {
	case fault != nil && fault.Unsealed:
		return "of an older assay: assay verify --seal " + e.Run
	case e.Fault != nil:
		return "damaged: assay verify " + e.Run
	case !e.Finished:
		return "cut off: run it again to go on"
	case a.Use != "":
		return "use " + assay.InWords(a.Use)
	case !a.Decided && a.Verdict != assay.SameCoded:
		return "not decided"
	default:
		return string(a.Verdict)
	}
}

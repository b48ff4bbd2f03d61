package runs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Lines returns a table with a line for each run of a store, the newest last; nothing if
// there are none.
func Lines(store string, now time.Time) ([]string, error) {
	list, err := record.List(store)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	rows := [][]string{{"run", "age", "study", "variants", "benchmarks", "verdict"}}
	elsewhere := slices.ContainsFunc(list, func(e record.Entry) bool { return e.Machine != "" })
	if elsewhere {
		rows[0] = slices.Insert(rows[0], 2, "machine", "group")
	}
	for _, e := range list {
		row := []string{e.Run, printable.Age(now.Sub(e.Created)), e.Study, firstNames(e.Variants, 3), firstNames(benchmarksOf(e.Workloads), 2), verdictOf(e)}
		if elsewhere {
			row = slices.Insert(row, 2, machineOf(e)...)
		}
		for i := range row {
			row[i] = printable.Line(row[i], 0) // one blank at most between words
		}
		rows = append(rows, row)
	}
	return terminal.Table(rows), nil
}

// Names lists what a run of a store may be called, each with what that is: the runs in
// the order of their creation, and then their studies.
func Names(store string) (names [][2]string) {
	list, err := record.List(store)
	if err != nil || len(list) == 0 {
		return nil
	}
	names = append(names, [2]string{"last", "the newest run"})
	var studies, groups [][2]string
	for _, e := range list {
		if g := [2]string{e.Group, "the runs of " + e.Study + " on several machines"}; e.Group != "" && !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		what := e.Study + ", " + e.Created.Format("2006-01-02 15:04")
		if !e.Finished {
			what += ", not finished"
		}
		names = append(names, [2]string{e.Run, what})
		if s := [2]string{e.Study, "the newest run of this study"}; e.Study != "" && !slices.Contains(studies, s) {
			studies = append(studies, s)
		}
	}
	return slices.Concat(names, groups, studies)
}

// widest is the most characters of a column.
const widest = 48

// firstNames joins the first names of a list, as far as there is room.
func firstNames(names []string, most int) string {
	if len(names) > most {
		names = append(append([]string{}, names[:most]...), fmt.Sprintf("… %d more", len(names)-most))
	}
	return printable.Short(strings.Join(names, ", "), widest)
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

// verdictOf returns a run's verdict, or the variant to use. For an interrupted or damaged
// run it returns what to type, also for one whose result was never computed from its trials
// here.
func verdictOf(e record.Entry) string {
	fault, _ := errors.AsType[*record.Fault](e.Fault)
	word := verdictWord(e)
	switch {
	case fault != nil && fault.Unsealed:
		return "not sealed: made by an older assay"
	case errors.Is(e.Fault, record.ErrNewer):
		return "made by a newer assay: upgrade this one"
	case e.Fault != nil:
		return "damaged: assay verify " + e.Run
	case !e.Finished:
		return "cut off: run it again to go on"
	case !proven(e.Head, e.Digest):
		return word + " (not checked)"
	}
	return word
}

// verdictWord is the verdict of a run that has ended, or the variant to use.
func verdictWord(e record.Entry) string {
	switch a := e.Answer; {
	case a.Use != "":
		return "use " + assay.InWords(a.Use)
	case !a.Decided && a.Verdict != assay.SameCoded:
		return "not decided"
	case a.Verdict == assay.Mixed && a.Asks.Kind() == assay.AskTradeoff:
		return string(assay.AskTradeoff)
	default:
		return string(a.Verdict)
	}
}

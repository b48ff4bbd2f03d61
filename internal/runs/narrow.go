package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// Narrow keeps the rows whose benchmark's name contains text. It removes statements about
// the whole suite.
func Narrow(r *assay.Result, text string) error {
	if text == "" {
		return nil
	}
	kept := 0
	var all []assay.Row
	for i := range r.Tables {
		tab := &r.Tables[i]
		all = append(all, tab.Rows...)
		var rows []assay.Row
		for _, row := range tab.Rows {
			if strings.Contains(row.Benchmark.String(), text) {
				rows = append(rows, row)
			}
		}
		tab.Rows, tab.Geomean = rows, nil
		tab.Effects = narrowEffects(tab.Effects, rows)
		narrowSteps(tab.Steps, rows)
		kept += len(rows)
	}
	if kept == 0 {
		return NoBenchmark(cmp.Or(r.Ref, r.Run), text, all, "show")
	}
	r.Tradeoff, r.Race = nil, nil
	other := func(b assay.Benchmark) bool { return !strings.Contains(b.String(), text) }
	r.Latencies = slices.DeleteFunc(r.Latencies, func(l assay.Latency) bool { return other(l.Benchmark) })
	r.Explanations = slices.DeleteFunc(r.Explanations, func(e assay.Explanation) bool { return other(e.Benchmark) })
	r.GCs = slices.DeleteFunc(r.GCs, func(g assay.GC) bool { return other(g.Benchmark) })
	return nil
}

// narrowSteps keeps the changes of each step in the rows. If one row is left, its change
// is that of the whole.
func narrowSteps(steps []assay.StepChange, rows []assay.Row) {
	for i := range steps {
		s := &steps[i]
		s.Cells = slices.DeleteFunc(s.Cells, func(c assay.Comparison) bool {
			return !slices.ContainsFunc(rows, func(r assay.Row) bool { return r.Benchmark == c.Benchmark })
		})
		if s.Whole, s.Text = nil, ""; len(rows) == 1 && len(s.Cells) == 1 {
			s.Whole = &s.Cells[0]
		}
	}
}

// narrowEffects reduces the effects to those on the only remaining row; with several rows
// there is no whole.
func narrowEffects(effects []assay.Effect, rows []assay.Row) (out []assay.Effect) {
	if len(rows) != 1 {
		return nil
	}
	for _, e := range effects {
		if e.Whole.Benchmark == rows[0].Benchmark {
			out = append(out, e)
		}
		for _, c := range e.Cells {
			if c.Benchmark == rows[0].Benchmark {
				e.Whole, e.Cells = c, nil
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// NoBenchmark returns the error for a benchmark that a run does not have, with a similar
// name.
func NoBenchmark(run, name string, rows []assay.Row, command string) *assay.Error {
	e := assay.UsageError(assay.CodeNoBenchmarks, fmt.Sprintf("no benchmark of run %s is called like %q", run, name), "assay show "+shell.Quote(run))
	var known []string
	for _, row := range rows {
		known = append(known, row.Benchmark.Name)
	}
	if right := printable.NearestName(name, known); right != "" {
		e.Try = shell.Join(append([]string{"assay", command}, shell.Words(run, right)...))
	}
	return e
}

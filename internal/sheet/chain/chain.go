package chain

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Chain is the steps of one result, or those of several machines side by side, each
// with its own base.
type Chain struct {
	// Panels are the machines, Steps the number, phase and name of every step.
	Panels []Panel
	Steps  []assay.StepResult
	phases []assay.Phase
	suite  bool // any step has a change over the suite
	// All omits nothing.
	All    bool
	blocks string // what a price counts
}

// New takes the steps of the longest panel: machines have the same study, which may go on
// longer. all omits nothing; blocks is the unit of prices.
func New(panels []Panel, all bool, blocks string) *Chain {
	ch := &Chain{Panels: panels, All: all, blocks: blocks}
	for _, x := range panels {
		if len(x.Result.Arc.Steps) > len(ch.Steps) {
			ch.Steps, ch.phases = slices.Clone(x.Result.Arc.Steps), x.Result.Arc.Phases
		}
	}
	for i := range ch.Steps {
		ch.Steps[i].Number = i + 1 // as the record has it, but a file may say anything
	}
	ch.suite = ch.hasWhole()
	return ch
}

// Metric returns the metric of the first panel with a table.
func (ch *Chain) Metric() assay.Metric {
	for _, x := range ch.Panels {
		if t := x.First(); t != nil {
			return t.Metric
		}
	}
	return assay.Metric{Name: assay.MetricTime}
}

// Compares reports whether any machine compares steps with the previous ones; else the
// table compares with the base.
func (ch *Chain) Compares() bool {
	return slices.ContainsFunc(ch.Panels, func(x Panel) bool { t := x.First(); return t != nil && len(t.Steps) > 0 })
}

// Comparison returns what the table of steps shows of a step.
func (ch *Chain) Comparison(x Panel, t *assay.Table, variant string) (assay.Comparison, bool) {
	if ch.Compares() {
		return x.Whole(t, variant)
	}
	return x.Direct(t, variant)
}

// ranges formats ascending numbers as "3–6, 9".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		switch {
		case i == j:
			parts = append(parts, printable.Int(numbers[i]))
		case j == i+1:
			parts = append(parts, printable.Int(numbers[i]), printable.Int(numbers[j]))
		default:
			parts = append(parts, printable.Int(numbers[i])+"–"+printable.Int(numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// StepsText is "step 3" or "steps 3–6, 9".
func StepsText(numbers []int) string {
	return printable.Plural(len(numbers), "step") + " " + ranges(numbers)
}

// Size is "20 steps + base", "31 benchmarks" and the toolchain, if all steps have the
// same.
func Size(r *assay.Result, benchmarks int) []string {
	parts := []string{printable.Count(len(r.Arc.Steps), "step") + " + base"}
	if covered := answer.Coverage(r); covered != "" {
		parts = append(parts, covered)
	} else if benchmarks > 0 {
		parts = append(parts, printable.Count(benchmarks, "benchmark"))
	}
	if all := sheet.Toolchains(r); len(all) == 1 {
		parts = append(parts, all[0]+" for all steps")
	}
	return parts
}

// Extras returns the metrics besides the first: allocations, and others that decide.
func (ch *Chain) Extras() (out []string) {
	first := ch.Metric().Name
	for _, x := range ch.Panels {
		for _, t := range x.Result.Tables {
			n := t.Metric.Name
			if n == first || slices.Contains(out, n) || n != assay.MetricAllocs && !t.Decides || len(t.Steps) == 0 && ch.Compares() {
				continue
			}
			out = append(out, n)
		}
	}
	if i := slices.Index(out, assay.MetricAllocs); i > 0 {
		out = slices.Insert(slices.Delete(out, i, i+1), 0, assay.MetricAllocs)
	}
	return out
}

// hasWhole reports whether any step has a change over the suite. A result narrowed to
// some benchmarks has none, and shows those.
func (ch *Chain) hasWhole() bool {
	for _, x := range ch.Panels {
		for _, s := range ch.Steps {
			if _, ok := ch.Comparison(x, x.First(), s.Variant); ok {
				return true
			}
		}
	}
	return false
}

// Shown returns the steps that have a line, in order, and the number of others. If there
// are more than MaxRows, it picks those with the largest changes and with remarks.
func (ch *Chain) Shown() (kept []assay.StepResult, left int) {
	if len(ch.Steps) <= sheet.MaxRows || ch.All {
		return ch.Steps, 0
	}
	weight := func(s assay.StepResult) float64 {
		w := 0.0
		for i, x := range ch.Panels {
			r, _ := x.Step(s.Variant)
			c, ok := ch.Comparison(x, x.First(), s.Variant)
			if ok && c.Verdict.Differs() && !sheet.NotFinite(float64(c.Change)) {
				w = max(w, 1+math.Abs(c.Change.Log()))
			}
			if r.Gap != nil || r.Failed() {
				w = max(w, 1)
			}
			if i == 0 && (ch.Star(s.Number-1) != "" || s.Number == len(ch.Steps)) {
				w = math.Inf(1)
			}
		}
		return w
	}
	kept = slices.Clone(ch.Steps)
	slices.SortStableFunc(kept, func(a, b assay.StepResult) int { return cmp.Compare(weight(b), weight(a)) })
	kept = kept[:sheet.MaxRows]
	slices.SortFunc(kept, func(a, b assay.StepResult) int { return cmp.Compare(a.Number, b.Number) })
	return kept, len(ch.Steps) - len(kept)
}

// ChangeCells returns the cells of a change from one step to the next. A change from 0
// has no percentage; it shows the difference.
func ChangeCells(m assay.Metric, c assay.Comparison) (change, interval, half sheet.Cell) {
	e := sheet.Entry{Metric: m, Base: math.NaN(), Cells: []assay.Comparison{c}}
	if c.Change == 0 && c.Verdict.Differs() {
		e.Base, c.Difference = 0, cmp.Or(c.Difference, c.Value)
	}
	return sheet.ChangeCells(e, c)
}

// A CellOf finds what a table of a machine has for a line.
type CellOf func(x Panel, t *assay.Table) (assay.Comparison, bool)

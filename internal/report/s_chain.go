package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A chain is the steps of one result, or those of several machines side by side, each of
// which is read against itself.
type chain struct {
	panels []panel
	steps  []assay.StepResult // of all panels: number, phase and name
	phases []assay.Phase
	suite  bool // any step has a change over the suite
	// all asks for everything; blocks are what a price counts.
	all    bool
	blocks string
}

// newChain takes the steps of the panel that has most of them, since machines have
// the same study: a longer one only goes on. With all nothing is left out, and prices
// count blocks by that name.
func newChain(panels []panel, all bool, blocks string) *chain {
	ch := &chain{panels: panels, all: all, blocks: blocks}
	for _, x := range panels {
		if len(x.r.Arc.Steps) > len(ch.steps) {
			ch.steps, ch.phases = slices.Clone(x.r.Arc.Steps), x.r.Arc.Phases
		}
	}
	for i := range ch.steps {
		ch.steps[i].Number = i + 1 // as the record has it, but a file may say anything
	}
	ch.suite = ch.hasWhole()
	return ch
}

// metric is that of the first panel that has a table.
func (ch *chain) metric() assay.Metric {
	for _, x := range ch.panels {
		if t := x.first(); t != nil {
			return t.Metric
		}
	}
	return assay.Metric{Name: assay.MetricTime}
}

// compares reports whether any machine compares steps with the previous ones; else
// the table says what each is against the base.
func (ch *chain) compares() bool {
	return slices.ContainsFunc(ch.panels, func(x panel) bool { t := x.first(); return t != nil && len(t.Steps) > 0 })
}

// cell is what the table of steps shows of a step on a table.
func (ch *chain) cell(x panel, t *assay.Table, variant string) (assay.Comparison, bool) {
	if ch.compares() {
		return x.whole(t, variant)
	}
	return x.direct(t, variant)
}

// ranges tells numbers in their order as "3–6, 9".
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

// stepsText is "step 3" or "steps 3–6, 9".
func stepsText(numbers []int) string {
	return printable.Plural(len(numbers), "step") + " " + ranges(numbers)
}

// arcSize is "20 steps + base", "31 benchmarks" and the toolchain where all steps
// have the same.
func arcSize(r *assay.Result, benchmarks int) []string {
	parts := []string{printable.Count(len(r.Arc.Steps), "step") + " + base"}
	if benchmarks > 0 {
		parts = append(parts, printable.Count(benchmarks, "benchmark"))
	}
	goVersion := ""
	for _, v := range r.Variants {
		if v.GoVersion != "" && goVersion != "" && v.GoVersion != goVersion {
			return parts
		}
		goVersion = cmp.Or(v.GoVersion, goVersion)
	}
	if goVersion != "" {
		parts = append(parts, goVersion+" for all steps")
	}
	return parts
}

// extras are the metrics beside the first: allocations, and what else decides.
func (ch *chain) extras() (out []string) {
	first := ch.metric().Name
	for _, x := range ch.panels {
		for _, t := range x.r.Tables {
			n := t.Metric.Name
			if n == first || slices.Contains(out, n) || n != assay.MetricAllocs && !t.Decides || len(t.Steps) == 0 && ch.compares() {
				continue
			}
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Compare(boolInt(a != assay.MetricAllocs), boolInt(b != assay.MetricAllocs))
	})
	return out
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hasWhole reports whether any step has a change over the suite; a result that was
// narrowed to some benchmarks has none, and shows those.
func (ch *chain) hasWhole() bool {
	for _, x := range ch.panels {
		for _, s := range ch.steps {
			if _, ok := ch.cell(x, x.first(), s.Variant); ok {
				return true
			}
		}
	}
	return false
}

// shown are the steps that have a line: all, or of more than MaxRows those with the
// largest changes and those that something is to be said of, in their order; and
// how many are left out.
func (ch *chain) shown() (kept []assay.StepResult, left int) {
	if len(ch.steps) <= sheet.MaxRows || ch.all {
		return ch.steps, 0
	}
	weight := func(s assay.StepResult) float64 {
		w := 0.0
		for i, x := range ch.panels {
			r, _ := x.step(s.Variant)
			c, ok := ch.cell(x, x.first(), s.Variant)
			if ok && c.Verdict.Differs() && !sheet.NotFinite(float64(c.Change)) {
				w = max(w, 1+math.Abs(c.Change.Log()))
			}
			if r.Gap != nil || r.Failed() {
				w = max(w, 1)
			}
			if i == 0 && (ch.star(s.Number-1) != "" || s.Number == len(ch.steps)) {
				w = math.Inf(1)
			}
		}
		return w
	}
	kept = slices.Clone(ch.steps)
	slices.SortStableFunc(kept, func(a, b assay.StepResult) int { return cmp.Compare(weight(b), weight(a)) })
	kept = kept[:sheet.MaxRows]
	slices.SortFunc(kept, func(a, b assay.StepResult) int { return cmp.Compare(a.Number, b.Number) })
	return kept, len(ch.steps) - len(kept)
}

// stepCells are the cells of a change from one step to the next. From nothing there
// is no percentage, and what a step has is its difference from the one before.
func stepCells(m assay.Metric, c assay.Comparison) (change, interval, half sheet.Cell) {
	e := sheet.Entry{Metric: m, Base: math.NaN(), Cells: []assay.Comparison{c}}
	if c.Change == 0 && c.Verdict.Differs() {
		e.Base, c.Difference = 0, cmp.Or(c.Difference, c.Value)
	}
	return sheet.ChangeCells(e, c)
}

// A cellOf finds what a table of a machine has for a line.
type cellOf func(x panel, t *assay.Table) (assay.Comparison, bool)

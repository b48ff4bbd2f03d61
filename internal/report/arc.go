package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// An arc prints chains of steps: that of one result, or those of several machines
// side by side, each of which is read against itself.
type arc struct {
	p      *printer // where to and in which style; its result is not looked at
	panels []panel
	steps  []assay.StepResult // of all panels: number, phase and name
	phases []assay.Phase
	suite  bool // any step has a change over the suite
}

// A panel is a machine's result with steps. Its name is "" where it is alone.
type panel struct {
	name string
	r    *assay.Result
}

// newArc takes the steps of the panel that has most of them, since machines have
// the same study: a longer one only goes on.
func newArc(p *printer, panels []panel) *arc {
	a := &arc{p: p, panels: panels}
	for _, x := range panels {
		if len(x.r.Arc.Steps) > len(a.steps) {
			a.steps, a.phases = slices.Clone(x.r.Arc.Steps), x.r.Arc.Phases
		}
	}
	for i := range a.steps {
		a.steps[i].Number = i + 1 // as the record has it, but a file may say anything
	}
	a.suite = a.hasWhole()
	return a
}

// chain prints the curve, the table of steps and the gates.
func (a *arc) chain() {
	if len(a.steps) == 0 {
		return
	}
	a.curve()
	a.table()
	a.gates()
}

// arcBody is what stands between header and answer of a result with steps: the
// chain, and then the last step against the base by benchmark. chain is false in a
// section of a merged result, where the chains stand side by side.
func (p *printer) arcBody() {
	if !p.chained {
		newArc(p, []panel{{r: p.Result}}).chain()
	}
	p.endToEnd()
	p.tradeoff()
}

// endToEnd prints the benchmarks of the last step that was measured, and the matrix
// of all steps for who asks for all.
func (p *printer) endToEnd() {
	last := panel{r: p.Result}.last()
	if last == "" || last == p.Result.Base {
		return
	}
	p.of(p.Only([]string{last})).tables()
	if !p.Style.All || p.Style.Pairs || len(p.Services) > 0 || len(p.Shown) < 2 {
		return
	}
	p = p.of(p.Only(p.Shown))
	sections := p.Sections()
	for _, sec := range sections {
		if len(sec.Entries) > 0 {
			p.sectionMatrix(sec)
		}
	}
	p.legend(sections)
}

// step finds a step by the name of its variant.
func (x panel) step(variant string) (assay.StepResult, bool) {
	for _, s := range x.r.Arc.Steps {
		if s.Variant == variant {
			return s, true
		}
	}
	return assay.StepResult{}, false
}

// measured is the variant that was measured for one: itself, or the one that it is
// the same code as; "" for a gap.
func (x panel) measured(variant string) string {
	for range len(x.r.Arc.Steps) + 1 { // a record may go in circles
		s, ok := x.step(variant)
		if ok && s.Gap != nil {
			return ""
		}
		if !ok || s.SameAs == nil || s.SameAs.As == variant || s.SameAs.Control {
			return variant
		}
		variant = s.SameAs.As
	}
	return variant
}

// last is the variant that was measured for the last step that is no gap: the base
// where it is the same code as that, "" where all are gaps.
func (x panel) last() string {
	for _, s := range slices.Backward(x.r.Arc.Steps) {
		if v := x.measured(s.Variant); v != "" {
			return v
		}
	}
	return ""
}

// end is the last step against the base.
func (x panel) end(t *assay.Table) (assay.Comparison, bool) {
	last := x.last()
	if t != nil && last != "" && last == x.r.Base {
		return assay.Comparison{Variant: last, Verdict: assay.SameCoded}, true
	}
	return x.direct(t, last)
}

// table finds a metric's table.
func (x panel) table(metric string) *assay.Table {
	for i := range x.r.Tables {
		if x.r.Tables[i].Metric.Name == metric {
			return &x.r.Tables[i]
		}
	}
	return nil
}

// direct is a variant against the base over the suite, or on the only benchmark
// that is left.
func (x panel) direct(t *assay.Table, variant string) (assay.Comparison, bool) {
	if t == nil {
		return assay.Comparison{}, false
	}
	list := t.Geomean
	if len(list) == 0 && len(t.Rows) == 1 {
		list = t.Rows[0].Cells
	}
	return sheet.Entry{Cells: list}.Of(variant)
}

// change is what a table says of a step against the previous one.
func (x panel) change(t *assay.Table, variant string) (assay.StepChange, bool) {
	if t == nil {
		return assay.StepChange{}, false
	}
	i := slices.IndexFunc(t.Steps, func(c assay.StepChange) bool { return c.Variant == variant })
	if i < 0 {
		return assay.StepChange{}, false
	}
	return t.Steps[i], true
}

// whole is a step against the previous one over the suite. Where only one benchmark
// is left of it, the whole is that one's; with several and no geomean there is
// none, whatever the record says of the suite.
func (x panel) whole(t *assay.Table, variant string) (assay.Comparison, bool) {
	c, ok := x.change(t, variant)
	if !ok {
		return assay.Comparison{}, false
	}
	if len(t.Rows) == 1 {
		b := t.Rows[0].Benchmark
		if i := slices.IndexFunc(c.Cells, func(x assay.Comparison) bool { return x.Benchmark == b }); i >= 0 {
			return c.Cells[i], true
		}
	}
	if c.Whole == nil || len(t.Rows) > 1 && len(t.Geomean) == 0 {
		return assay.Comparison{}, false
	}
	return *c.Whole, true
}

// first is the table that the chain is told by: the first that decides.
func (x panel) first() *assay.Table {
	if len(x.r.Tables) == 0 {
		return nil
	}
	return &x.r.Tables[0]
}

// metric is that of the first panel that has a table.
func (a *arc) metric() assay.Metric {
	for _, x := range a.panels {
		if t := x.first(); t != nil {
			return t.Metric
		}
	}
	return assay.Metric{Name: assay.MetricTime}
}

// compares reports whether any machine compares steps with the previous ones; else
// the table says what each is against the base.
func (a *arc) compares() bool {
	return slices.ContainsFunc(a.panels, func(x panel) bool { t := x.first(); return t != nil && len(t.Steps) > 0 })
}

// cell is what the table of steps shows of a step on a table.
func (a *arc) cell(x panel, t *assay.Table, variant string) (assay.Comparison, bool) {
	if a.compares() {
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

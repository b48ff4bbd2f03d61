package chain

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Layout says which columns the table of steps has.
type Layout struct {
	Both   bool     // changes against the base, beside those against the previous step
	Base   bool     // changes against the base only, without remarks and total
	Half   bool     // half-widths in place of symmetric intervals
	Extras []string // further metrics
	Hint   string   // how to see the steps that are left out
}

// NameColumn is the column with the names of steps, behind their numbers and stars.
const NameColumn = 2

// Table has what each step did, with the benchmarks that it moved below it, and the last
// one against the base.
func (ch *Chain) Table(l Layout) *sheet.Table {
	t := &sheet.Table{Columns: []sheet.Column{{Head: "step", Over: NameColumn, Align: sheet.Right}, {Gap: 1}, {Gap: 1}}}
	titles := []string{"vs previous", "vs base"}
	switch {
	case l.Both:
	case ch.Compares() && !l.Base:
		titles = titles[:1]
	default:
		titles = titles[1:]
	}
	var names []sheet.Head
	for i, title := range titles {
		for k, x := range ch.Panels {
			if i+k == 0 {
				title = sheet.EffectMetric(ch.Metric()) + " " + title
			}
			at := len(t.Columns)
			names = append(names, sheet.Head{From: at, To: at + 2, Text: x.Name})
			t.Columns = append(t.Columns, sheet.Column{Head: title, Over: 2, Whole: true, Align: sheet.Point, Gap: 2},
				sheet.Interval(l.Half), sheet.Column{Gap: 1, Join: " "})
			title = titles[i]
		}
	}
	for _, m := range l.Extras {
		t.Columns = append(t.Columns, sheet.Column{Head: sheet.MetricWords(m), Align: sheet.Right, Gap: 2})
	}
	t.Columns = append(t.Columns, sheet.Column{Gap: 2, Quoted: true})
	if ch.Panels[0].Name != "" {
		t.Rows = append(t.Rows, sheet.Row{Heads: names})
	}
	t.Heads()
	steps, left := ch.Shown()
	for _, s := range steps {
		ch.addStep(t, s, l)
	}
	if left > 0 {
		t.Text("", "… "+printable.Count(left, "more step")+" with the least changes "+l.Hint)
	}
	ch.addTotal(t, l)
	return t
}

// addStep adds a step, and the benchmarks that it moved.
func (ch *Chain) addStep(t *sheet.Table, s assay.StepResult, l Layout) {
	row := []sheet.Cell{sheet.Word(printable.Int(s.Number)), sheet.Word(ch.Star(s.Number - 1)), sheet.Word(s.Variant)}
	previous := func(x Panel, t *assay.Table) (assay.Comparison, bool) {
		switch {
		case l.Both:
			return x.Whole(t, s.Variant)
		case l.Base:
			return x.Direct(t, s.Variant)
		}
		return ch.Comparison(x, t, s.Variant)
	}
	base := func(x Panel, t *assay.Table) (assay.Comparison, bool) { return x.Direct(t, s.Variant) }
	remark := ""
	if !l.Base {
		remark = ch.Remark(s)
	}
	t.Row(append(ch.cells(row, l, previous, base), sheet.Word(remark))...)
	for _, b := range ch.Moved(s) {
		moved := func(x Panel, t *assay.Table) (assay.Comparison, bool) { return x.Moved(t, s.Variant, b) }
		on := func(x Panel, t *assay.Table) (assay.Comparison, bool) { return x.On(t, s.Variant, b) }
		if l.Base {
			moved = on
		}
		t.Row(ch.cells([]sheet.Cell{{}, {}, sheet.Word("  " + b.Name)}, l, moved, on)...)
	}
}

// totalRemark is the cell with what is to say of the last step against the base, if
// anything is.
func (ch *Chain) totalRemark() []sheet.Cell {
	if text := ch.TotalRemark(); text != "" {
		return []sheet.Cell{sheet.Word(text)}
	}
	return nil
}

// addTotal adds the last step against the base, in the columns of changes against it.
func (ch *Chain) addTotal(t *sheet.Table, l Layout) {
	last := func(x Panel, t *assay.Table) (assay.Comparison, bool) { return x.End(t) }
	switch {
	case !ch.Compares() || l.Base: // every line says it
	case l.Both:
		t.Row(append(ch.cells([]sheet.Cell{{}, {}, sheet.Word("total")}, l, nil, last), ch.totalRemark()...)...)
	default:
		t.Row(append(ch.cells([]sheet.Cell{{}, {}, sheet.Word("total vs base")}, l, last, nil), ch.totalRemark()...)...)
	}
}

// cells are those of a line behind its first ones: the changes against the previous step,
// those against the base, and those of the further metrics.
func (ch *Chain) cells(first []sheet.Cell, l Layout, previous, base CellOf) []sheet.Cell {
	sides := []CellOf{previous, base}
	if !l.Both {
		sides = sides[:1]
	}
	out := first
	for _, side := range sides {
		for _, x := range ch.Panels {
			if side == nil || x.First() == nil {
				out = append(out, sheet.Cell{}, sheet.Cell{}, sheet.Cell{})
				continue
			}
			c, ok := side(x, x.First())
			out = append(out, stepCells(ch.Metric(), c, ok, l.Half)...)
		}
	}
	if previous == nil {
		previous = base
	}
	for _, m := range l.Extras {
		out = append(out, ch.extraCell(m, previous))
	}
	return out
}

// stepCells are a change, its interval and its mark; grey where it is none.
func stepCells(m assay.Metric, c assay.Comparison, ok, half bool) []sheet.Cell {
	if !ok {
		return []sheet.Cell{sheet.Word(sheet.None), {}, {}}
	}
	var f sheet.Fields
	f.Change, f.Interval, f.Half = ChangeCells(m, c)
	t := sheet.ToneOf(c.Verdict)
	if c.Verdict == assay.Same || c.Verdict == assay.Unclear {
		t = sheet.Faint
	}
	f.Mark = sheet.Word(sheet.Mark(c))
	out := []sheet.Cell{f.Change, f.Extent(half), f.Mark}
	for i := range out {
		out[i].Tone = t
	}
	return out
}

// extraCell is the change of a further metric, on all machines. Its sign says where the
// value went, so that it has a mark only where it is not sure.
func (ch *Chain) extraCell(metric string, of CellOf) sheet.Cell {
	var parts []string
	t := sheet.Plain
	for i, x := range ch.Panels {
		text := sheet.None
		table := x.Table(metric)
		if c, ok := of(x, table); ok {
			change, _, _ := ChangeCells(table.Metric, c)
			text = change.Joined()
			switch {
			case c.Verdict == assay.SameCoded:
				text = sheet.Mark(c)
			case change.Num && c.Verdict == assay.Unclear:
				text += " ?"
			}
			if i == 0 || sheet.ToneOf(c.Verdict) == t {
				t = sheet.ToneOf(c.Verdict)
			} else {
				t = sheet.Plain
			}
		}
		parts = append(parts, text)
	}
	return sheet.Toned(strings.Join(parts, " · "), t)
}

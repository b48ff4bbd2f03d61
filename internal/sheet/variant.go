package sheet

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// SameText says which variant has the same code, and how far the control was off, which
// is noise.
func (s *Sheet) SameText(v assay.VariantResult) string {
	text := string(assay.SameCoded) + " as " + answer.Subject(v.SameAs.As)
	if !v.SameAs.Control && s.Result.Noise.Control != v.Name {
		return text
	}
	text += ", used as control"
	var worst assay.Comparison
	for _, c := range s.Result.Noise.Cells {
		if c.Interval != nil && !c.Interval.SaysNothing() && math.Abs(c.Change.Log()) >= math.Abs(worst.Change.Log()) {
			worst = c
		}
	}
	if worst.Interval == nil {
		return text
	}
	return text + ": " + unsigned(ChangeDigits(worst.Change, worst.Interval.Half())) + " % off at most"
}

// Suite is the entry of the whole suite, and its name: the geomean of the first table, or
// its only row.
func (s *Sheet) Suite() (Entry, string) {
	return s.SuiteOf(s.Result.Tables[0])
}

// SuiteOf is the same of another table.
func (s *Sheet) SuiteOf(t assay.Table) (Entry, string) {
	if len(t.Geomean) > 0 {
		e := Geomean(s.Result, t)
		return e, e.Label
	}
	if len(t.Rows) == 1 {
		return EntryOf(t, t.Rows[0]), t.Rows[0].Benchmark.Name
	}
	return Entry{Metric: t.Metric, Base: math.NaN()}, ""
}

// VariantTable has a row a variant: what it does to the whole suite, and how many
// benchmarks are better, the same, worse and unclear.
func (s *Sheet) VariantTable(l Layout) *Table {
	e, what := s.Suite()
	t := &Table{Columns: append([]Column{{Head: "variant"}}, l.columns(1)...)}
	t.Columns[1].Head, t.Columns[1].Whole = JoinWords(", ", e.Metric.Name, what)+" vs base", true
	for _, h := range CountHeads(e.Metric, l.MarkHeads) {
		t.Columns = append(t.Columns, Column{Head: h, Align: Right, Gap: 2})
	}
	if l.Worst {
		t.Columns = append(t.Columns, Column{Head: "worst benchmark", Gap: 3, Limit: 24})
	}
	t.Heads()
	for _, v := range s.Result.Variants {
		switch {
		case v.Name == s.Result.Base:
			t.Row(Word(v.Name), Word("base"), Word(e.BaseCell().Joined()))
		case v.SameAs != nil:
			t.Text(v.Name, "≡ "+s.SameText(v))
		default:
			t.Row(s.variantCells(v, e, l)...)
		}
	}
	return t
}

func (s *Sheet) variantCells(v assay.VariantResult, e Entry, l Layout) []Cell {
	f := Fields{}
	if len(e.Cells) > 0 || l.Notes { // the note on none is that it was not measured
		f = s.Fields(e, v.Name)
	}
	row := append([]Cell{Word(v.Name)}, l.cells(f)...)
	for _, n := range []int{v.Better, v.Same, v.Worse, v.Unclear} {
		if text := printable.Int(n); n > 0 || l.Zeros {
			row = append(row, Word(text))
		} else {
			row = append(row, Word(None))
		}
	}
	if w := v.Worst; l.Worst && w != nil {
		change, _, half := ChangeCells(Entry{Metric: e.Metric, Base: math.NaN(), Cells: []assay.Comparison{*w}}, *w)
		row = append(row, Cell{Text: s.Result.Tables[0].NameOf(w.Benchmark), Unit: Joined(change, Word(half.Text))})
	}
	return row
}

// CountHeads are the headings over the counts of better, same, worse and unclear rows:
// the words of the verdicts, or their marks.
func CountHeads(m assay.Metric, marks bool) []string {
	sign := -1.0
	if m.Better == assay.BetterHigher {
		sign = 1
	}
	better, worse := assay.Differing(m, sign), assay.Differing(m, -sign)
	heads := []string{string(better), string(assay.Same), string(worse), string(assay.Unclear)}
	switch {
	case better == assay.Changed:
		heads[0], heads[2] = "better", "worse"
	case marks:
		heads = []string{Mark(assay.Comparison{Verdict: better}), "=", Mark(assay.Comparison{Verdict: worse}), "?"}
	}
	return heads
}

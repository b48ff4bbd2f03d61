package sheet

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// Notes are kept for tables that have no column for them, with the metric where it is not
// the first; of metrics that follow from others nobody wants them.
func TestKeepNotes(t *testing.T) {
	r := resultOf([]string{"a", "b", "c"}, tableOf(assay.MetricTime, assay.Unclear, assay.Slower), tableOf(assay.MetricBytes, assay.Unclear, assay.Same),
		tableOf(assay.MetricUser, assay.Unclear, assay.More))
	r.Tables[0].Rows[1].Cells[0].MayBeSmall = true
	r.Tables[0].Metric.MinEffect = 0.01
	var sections []Section
	for _, table := range r.Tables {
		sections = append(sections, Section{Entries: grouped(table, table.Rows)})
	}
	var n Notes
	n.Keep(New(r, false, false), sections, []string{"b"}, false)
	sameLines(t, "notes", n.Lines(), "B in b: the change may be below 1 %")
	n = Notes{}
	n.Keep(New(r, true, false), sections, []string{"b", "c"}, false)
	sameLines(t, "with all", n.Lines(),
		"not measured: A in c, B in c, A B/op in c, B B/op in c", "B in b: the change may be below 1 %")
	saturated := changeOf("b", assay.Saturated, 0, 0.02)
	saturated.Reason = "the server did not keep up"
	sections = []Section{{Entries: []Entry{{Label: "p50", Metric: assay.Metric{Name: "latency.p50"}, Cells: []assay.Comparison{saturated}}, sections[0].Entries[0]}}}
	n = Notes{}
	n.Keep(New(r, false, false), sections, []string{"b"}, true)
	sameLines(t, "with a column", n.Lines(), "p50 latency.p50 in b: the server did not keep up")
}

// Of many variants one note tells how far all may reach that is unclear of a variant; the
// notes on proved changes stand behind them.
func TestKeepStanding(t *testing.T) {
	r := resultOf([]string{"a", "b"}, whole(tableOf(assay.MetricTime, assay.Unclear, assay.Unclear, assay.Slower), assay.Unclear),
		tableOf(assay.MetricBytes, assay.Unclear))
	r.Tables[0].Rows[2].Cells[0].MayBeSmall = true
	r.Tables[0].Metric.MinEffect = 0.01
	r.Tables[0].Rows[1].Cells[0].Interval = &assay.Interval{Lo: -0.04, Hi: 0.01}
	s := New(r, false, false)
	first := s.Sections()[0]
	other := Section{Title: "B/op", Entries: grouped(r.Tables[1], r.Tables[1].Rows)}
	var n Notes
	n.KeepStanding(s, []Section{first, other}, func(Section) bool { return false })
	sameLines(t, "notes", n.Lines(), "b: 2 within ±4.0 %", "A B/op: within ±2.0 %", "C: the change may be below 1 %")
	n = Notes{}
	n.KeepStanding(s, []Section{first, other}, func(sec Section) bool { return sec.Title == first.Title })
	sameLines(t, "of a section that said how they stand", n.Lines(), "A B/op: within ±2.0 %", "C: the change may be below 1 %")
	for i := range 2 {
		r.Tables[0].Rows[i].Cells[0] = r.Tables[0].Rows[2].Cells[0]
		r.Tables[0].Rows = append(r.Tables[0].Rows, r.Tables[0].Rows[2])
	}
	n = Notes{}
	n.KeepStanding(s, []Section{{Title: first.Title, Entries: grouped(r.Tables[0], r.Tables[0].Rows)}}, func(Section) bool { return true })
	sameLines(t, "of many changes", n.Lines(), "5 changes: the change may be below 1 %")
}

package sheet

import (
	"fmt"
	"testing"

	"github.com/seed-1318a441/assay"
)

// listOf is a list of comparisons of b, called A, B and so on.
func listOf(cells ...assay.Comparison) (out []named) {
	for i, c := range cells {
		out = append(out, named{string(rune('A' + i)), Entry{Metric: timeMetric, Base: 1, Cells: []assay.Comparison{c}}, c})
	}
	return out
}

// Rows that go with the geomean are counted with the range of their changes, those that do
// not are named, the largest first, and of unclear ones it says how far they reach.
func TestStandingTo(t *testing.T) {
	slower := func(by assay.Change) assay.Comparison { return changeOf("b", assay.Slower, by, 0.01) }
	faster := func(by assay.Change) assay.Comparison { return changeOf("b", assay.Faster, by, 0.01) }
	open := changeOf("b", assay.Unclear, 0.03, 0.065)
	geomean := Entry{Metric: timeMetric, Cells: []assay.Comparison{slower(0.05)}}
	for _, c := range []struct {
		name string
		list []named
		want string
	}{
		{"nothing", nil, ""},
		{"all alike", listOf(slower(0.146), slower(0.018), slower(0.05)), "3 slower, +1.8 % to +14.6 %"},
		{"one", listOf(slower(0.05)), "1 slower, +5.0 %"},
		{"one that goes elsewhere", listOf(slower(0.05), faster(-0.014)), "1 slower, +5.0 %; 1 faster: B −1.4 %"},
		{"many that go elsewhere", listOf(faster(-0.02), faster(-0.04), faster(-0.03), faster(-0.05)), "4 faster: D −5.0 %, B −4.0 %, C −3.0 % and 1 more"},
		{"unclear", listOf(slower(0.05), open, changeOf("b", assay.Same, 0, 0.01)), "1 slower, +5.0 %; 1 same, 1 within ±9.5 %"},
		{"invalid", listOf(assay.Comparison{Variant: "b", Verdict: assay.Invalid}), "1 invalid: A"},
	} {
		if got := standingTo(geomean, "b", c.list); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The brief sheet has the geomean alone of a long table, and below it how the rows stand;
// with all, and of several variants, it is the sheet itself.
func TestBrief(t *testing.T) {
	long := func(variants ...string) *assay.Result {
		table := assay.Table{Metric: timeMetric, Decides: true, Common: maxBrief + 1, GeomeanBase: 1}
		for i := range maxBrief + 1 {
			var cells []assay.Comparison
			for _, v := range variants {
				cells = append(cells, changeOf(v, assay.Slower, assay.Change(i+1)/100, 0.01))
			}
			table.Rows = append(table.Rows, benchRow(fmt.Sprint("Op", i), 1, cells...))
		}
		for _, v := range variants {
			table.Geomean = append(table.Geomean, changeOf(v, assay.Slower, 0.06, 0.01))
		}
		return resultOf(append([]string{"a"}, variants...), table)
	}
	sameLines(t, "brief", sectionLines(New(long("b"), false, false).Brief().Sections()), "# sec/op", "geomean of 11", "11 slower, +1.0 % to +11.0 % (assay show r1 --all)")
	short := long("b")
	short.Tables[0].Rows = short.Tables[0].Rows[:maxBrief]
	for name, s := range map[string]*Sheet{"with all": New(long("b"), true, false), "of two": New(long("b",
		"c"), false, false), "in pairs": New(long("b"), false, true), "short": New(short, false, false)} {
		rows := len(s.Result.Tables[0].Rows)
		if got := s.Brief().Sections()[0]; len(got.Entries) != rows+1 || got.Tail != "" {
			t.Errorf("%s: %d entries and the tail %q, want %d entries", name, len(got.Entries), got.Tail, rows+1)
		}
	}
}

// A table in brief has a line for each variant: how its rows stand to its geomean. Names
// have the last element of their package.
func TestBriefTable(t *testing.T) {
	row := func(name string, b, c assay.Comparison) assay.Row { return benchRow(name, 1, b, c) }
	up := func(v string, by assay.Change) assay.Comparison { return changeOf(v, assay.Slower, by, 0.01) }
	down := func(v string, by assay.Change) assay.Comparison { return changeOf(v, assay.Faster, by, 0.01) }
	table := assay.Table{Metric: timeMetric, Decides: true, Common: 2, GeomeanBase: 1, Geomean: []assay.Comparison{up("b", 0.05), down("c", -0.05)},
		Rows: []assay.Row{row("q/p.A", up("b", 0.05), down("c", -0.05)), row("r.B", down("b", -0.03), up("c", 0.02))}}
	s := New(resultOf([]string{"a", "b", "c"}, table), false, false)
	sameLines(t, "rows", linesOf(s.BriefTable(s.Sections()[0], "(hint)")), "sec/op, vs base (hint)",
		"b: 1 slower, +5.0 %; 1 faster: r.B −3.0 %", "c: 1 faster, −5.0 %; 1 slower: r.B +2.0 %")
	sums := Section{Title: GeomeanWord, Entries: []Entry{{Label: "user-sec/op", Metric: assay.Metric{Name: assay.MetricUser}, Base: 1,
		Cells: []assay.Comparison{changeOf("b", assay.More, 0.05, 0.01), changeOf("c", assay.Unclear, 0, 0.03)}}}}
	sameLines(t, "geomeans", linesOf(s.BriefTable(sums, "")), "geomean, vs base", "user-sec/op: 1 more: b +5.0 %; 1 within ±3.0 %")
	many := New(manyVariants(MaxRows+2), false, false)
	many.Result.Tables[0].Rows = append(many.Result.Tables[0].Rows, benchRow("B", 1))
	lines := linesOf(many.BriefTable(many.Sections()[0], ""))
	if last := lines[len(lines)-1]; len(lines) != MaxRows+2 || last != "… 2 more variants" {
		t.Errorf("of many variants: %d lines, the last is %q", len(lines), last)
	}
}

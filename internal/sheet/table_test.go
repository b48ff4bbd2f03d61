package sheet

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A heading over one column stands as its cells do, one over several ends above a column
// of numbers, and else begins with the first of them.
func TestHeads(t *testing.T) {
	table := &Table{Columns: []Column{{Head: "name"}, {Head: "n", Align: Right}, {Head: "base", Over: 1, Align: Right}, {Align: Point},
		{Head: "vs base", Over: 1, Whole: true, Align: Right}, {}, {}}}
	table.Heads()
	want := []Head{{Text: "name"}, {From: 1, To: 1, Text: "n", Right: true}, {From: 2, To: 3, Text: "base", Right: true}, {From: 4, To: 5, Text: "vs base", Whole: true}}
	if got := table.Rows[0].Heads; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A part of a table has the first columns and a stretch of the others, with their
// headings; texts stay.
func TestPart(t *testing.T) {
	table := &Table{Columns: []Column{{Head: "a"}, {Head: "b"}, {Head: "c"}, {Head: "d"}}}
	table.Heads()
	table.Row(Word("1"), Word("2"), Word("3"), Word("4"))
	table.Text("lead", "text")
	table.Blank()
	sameLines(t, "the columns a, c and d", linesOf(table.Part(1, 1, 3)), "# a|c|d", "1|3|4", "lead: text", "")
	sameLines(t, "the columns a, b and c", linesOf(table.Part(2, 0, 1)), "# a|b|c", "1|2|3", "lead: text", "")
	if got := table.Part(1, 1, 3).Rows[0].Heads[2]; got.From != 2 || got.To != 2 {
		t.Errorf("the last heading is over the columns %d to %d, want 2", got.From, got.To)
	}
}

// Groups stand apart, the first one without a line before it; one without a heading is none.
func TestGroup(t *testing.T) {
	var table Table
	table.Group("", true)
	table.Group("first", true)
	table.Group("", false)
	table.Group("second", false)
	sameLines(t, "groups", linesOf(&table), "first", "", "second")
}

// A row of entries has the base and each variant beside it, with the columns of the layout;
// an entry that has no value says why.
func TestEntryTable(t *testing.T) {
	s := New(resultOf([]string{"a", "b", "c"}), false, false)
	small := changeOf("c", assay.Faster, -0.02, 0.01)
	small.MayBeSmall = true
	entries := []Entry{{Label: "Get", Metric: timeMetric, Base: 1, Cells: []assay.Comparison{changeOf("b", assay.Slower, 0.1, 0.01), small}},
		{Label: "Put", Heading: "pkg: p", Metric: timeMetric, Refused: "too few"}}
	for _, c := range []struct {
		name     string
		variants []string
		l        Layout
		want     string
	}{
		{"values", []string{"b"}, Layout{Values: true, Difference: true, Blocks: true}, "Get|1.00 s||1.10 s||+0.10 s|+10.0 %|[+9.0, +11.0]|slower|12"},
		{"half-widths and marks", []string{"b", "c"}, Layout{Half: true, Marks: true, Wordless: true}, "Get|1.00 s||+10.0 %|±1.0|▲|−2.0 %|±1.0|▼"},
		{"bare", []string{"b", "c"}, Layout{Bare: true}, "Get|1.00 s||+10.0 %|slower|−2.0 %|faster"},
		{"notes", []string{"c"}, Layout{Notes: true}, "Get|1.00 s||−2.0 %|[−3.0, −1.0]|faster|the change may be below 1 %"},
	} {
		table := s.EntryTable(entries, c.variants, c.l)
		sameLines(t, c.name, linesOf(table), c.want, "", "pkg: p", "Put: too few")
		if n := len(table.Rows[0].Cells); n != len(table.Columns) {
			t.Errorf("%s: %d cells in %d columns", c.name, n, len(table.Columns))
		}
	}
}

// The names of variants share the columns behind the base's among them.
func TestNameHeads(t *testing.T) {
	s := New(resultOf([]string{"a", "b", "c"}), false, false)
	table := s.EntryTable(nil, s.Shown, Layout{Values: true})
	table.NameHeads("web", "a", s.Shown)
	heads := table.Rows[0].Heads
	sameLines(t, "headings", linesOf(table), "# web|a|b|c")
	if b, c := heads[2], heads[3]; b.From != 3 || b.To+1 != c.From || c.To != len(table.Columns)-1 || c.To-c.From != b.To-b.From {
		t.Errorf("b is over %d to %d and c over %d to %d of %d columns", b.From, b.To, c.From, c.To, len(table.Columns))
	}
}

// A note gives way to what is good to know only where a layout asks for that, and why a
// server was saturated stands beside a row only where the layout has reasons.
func TestNoteColumn(t *testing.T) {
	for _, c := range []struct {
		l    Layout
		f    Fields
		want string
	}{
		{Layout{}, Fields{Note: "note", Aside: "aside"}, "note"},
		{Layout{}, Fields{Aside: "aside"}, ""},
		{Layout{Asides: true}, Fields{Note: "note", Aside: "aside"}, "note"},
		{Layout{Asides: true}, Fields{Aside: "aside"}, "aside"},
		{Layout{}, Fields{Note: "note", saturated: true}, ""},
		{Layout{Reasons: true}, Fields{Note: "note", saturated: true}, "note"},
	} {
		if got := c.l.note(c.f).Text; got != c.want {
			t.Errorf("%+v of %+v: got %q, want %q", c.l, c.f, got, c.want)
		}
	}
}

// manyVariants are n variants behind a base, each a bit slower than the one before.
func manyVariants(n int) *assay.Result {
	names := []string{"base"}
	var cells []assay.Comparison
	for i := range n {
		names = append(names, fmt.Sprint("v", i))
		cells = append(cells, changeOf(names[i+1], assay.Slower, assay.Change(i+1)/100, 0.001))
	}
	return resultOf(names, assay.Table{Metric: timeMetric, Decides: true, Rows: []assay.Row{benchRow("A", 1, cells...)}})
}

// A table with a row for each variant is cut to the first ones, and says how many more
// there are; with all it has every one.
func TestManyVariants(t *testing.T) {
	r := manyVariants(MaxRows + 5)
	entry := []Entry{EntryOf(r.Tables[0], r.Tables[0].Rows[0])}
	for all, want := range map[bool]int{false: MaxRows, true: MaxRows + 5} {
		s := New(r, all, false)
		turned, lineup := linesOf(s.TurnedTable("sec/op", entry)), linesOf(s.LineupTable(assay.Benchmark{Name: "web"}, entry, Layout{}))
		last := fmt.Sprintf("v%d|", want-1)
		for what, lines := range map[string][]string{"matrix": turned[2:], "lineup": lineup[2:]} {
			if !all {
				sameLines(t, what, lines[len(lines)-1:], "… 5 more variants (assay show r1 --all)")
				lines = lines[:len(lines)-1]
			}
			if len(lines) != want || lines[want-1][:len(last)] != last {
				t.Errorf("%s with all %t: %d variants, the last is %q, want %d", what, all, len(lines), lines[len(lines)-1], want)
			}
		}
	}
}

// A matrix with a row for each variant has the cells of the one with a column for each.
func TestTurnedTable(t *testing.T) {
	r := manyVariants(3)
	cells := r.Tables[0].Rows[0].Cells
	r.Tables[0].Rows = append(r.Tables[0].Rows, benchRow("B", 2, cells[2], cells[0]))
	s := New(r, false, false)
	sec := s.Sections()[0]
	sameLines(t, "matrix", linesOf(s.MatrixTable(sec)), "# sec/op, vs base|base|v0|v1|v2",
		"A|1.000 s|+1.0 % ▲|+2.0 % ▲|+3.0 % ▲", "B|2.000 s|+1.0 % ▲|–|+3.0 % ▲")
	sameLines(t, "turned", linesOf(s.TurnedTable(sec.Title, sec.Entries)), "# sec/op, vs base|A|B",
		"base|1.000 s|2.000 s", "v0|+1.0 % ▲|+1.0 % ▲", "v1|+2.0 % ▲|–", "v2|+3.0 % ▲|+3.0 % ▲")
}

// The lineup of a service has a group for each metric, a row for the base and one for each
// variant, or why there is no value.
func TestLineupTable(t *testing.T) {
	s := New(manyVariants(2), false, false)
	entries := []Entry{{Metric: assay.Metric{Name: "latency.p50"}, Base: 1, Cells: s.Result.Tables[0].Rows[0].Cells},
		{Metric: assay.Metric{Name: "latency.p99"}, Refused: TooFew(3)}}
	sameLines(t, "lineup", linesOf(s.LineupTable(assay.Benchmark{Name: "web"}, entries, Layout{Half: true})), "web · latency p50",
		"base|1.000 s||base", "v0|1.010 s||+1.0 %|±0.1|slower", "v1|1.020 s||+2.0 %|±0.1|slower",
		"", "web · latency p99", "too few: 10 requests beyond it needed, 3 seen")
}

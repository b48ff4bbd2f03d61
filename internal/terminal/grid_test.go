package terminal

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// A heading that is whole widens narrow columns, such as those of a table in which
// nothing is known yet.
func TestWholeHeading(t *testing.T) {
	for _, whole := range []bool{true, false} {
		table := &sheet.Table{Columns: []sheet.Column{{Head: "switch"}, {Head: "effect on time", Over: 2, Whole: whole, Gap: 2}, {Gap: 1}, {Gap: 1}}}
		table.Heads()
		table.Row(sheet.Word("gc"), sheet.Word("-"), sheet.Word("?"))
		var b strings.Builder
		NewGrid(Style{Width: 80}, table).Write(&b)
		if got, want := strings.Contains(b.String(), "effect on time\n"), whole; got != want {
			t.Errorf("whole %v: got\n%s", whole, b.String())
		}
	}
}

// Names that a cut in their middle would make the same are cut in each element.
func TestAlikeNames(t *testing.T) {
	for _, c := range []struct{ other, want string }{
		{"Unmarshal/Other/map", "Unmarsh…/struct"}, {"Unmarshal/ReferenceFile/struct", "Unm…/Sim…/str…"},
	} {
		tab := &sheet.Table{Columns: []sheet.Column{{Limit: 15}}}
		tab.Row(sheet.Word("Unmarshal/SimpleDocument/struct"))
		tab.Row(sheet.Word(c.other))
		var b strings.Builder
		NewGrid(Style{Width: 80}, tab).Write(&b)
		if first, _, _ := strings.Cut(b.String(), "\n"); first != c.want {
			t.Errorf("beside %s: got %s, want %s", c.other, first, c.want)
		}
	}
}

// A column has half-widths where all its intervals have one, else intervals only.
func TestColumnOfHalfWidths(t *testing.T) {
	half := sheet.Cell{Text: "±0.7", Full: "[+0.3, +1.7]"}
	for _, c := range []struct {
		other sheet.Cell
		want  string
	}{{sheet.Word("exact"), "±0.7"}, {sheet.Word("[−2.0, +0.1]"), "[+0.3, +1.7]"}} {
		tab := &sheet.Table{Columns: []sheet.Column{sheet.Interval(true)}}
		tab.Row(half)
		tab.Row(c.other)
		var b strings.Builder
		NewGrid(Style{}, tab).Write(&b)
		if !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), "±") != (c.want == "±0.7") {
			t.Errorf("beside %q: got\n%s", c.other.Text, b.String())
		}
	}
}

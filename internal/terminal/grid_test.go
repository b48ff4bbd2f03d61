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

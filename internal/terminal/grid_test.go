package terminal

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// TestWholeHeading: a heading that is whole widens narrow columns, as those of
// a table in which nothing is known yet.
func TestWholeHeading(t *testing.T) {
	for _, whole := range []bool{true, false} {
		g := &Grid{Style: Style{Width: 80}, Cols: []Column{{}, {Gap: 2}, {Gap: 1}, {Gap: 1}}}
		g.Head(Span{Text: "switch"}, Span{From: 1, To: 3, Text: "effect on time", Whole: whole})
		g.Row(sheet.Word("gc"), sheet.Word("-"), sheet.Word("?"))
		g.Measure()
		var b strings.Builder
		g.Write(&b)
		if got, want := strings.Contains(b.String(), "effect on time\n"), whole; got != want {
			t.Errorf("whole %v: got\n%s", whole, b.String())
		}
	}
}

package report

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// TestWholeHeading: a heading that is whole widens narrow columns, as those of
// a table in which nothing is known yet.
func TestWholeHeading(t *testing.T) {
	for _, whole := range []bool{true, false} {
		g := &grid{style: Style{Width: 80}, cols: []column{{}, {gap: 2}, {gap: 1}, {gap: 1}}}
		g.head(span{text: "switch"}, span{from: 1, to: 3, text: "effect on time", whole: whole})
		g.row(sheet.Word("gc"), sheet.Word("-"), sheet.Word("?"))
		g.measure()
		var b strings.Builder
		g.write(&b)
		if got, want := strings.Contains(b.String(), "effect on time\n"), whole; got != want {
			t.Errorf("whole %v: got\n%s", whole, b.String())
		}
	}
}

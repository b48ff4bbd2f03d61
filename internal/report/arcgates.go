package report

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// gates prints what became of the gates: failures with their evidence, and one line for
// all that held. Machines with the same lines share them.
func (a *arc) gates() {
	var said [][]string
	for _, x := range a.Panels {
		said = append(said, a.GateLines(x, a.showAll()))
	}
	same := !slices.ContainsFunc(said, func(l []string) bool { return !slices.Equal(l, said[0]) })
	for i, lines := range said {
		if len(lines) == 0 || same && i > 0 {
			continue
		}
		a.p.out.Blank()
		lead := "gates"
		if !same {
			a.p.out.Labelled(lead, sheet.Plain, "on "+a.Panels[i].Name)
			lead = ""
		}
		for _, l := range lines {
			text := strings.TrimLeft(l, " ")
			a.p.out.Hanging(lead, terminal.LabelWidth+len(l)-len(text), sheet.Plain, text)
			lead = ""
		}
	}
}

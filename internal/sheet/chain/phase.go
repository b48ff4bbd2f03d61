package chain

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Over says which benchmarks and blocks the chain's geomean, and each step's change, rest
// on.
func (ch *Chain) Over() (out []string) {
	for _, x := range ch.Panels {
		t := x.First()
		if t == nil || len(t.Geomean) == 0 {
			continue
		}
		text := "geomean of " + printable.Count(t.Common, "benchmark") + sheet.OtherBlocks(x.Result, t.Geomean)
		var steps []assay.Comparison
		for _, s := range t.Steps {
			if s.Whole != nil {
				steps = append(steps, *s.Whole)
			}
		}
		if least, most := answer.BlocksOf(steps); most > 0 && least < most {
			text += fmt.Sprintf(", a step with the previous in %d–%d blocks", least, most)
		}
		out = append(out, sheet.JoinWords(": ", x.Name, text))
	}
	return out
}

// Star is the mark of a step with which a phase begins: "★A".
func (ch *Chain) Star(i int) string {
	if p := ch.Steps[i].Phase; p != "" && (i == 0 || ch.Steps[i-1].Phase != p) {
		return "★" + p
	}
	return ""
}

// PhaseNames returns the phases of the steps, each with its star.
func (ch *Chain) PhaseNames() (out []string) {
	for _, p := range ch.phases {
		if p.Name != "" && p.Name != p.ID {
			out = append(out, "★"+p.ID+" "+p.Name)
		}
	}
	return out
}

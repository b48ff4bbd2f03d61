package report

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// over says what the geomean of the chain is over, and each step's change.
func (ch *chain) over() (out []string) {
	for _, x := range ch.panels {
		t := x.first()
		if t == nil || len(t.Geomean) == 0 {
			continue
		}
		s := &sheet.Sheet{Result: x.r}
		text := "geomean of " + printable.Count(t.Common, "benchmark") + s.OtherBlocks(t.Geomean)
		var steps []assay.Comparison
		for _, s := range t.Steps {
			if s.Whole != nil {
				steps = append(steps, *s.Whole)
			}
		}
		if least, most := sheet.BlocksOf(steps); most > 0 && least < most {
			text += fmt.Sprintf(", a step with the previous in %d–%d blocks", least, most)
		}
		out = append(out, sheet.JoinWords(": ", x.name, text))
	}
	return out
}

func (ch *chain) title() string {
	what := sheet.EffectMetric(ch.metric()) + " vs base"
	for _, x := range ch.panels {
		if t := x.first(); t != nil && len(t.Geomean) > 0 {
			return "geomean " + what
		}
	}
	return what
}

// values are those of the base and of every step. A step that is the same code as
// another has its value.
func (ch *chain) values(x panel) []float64 {
	out := []float64{1}
	for _, s := range ch.steps {
		out = append(out, x.value(s.Variant))
	}
	return out
}

// star marks the step with this index where a phase begins: "★A".
func (ch *chain) star(i int) string {
	if p := ch.steps[i].Phase; p != "" && (i == 0 || ch.steps[i-1].Phase != p) {
		return "★" + p
	}
	return ""
}

func (ch *chain) phaseNames() (out []string) {
	for _, p := range ch.phases {
		if p.Name != "" && p.Name != p.ID {
			out = append(out, "★"+p.ID+" "+p.Name)
		}
	}
	return out
}

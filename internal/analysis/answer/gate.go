package answer

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// gateAnswer says whether any benchmark is worse than the gate allows: proved, not merely
// unclear.
func gateAnswer(a *assay.Answer, e Evidence) {
	limit := printable.Share(e.Plan.Study.Decide.Gate)
	switch {
	case len(e.Failed) > 0:
		a.Gate = GateFailed
		a.Text = append(a.Text, fmt.Sprintf("gate of %s failed: %s", limit, Few(e.Failed)))
	case len(e.Open) > 0:
		a.Gate = GateOpen
		a.Text = append(a.Text, fmt.Sprintf("gate of %s not decided: %s", limit, Few(e.Open)))
	default:
		a.Gate = GateHeld
		a.Text = append(a.Text, fmt.Sprintf("gate of %s held", limit))
	}
}

// Few joins names; of many it names a few and their number.
func Few(names []string) string {
	if len(names) <= maxNamed+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%d comparisons: %s and %d more", len(names), strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
}

// maxNamed is the number of names in a sentence.
const maxNamed = 5

// What a gate says of a cell and of a study.
const (
	GateHeld   = "held"
	GateFailed = "failed"
	GateOpen   = "undecided"
)

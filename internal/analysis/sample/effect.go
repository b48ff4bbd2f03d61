package sample

import (
	"strings"

	"github.com/seed-1318a441/assay"
)

// An Effect is what a switch does, or what two do beyond what each does alone, without
// figures.
type Effect struct {
	assay.Effect
	// Contrast compares the variants that show it.
	Contrast Contrast
}

// Interaction reports whether an effect is that of two switches beyond each alone.
func (e Effect) Interaction() bool { return len(e.Switches) > 1 }

// Title names an effect where a comparison names its variant.
func (e Effect) Title() string {
	var parts []string
	for _, s := range e.Switches {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, " × ")
}

package knobs

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// An Asker is the variant that requests a knob.
type Asker struct {
	// Variant is its name; "" stands for the build flags of all variants.
	Variant string
	// Version is its toolchain.
	Version string
}

// String begins a message.
func (a Asker) String() string {
	if a.Variant == "" {
		return "build flags"
	}
	return fmt.Sprintf("variant %q", a.Variant)
}

// A refused is an unfinished error.
type refused struct{ assay.Error }

func refusal(code assay.Code, text string) *refused {
	return &refused{assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{Code: code, Text: text}}}
}

// close lists the known names close to one that does not exist, and returns the closest.
// Without any it is "", and the remedy is the list of all.
func (e *refused) close(a Asker, name string, known []Knob) string {
	similar := printable.NearestNames(name, names(known))
	if len(similar) == 0 {
		e.Try = "assay knobs " + a.Version
		return ""
	}
	e.Facts = []string{"close: " + strings.Join(similar, ", ")}
	return similar[0]
}

package host

import (
	"cmp"
	"slices"

	"github.com/seed-1318a441/assay"
)

// A Level says how much a finding matters.
type Level string

// The levels, those that matter most first.
const (
	// Severe findings make results worthless rather than less sharp.
	Severe Level = "severe"
	// Note is for what makes results less sharp, or leaves something out.
	Note Level = "note"
	// Fine is for what was looked at and is as it should be.
	Fine Level = "fine"
	// Unknown is for what this system does not tell.
	Unknown Level = "unknown"
)

// A Finding is one thing about this machine that was looked at.
type Finding struct {
	// Code is stable, such as "governor".
	Code  assay.Code `json:"code"`
	Level Level      `json:"level"`
	// Text is what is the case; Effect what it does to results, Cure the command or
	// action against it, both "" where there is none.
	Text   string `json:"text"`
	Effect string `json:"effect,omitempty"`
	Cure   string `json:"cure,omitempty"`
	// Fixable findings are cured by [Keeper.Apply], which can put back what was.
	Fixable bool `json:"fixable,omitempty"`
}

// Spoils reports whether the finding would spoil a measurement.
func (f Finding) Spoils() bool { return f.Level == Severe || f.Level == Note }

func fine(code assay.Code, text string) []Finding {
	return []Finding{{Code: code, Level: Fine, Text: text}}
}

// unknown names what is not told, in a word or two that go into a list.
func unknown(code assay.Code, what string) []Finding {
	return []Finding{{Code: code, Level: Unknown, Text: what}}
}

// sortFindings puts those that matter most first and keeps the order otherwise.
func sortFindings(all []Finding) {
	rank := func(f Finding) int { return slices.Index([]Level{Severe, Note, Fine, Unknown}, f.Level) }
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(rank(a), rank(b)) })
}

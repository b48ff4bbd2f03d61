package check

import (
	"cmp"
	"slices"

	"github.com/seed-1318a441/assay"
)

// A Level says how much a finding matters.
type Level string

// The levels, those that matter most first.
const (
	// Severe findings make results worthless, not just less precise.
	Severe Level = "severe"
	// Note is for what makes results less precise, or omits something.
	Note Level = "note"
	// Fine is for what was checked and is as it should be.
	Fine Level = "fine"
	// Unknown is for what this system does not report.
	Unknown Level = "unknown"
)

// A Finding is the result of one check of this machine.
type Finding struct {
	// Code is stable, such as "governor".
	Code  assay.Code `json:"code"`
	Level Level      `json:"level"`
	// Text is the fact, Effect its effect on results. Cure is a command or action against
	// it. Undo is the command that takes back a Cure that changes a setting. All but Text
	// may be "".
	Text   string `json:"text"`
	Effect string `json:"effect,omitempty"`
	Cure   string `json:"cure,omitempty"`
	Undo   string `json:"undo,omitempty"`
}

// Spoils reports whether the finding would spoil a measurement.
func (f Finding) Spoils() bool { return f.Level == Severe || f.Level == Note }

func fine(code assay.Code, text string) []Finding {
	return []Finding{{Code: code, Level: Fine, Text: text}}
}

// unknown returns a finding about something unknown, named in a word or two for use in a
// list.
func unknown(code assay.Code, what string) []Finding {
	return []Finding{{Code: code, Level: Unknown, Text: what}}
}

// sortFindings sorts the most important ones first; the order is otherwise stable.
func sortFindings(all []Finding) {
	rank := func(f Finding) int { return slices.Index([]Level{Severe, Note, Fine, Unknown}, f.Level) }
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(rank(a), rank(b)) })
}

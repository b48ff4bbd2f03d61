package sheet

import "strings"

// A Tone says why a text is painted.
type Tone int

// The tones of a cell, a sentence or a line.
const (
	Plain Tone = iota
	Good
	Bad
	Changed // a proved change that is neither good nor bad
	Strong
	StrongGood
	StrongBad
	Faint // no finding
)

// Class is how HTML and SVG name a tone: "better", "worse", or "".
func (t Tone) Class() string {
	switch t {
	case Good, StrongGood:
		return "better"
	case Bad, StrongBad:
		return "worse"
	}
	return ""
}

// A Cell is a figure or a word of a table. The unit of a figure is apart, so that columns
// can align its digits.
type Cell struct {
	Text string
	Unit string // printed after a space
	Num  bool   // the text is a number
	Tone Tone
	// Full is the interval of a half-width: it takes its place where others of the column
	// have none.
	Full string
}

// Joined is the cell as one text: the figure with its unit.
func (c Cell) Joined() string { return strings.TrimSuffix(c.Text+" "+c.Unit, " ") }

// Joined is the texts of cells one after the other, less empty ones.
func Joined(cells ...Cell) string {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = c.Joined()
	}
	return JoinWords(" ", texts...)
}

// Word is a cell with a text.
func Word(text string) Cell { return Cell{Text: text} }

// Toned is a cell with a text in a tone.
func Toned(text string, t Tone) Cell { return Cell{Text: text, Tone: t} }

// Number is a cell with digits and their unit, or with the sign for a missing number.
func Number(digits, unit string) Cell {
	if digits == None {
		return Word(digits)
	}
	return Cell{Text: digits, Unit: unit, Num: true}
}

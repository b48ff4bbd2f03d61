package report

import "strings"

// A tone is why a text is painted.
type tone int

// The tones of a cell, a sentence or a line.
const (
	plain tone = iota
	good
	bad
	strong
	strongGood
	strongBad
	faint // what is no finding
)

// A cell is a figure or a word of a table. A figure has its unit apart, so that
// columns can align the digits.
type cell struct {
	text string
	unit string // printed after a space; marks text as a number
	num  bool
	tone tone
}

// joined is the cell as one text: the figure with its unit.
func (c cell) joined() string { return strings.TrimSuffix(c.text+" "+c.unit, " ") }

// word is a cell with a text.
func word(text string) cell { return cell{text: text} }

// toned is a cell with a text in a tone.
func toned(text string, t tone) cell { return cell{text: text, tone: t} }

// number is a cell with digits and their unit, or with the sign for no number.
func number(digits, unit string) cell {
	if digits == none {
		return word(digits)
	}
	return cell{text: digits, unit: unit, num: true}
}

package page

import (
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A table is a table whose cells are ready to be read, by the script or as HTML.
// The first column has names.
type table struct {
	Name string       `json:"name"`
	Head []columnHead `json:"head"`
	Rows [][]cell     `json:"rows"`
	// More tells of rows that were left out of HTML.
	More string `json:"-"`
}

type columnHead struct {
	Text string `json:"text"`
	Num  bool   `json:"num,omitempty"`
}

// columnHeads are a column of words and several of figures.
func columnHeads(words string, figures ...string) []columnHead {
	out := []columnHead{{Text: printable.Clean(words)}}
	for _, f := range figures {
		out = append(out, columnHead{printable.Clean(f), true})
	}
	return out
}

// A cell is the text of a cell, its class where it has one, and the length of a
// bar below it, between -1 and 1. In HTML a wide one spans columns.
type cell struct {
	Text  string  `json:"text"`
	Class string  `json:"class,omitempty"`
	Bar   float64 `json:"bar,omitempty"`
	Wide  int     `json:"-"`
}

func plainText(text string) cell { return cell{Text: printable.Clean(text)} }

func cellsOf(cells []sheet.Cell) []cell {
	out := make([]cell, len(cells))
	for i, c := range cells {
		out[i] = cell{Text: printable.Clean(c.Joined()), Class: classOfTone(c.Tone)}
	}
	return out
}

// unbroken are figures and words that no line break tears.
func unbroken(cells ...sheet.Cell) []cell {
	out := cellsOf(cells)
	for i := range out {
		out[i].Text = strings.ReplaceAll(out[i].Text, " ", "\u00a0")
	}
	return out
}

func classOfTone(t sheet.Tone) string {
	switch t {
	case sheet.Good, sheet.StrongGood:
		return "better"
	case sheet.Bad, sheet.StrongBad:
		return "worse"
	}
	return ""
}

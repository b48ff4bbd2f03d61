package page

import (
	"strings"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// A table has cells that the script or HTML shows as they are. The first column has
// names.
type table struct {
	Name string       `json:"name"`
	Head []columnHead `json:"head"`
	Rows [][]cell     `json:"rows"`
	// More counts the rows that HTML leaves out.
	More string `json:"-"`
}

type columnHead struct {
	Text string `json:"text"`
	Num  bool   `json:"num,omitempty"`
}

// columnHeads returns the heads of a column of words and of several columns of figures.
func columnHeads(words string, figures ...string) []columnHead {
	out := []columnHead{{Text: words}}
	for _, f := range figures {
		out = append(out, columnHead{f, true})
	}
	return out
}

// A cell is the text of a cell, the class that colors it, and the length of a bar below
// it, from -1 to 1. In HTML it spans Wide columns.
type cell struct {
	Text  string  `json:"text"`
	Class string  `json:"class,omitempty"`
	Bar   float64 `json:"bar,omitempty"`
	Wide  int     `json:"-"`
}

func plainText(text string) cell { return cell{Text: text} }

func cellsOf(cells []sheet.Cell) []cell {
	out := make([]cell, len(cells))
	for i, c := range cells {
		out[i] = cell{Text: c.Joined(), Class: c.Tone.Class()}
	}
	return out
}

// rowsOf are the rows of a table, without those that are no cells.
func rowsOf(t *sheet.Table) [][]cell {
	rows := [][]cell{}
	for _, r := range t.Rows {
		if cs := cellsOf(r.Cells); len(cs) > 0 {
			cs[0].Text = strings.TrimLeft(cs[0].Text, " ")
			rows = append(rows, cs)
		}
	}
	return rows
}

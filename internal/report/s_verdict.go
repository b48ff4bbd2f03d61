package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

func toneOf(v assay.Verdict) tone {
	switch {
	case v.Good():
		return good
	case v.Bad():
		return bad
	}
	return plain
}

// verdictWord is the record's word; where up may be good, it says so.
func verdictWord(v assay.Verdict) string {
	switch v {
	case assay.Withheld:
		return "–"
	case assay.Higher:
		return string(v) + ", better"
	case assay.Lower:
		return string(v) + ", worse"
	}
	return string(v)
}

// mark is the sign of a verdict in a matrix: where the value went, not
// whether that is good.
func mark(c assay.Comparison) string {
	switch v := c.Verdict; {
	case v == assay.Same:
		return "="
	case v == assay.SameCoded:
		return "≡"
	case v == assay.Withheld:
		return ""
	case !v.Differs():
		return "?"
	case v == assay.Faster, v == assay.Less, v == assay.Lower:
		return "▼"
	case v == assay.Changed && (c.Change < 0 || c.Difference < 0):
		return "▼"
	}
	return "▲"
}

// matrixCell is the change and its mark, or the word where there is none.
func (s *Sheet) matrixCell(e entry, variant string) cell {
	c, ok := e.of(variant)
	if !ok {
		return word("–")
	}
	if c.Verdict == assay.Invalid || c.Verdict == assay.Saturated {
		return word(string(c.Verdict))
	}
	change, _, _ := changeCells(e, c)
	text := change.joined() + " " + mark(c)
	return toned(text, toneOf(c.Verdict))
}

// A legend has the words of the verdicts that a mark stands for.
type legend map[string][]string

func (l *legend) add(c assay.Comparison) {
	m, w := mark(c), string(c.Verdict)
	if m == "" {
		return
	}
	if m == "?" {
		w = string(assay.Unclear)
	}
	if *l == nil {
		*l = legend{}
	}
	if !slices.Contains((*l)[m], w) {
		(*l)[m] = append((*l)[m], w)
	}
}

package sheet

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// ToneOf is the tone of a verdict: whether it proves a change, and a good or a bad one.
func ToneOf(v assay.Verdict) Tone {
	switch {
	case v.Good():
		return Good
	case v.Bad():
		return Bad
	case v.Differs():
		return Changed
	}
	return Plain
}

// AnswerTone is the tone of the lines of an answer.
func AnswerTone(a assay.Answer) Tone {
	switch {
	case a.Gate == answer.GateFailed:
		return StrongBad
	case a.Gate == answer.GateOpen:
		return Strong
	case a.Verdict.Good():
		return StrongGood
	case a.Verdict.Bad():
		return StrongBad
	}
	return Strong
}

// VerdictWords are the words of a comparison. Of metrics of which more may be better they
// say whether it is.
func VerdictWords(c assay.Comparison) string {
	switch c.Verdict {
	case assay.Withheld:
		return None
	case assay.Higher:
		return string(c.Verdict) + ", better"
	case assay.Lower:
		return string(c.Verdict) + ", worse"
	}
	return c.Words()
}

// Mark is the sign of a verdict in a matrix: the direction of the change, not whether it
// is good.
func Mark(c assay.Comparison) string {
	switch v := c.Verdict; {
	case v == assay.Same:
		return "="
	case v == assay.SameCoded:
		return "≡"
	case v == assay.Withheld:
		return ""
	case !v.Differs():
		return "?"
	case v == assay.Faster, v == assay.Less, v == assay.Lower, v == assay.Changed && (c.Change < 0 || c.Difference < 0):
		return "▼"
	}
	return "▲"
}

// MatrixCell is the change and its mark, or the word where there is none.
func MatrixCell(e Entry, variant string) Cell {
	c, ok := e.Of(variant)
	if !ok {
		return Word(None)
	}
	if c.Verdict == assay.Invalid || c.Verdict == assay.Saturated {
		return Word(string(c.Verdict))
	}
	change, _, _ := ChangeCells(e, c)
	text := change.Joined() + " " + Mark(c)
	return Toned(text, ToneOf(c.Verdict))
}

// A Legend has the words of the verdicts that a mark stands for.
type Legend map[string][]string

// Add keeps the word and the mark of a verdict.
func (l *Legend) Add(c assay.Comparison) {
	m, w := Mark(c), string(c.Verdict)
	if m == "" {
		return
	}
	if m == "?" {
		w = string(assay.Unclear)
	}
	if *l == nil {
		*l = Legend{}
	}
	if !slices.Contains((*l)[m], w) {
		(*l)[m] = append((*l)[m], w)
	}
}

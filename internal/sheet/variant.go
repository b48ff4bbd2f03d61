package sheet

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// SameText says what a variant is the same code as, and how much the control
// differed, which is noise.
func (s *Sheet) SameText(v assay.VariantResult) string {
	text := string(assay.SameCoded) + " as " + v.SameAs.As
	if !v.SameAs.Control && s.Result.Noise.Control != v.Name {
		return text
	}
	text += ", used as control"
	var worst assay.Comparison
	for _, c := range s.Result.Noise.Cells {
		if c.Interval != nil && math.Abs(c.Change.Log()) >= math.Abs(worst.Change.Log()) {
			worst = c
		}
	}
	if worst.Interval == nil {
		return text
	}
	return text + ": " + unsigned(ChangeDigits(worst.Change, worst.Interval.Half())) + " % off at most"
}

// Suite is the entry that stands for the whole suite: the geomean of the first
// table, or its only row.
func (s *Sheet) Suite() (Entry, string) {
	t := s.Result.Tables[0]
	if len(t.Geomean) > 0 {
		e := s.Geomean(t)
		return e, e.Label
	}
	if len(t.Rows) == 1 {
		return EntryOf(t, t.Rows[0]), t.Rows[0].Benchmark.Name
	}
	return Entry{Metric: t.Metric, Base: math.NaN()}, ""
}

// VariantCells are the line of a variant over the whole suite, of which e is the entry:
// change, interval or half-width, verdict, and how many benchmarks are better, the same,
// worse and unclear. The base has its name and value, the same code one text.
func (s *Sheet) VariantCells(v assay.VariantResult, e Entry, half bool) []Cell {
	switch {
	case v.Name == s.Result.Base:
		return []Cell{Word("base"), Word(e.BaseCell().Joined())}
	case v.SameAs != nil:
		return []Cell{Word("≡ " + s.SameText(v))}
	}
	f := Fields{}
	if len(e.Cells) > 0 {
		f = s.Fields(e, v.Name)
	}
	cs := []Cell{f.Change, f.Extent(half), f.Verdict}
	for _, n := range []int{v.Better, v.Same, v.Worse, v.Unclear} {
		if n == 0 {
			cs = append(cs, Word(None))
			continue
		}
		cs = append(cs, Word(printable.Int(n)))
	}
	return cs
}

// CountHeads are the heads over the counts of better, same, worse and unclear
// rows, in the words of the verdicts or their marks.
func CountHeads(m assay.Metric, marks bool) []string {
	sign := -1.0
	if m.Better == assay.BetterHigher {
		sign = 1
	}
	better, worse := assay.Differing(m, sign), assay.Differing(m, -sign)
	heads := []string{string(better), string(assay.Same), string(worse), string(assay.Unclear)}
	switch {
	case better == assay.Changed:
		heads[0], heads[2] = "better", "worse"
	case marks:
		heads = []string{Mark(assay.Comparison{Verdict: better}), "=", Mark(assay.Comparison{Verdict: worse}), "?"}
	}
	return heads
}

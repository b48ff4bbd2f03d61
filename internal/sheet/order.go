package sheet

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A class orders rows by what readers want to see first.
type class int

const (
	isWorse class = iota
	isBetter
	isChanged
	isUnclear
	isWithheld
	isSame
)

// classOf is the first class that any variant of the row falls into.
func classOf(r assay.Row) class {
	best := isSame
	for _, c := range r.Cells {
		best = min(best, classOfCell(c))
	}
	return best
}

func classOfCell(c assay.Comparison) class {
	switch v := c.Verdict; {
	case v.Bad():
		return isWorse
	case v.Good():
		return isBetter
	case v.Differs():
		return isChanged
	case v == assay.Same || v == assay.SameCoded:
		return isSame
	case v == assay.Withheld:
		return isWithheld
	}
	return isUnclear
}

// size is the largest change of a row, as a logarithm. Changes that have none do not
// count.
func size(r assay.Row) float64 {
	most := 0.0
	for _, c := range r.Cells {
		if l := math.Abs(c.Change.Log()); l > most {
			most = l
		}
	}
	return most
}

// cap chooses so many rows: first the worse ones, then the better, each by size, a quarter
// of the room at least. Rows without verdicts go by size alone. The tail counts what was
// left out.
func (s choice) cap(rows []assay.Row, room int) (kept []assay.Row, tail string) {
	by := map[class][]assay.Row{}
	for _, r := range rows {
		c := classOf(r)
		by[c] = append(by[c], r)
	}
	take := func(c class, most int) {
		list := by[c]
		slices.SortStableFunc(list, func(a, b assay.Row) int { return cmp.Compare(size(b), size(a)) })
		n := min(len(list), most, room)
		kept, by[c] = append(kept, list[:n]...), list[n:]
		room -= n
	}
	take(isWorse, room-min(room/4, len(by[isBetter])+len(by[isChanged])))
	take(isBetter, room)
	take(isChanged, room)
	take(isWithheld, room)
	var left []assay.Row
	for c := isWorse; c <= isSame; c++ {
		left = append(left, by[c]...)
	}
	return kept, "… " + counts(left) + " " + s.sheet.ShowAll()
}

// counts says how many rows have which verdict: that of the comparison that put each into
// its class.
func counts(rows []assay.Row) string {
	list := make([]assay.Comparison, len(rows))
	for i, r := range rows {
		list[i].Verdict = assay.Same
		if k := slices.IndexFunc(r.Cells, func(c assay.Comparison) bool { return classOfCell(c) == classOf(r) }); k >= 0 {
			list[i] = r.Cells[k]
		}
	}
	return answer.Counts(list)
}

// fold chooses the rows that are printed. It leaves out rows of which nothing is known
// yet, but for the few with the largest changes so far, and what is beyond the room, and
// says so in the tail.
func (s choice) fold(rows []assay.Row, room int) (kept []assay.Row, tail string) {
	var unknown []int
	for i, r := range rows {
		if !s.bounded(r) {
			unknown = append(unknown, i)
		}
	}
	slices.SortStableFunc(unknown, func(i, k int) int { return cmp.Compare(size(rows[k]), size(rows[i])) })
	largest := unknown[:min(len(unknown), maxUnknown)]
	for i, r := range rows {
		if s.bounded(r) || slices.Contains(largest, i) {
			kept = append(kept, r)
		}
	}
	if n := len(rows) - len(kept); n > 0 {
		tail = "… " + printable.Int(n) + " more without an interval yet " + s.sheet.ShowAll()
	}
	if len(kept) <= room {
		return kept, tail
	}
	rows, more := s.cap(kept, room)
	if tail != "" {
		more = JoinWords("; ", more, strings.TrimPrefix(tail, "… "))
	}
	return rows, more
}

// maxUnknown is the number of rows of which nothing is known yet that are printed.
const maxUnknown = 8

// bounded reports whether anything is known of a row. Nothing is before the least number
// of blocks, but of exact counts.
func (s choice) bounded(r assay.Row) bool {
	return slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Unclear || c.Interval != nil || c.Exact || c.N >= s.sheet.Result.Rule.MinBlocks
	})
}

// Unchanged reports whether nothing changed in any row.
func Unchanged(rows []assay.Row) bool {
	return !slices.ContainsFunc(rows, func(r assay.Row) bool { return !isUnchanged(r) })
}

// isUnchanged reports whether no variant of a row differs or may differ.
func isUnchanged(r assay.Row) bool {
	return !slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Same && c.Verdict != assay.SameCoded && !seenEqual(c) && !equalSoFar(c)
	})
}

func equalSoFar(c assay.Comparison) bool { return c.SoFar() && c.Difference == 0 }

// unchangedWord is "unchanged", or "unchanged so far" where that is all that is known of a
// row.
func unchangedWord(rows []assay.Row) string {
	for _, r := range rows {
		if slices.ContainsFunc(r.Cells, equalSoFar) {
			return "unchanged " + soFar
		}
	}
	return "unchanged"
}

// seenEqual reports whether imported results, which have no verdict, show no difference.
// That is not exact: nobody knows whether every one was equal.
func seenEqual(c assay.Comparison) bool {
	return c.Verdict == assay.Withheld && c.Change == 0 && c.Difference == 0 && c.Spread != nil && c.Spread.Lo == c.Spread.Hi
}

func allExact(r assay.Row) bool {
	return !slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return !c.Exact && c.Verdict != assay.SameCoded
	})
}

// ChangedRows are the rows of a table that prove a change, the worse first.
func ChangedRows(t assay.Table) []assay.Row {
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r assay.Row) bool {
		return !slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool { return c.Verdict.Differs() })
	})
	slices.SortStableFunc(rows, func(a, b assay.Row) int {
		return cmp.Or(cmp.Compare(classOf(a), classOf(b)), cmp.Compare(size(b), size(a)))
	})
	return rows
}

package sheet

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A class orders rows by what one wants to see first.
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

// size is the largest change of a row, in logs.
func size(r assay.Row) float64 {
	most := 0.0
	for _, c := range r.Cells {
		if l := math.Abs(c.Change.Log()); l > most {
			most = l
		}
	}
	return most
}

// cap chooses at most MaxRows rows: the worse, then the better, each by size;
// and tells what was left out. Rows without verdicts go by size alone.
func (s choice) cap(rows []assay.Row) (kept []assay.Row, tail string) {
	by := map[class][]assay.Row{}
	for _, r := range rows {
		c := classOf(r)
		by[c] = append(by[c], r)
	}
	room := MaxRows
	take := func(c class, most int) {
		list := by[c]
		slices.SortStableFunc(list, func(a, b assay.Row) int { return cmp.Compare(size(b), size(a)) })
		n := min(len(list), most, room)
		kept, by[c] = append(kept, list[:n]...), list[n:]
		room -= n
	}
	take(isWorse, MaxRows-min(minBetter, len(by[isBetter])+len(by[isChanged])))
	take(isBetter, room)
	take(isChanged, room)
	take(isWithheld, room)
	var left []assay.Row
	for c := isWorse; c <= isSame; c++ {
		left = append(left, by[c]...)
	}
	return kept, "… " + counts(left) + " " + s.ShowAll()
}

// counts tells rows by verdict: "412 same, 3 unclear". The words are those of
// the record.
func counts(rows []assay.Row) string {
	var words []string
	n := map[string]int{}
	for _, r := range rows {
		w := wordOf(r)
		if n[w] == 0 {
			words = append(words, w)
		}
		n[w]++
	}
	for i, w := range words {
		words[i] = printable.Int(n[w]) + " " + w
	}
	return strings.Join(words, ", ")
}

// wordOf is the verdict that put a row into its class.
func wordOf(r assay.Row) string {
	best := classOf(r)
	for _, c := range r.Cells {
		if classOfCell(c) == best {
			if c.Verdict == assay.Withheld {
				return "without verdict"
			}
			return string(c.Verdict)
		}
	}
	return string(assay.Same)
}

// fold chooses the rows that are printed, and tells what was left out: the rows of
// which nothing is known yet, but for a few, and what is beyond MaxRows.
func (s choice) fold(rows []assay.Row) (kept []assay.Row, tail string) {
	unknown := 0
	for _, r := range rows {
		if !s.bounded(r) {
			unknown++
		}
		if s.bounded(r) || unknown <= maxUnknown {
			kept = append(kept, r)
		}
	}
	if n := len(rows) - len(kept); n > 0 {
		tail = "… " + printable.Int(n) + " more without an interval yet " + s.ShowAll()
	}
	if len(kept) <= MaxRows {
		return kept, tail
	}
	rows, more := s.cap(kept)
	if tail != "" {
		more = JoinWords("; ", more, strings.TrimPrefix(tail, "… "))
	}
	return rows, more
}

// maxUnknown is the number of rows of which nothing is known yet that are printed.
const maxUnknown = 8

// bounded reports whether something is known of a row. Before the least number of
// blocks nothing is.
func (s choice) bounded(r assay.Row) bool {
	return slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Unclear || c.Interval != nil || c.N >= s.Result.Rule.MinBlocks
	})
}

// Unchanged is the number of rows in which nothing changed.
func Unchanged(rows []assay.Row) int {
	n := 0
	for _, r := range rows {
		if isUnchanged(r) {
			n++
		}
	}
	return n
}

// isUnchanged reports whether no variant of a row differs or may differ.
func isUnchanged(r assay.Row) bool {
	return !slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Same && c.Verdict != assay.SameCoded && !seenEqual(c)
	})
}

// seenEqual reports whether nothing of results of others, which have no verdict,
// shows a difference. That is not exact: nobody knows whether every one was equal.
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

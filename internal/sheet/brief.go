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

// Rows in brief: a count for each verdict, with the range of the changes, and names only
// for what differs from the geomean.

const (
	// maxBrief is the number of rows that a brief table has before it is its geomean.
	maxBrief = 10
	// maxNamed is the number of rows that are named for one verdict.
	maxNamed = 3
)

// Brief is the sheet with the geomean alone of each long table, and how its rows stand to
// it. Where all of everything is wanted it is the sheet itself.
func (s *Sheet) Brief() *Sheet {
	out := *s
	out.brief = !s.all && !s.pairs && !s.Foreign && len(s.Shown) == 1
	return &out
}

func (s choice) briefly(t assay.Table) bool {
	return s.sheet.brief && len(t.Rows) > maxBrief && len(t.Geomean) > 0
}

// rowsOf is how the rows of a table stand to its geomean, of a sheet with one variant.
func (s choice) rowsOf(t assay.Table) string {
	list := make([]named, 0, len(t.Rows))
	for _, r := range t.Rows {
		if c, ok := EntryOf(t, r).Of(s.sheet.Shown[0]); ok {
			list = append(list, named{RowName(t, r), EntryOf(t, r), c})
		}
	}
	return standingTo(Geomean(s.sheet.Result, t), s.sheet.Shown[0], list)
}

// BriefTable has a line for each variant: how its rows of a section stand to its geomean.
// Of a section of geomeans it has a line for each of them: how the variants stand. The
// hint says how to see the rows.
func (s *Sheet) BriefTable(sec Section, hint string) *Table {
	t := &Table{Columns: []Column{{}}}
	t.Text("", JoinWords(" ", sec.Title+", vs base", hint))
	if sec.Title == GeomeanWord || s.Single() {
		for _, e := range sec.Entries {
			var list []named
			for _, v := range s.Shown {
				if c, ok := e.Of(v); ok {
					list = append(list, named{v, e, c})
				}
			}
			t.Text(e.Label, standingTo(Entry{}, "", list))
		}
		return t
	}
	for i, v := range s.Shown {
		if i == MaxRows {
			t.Text("", "… "+printable.Count(len(s.Shown)-i, "more variant"))
			break
		}
		var whole Entry
		var list []named
		pkg := ""
		for _, e := range sec.Entries {
			if p, ok := strings.CutPrefix(e.Heading, "pkg: "); ok {
				pkg = p[strings.LastIndex(p, "/")+1:] + "."
			}
			switch c, ok := e.Of(v); {
			case !ok:
			case e.Geomean:
				whole = e
			default:
				list = append(list, named{pkg + e.Label, e, c})
			}
		}
		t.Text(v, standingTo(whole, v, list))
	}
	return t
}

// A named comparison of an entry, by what it is called among others.
type named struct {
	name string
	Entry
	assay.Comparison
}

// standingTo is "4 slower, +1.8 % to +14.6 %; 1 faster: parse -1.4 %; 3 within
// ±9.5 %": the verdicts of a list, with names where the geomean has another one.
func standingTo(geomean Entry, variant string, list []named) string {
	whole, _ := geomean.Of(variant)
	by := map[assay.Verdict][]named{}
	var verdicts []assay.Verdict
	var rest []assay.Comparison
	for _, x := range list {
		if !found(x.Comparison) {
			rest = append(rest, x.Comparison)
			continue
		}
		v := x.Comparison.Verdict
		if by[v] == nil {
			verdicts = append(verdicts, v)
		}
		by[v] = append(by[v], x)
	}
	var parts []string
	for _, v := range verdicts {
		text := printable.Int(len(by[v])) + " " + string(v)
		if v == whole.Verdict {
			text = JoinWords(", ", text, rangeOf(by[v]))
		} else {
			text += ": " + fewest(by[v])
		}
		parts = append(parts, text)
	}
	if len(rest) > 0 {
		parts = append(parts, answer.Counts(rest))
	}
	return strings.Join(parts, "; ")
}

// sorted has the largest changes first.
func sorted(list []named) []named {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b named) int {
		return cmp.Compare(math.Abs(b.Change.Log()), math.Abs(a.Change.Log()))
	})
	return out
}

// fewest names the largest changes of a list: "parse -1.4 %, scan -0.9 % and 2 more".
func fewest(list []named) string {
	var names []string
	for _, x := range sorted(list) {
		names = append(names, strings.TrimSuffix(x.name+" "+x.change(), " "))
	}
	return printable.Few(names, maxNamed)
}

// rangeOf is from the least to the largest change of a list: "+1.8 % to +14.6 %".
func rangeOf(list []named) string {
	list = sorted(list)
	most, least := list[0].change(), list[len(list)-1].change()
	if most == "" || least == "" || most == least {
		return most
	}
	return least + " to " + most
}

// change is the change as the tables print it, "" where there is none.
func (x named) change() string {
	change, _, _ := ChangeCells(x.Entry, x.Comparison)
	if !change.Num {
		return ""
	}
	return change.Joined()
}

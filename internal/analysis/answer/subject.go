package answer

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec"
)

// headRevision is the commit that is checked out, as one types it.
const headRevision = "HEAD"

// Subject is a variant's name in a sentence: "your tree" for the working tree, which is
// typed as a dot, "your last commit" for HEAD, and the first digits of a whole hash. Other
// names stay as they are.
func Subject(variant string) string {
	first, rest, more := strings.Cut(variant, " ")
	switch {
	case first == spec.WorkingTree:
		first = "your tree"
	case first == headRevision:
		first = "your last commit"
	case len(first) == 40 && strings.Trim(first, "0123456789abcdef") == "":
		first = first[:7]
	default:
		return variant
	}
	if more {
		return first + pick(strings.HasPrefix(rest, "#"), " ", " with ") + rest // "#2" is another one
	}
	return first
}

// subjects are the names of variants in sentences, as far as they differ from their own.
type subjects map[string]string

// subjectsOf returns those of a result. The steps of a chain keep their names, and so does
// a variant whose name in sentences is that of another.
func subjectsOf(r *assay.Result) subjects {
	out := subjects{}
	if r.Arc != nil {
		return out
	}
	taken := map[string]bool{}
	for _, v := range r.Variants {
		taken[v.Name] = true
	}
	for _, v := range r.Variants {
		if x := Subject(v.Name); !taken[x] {
			taken[x], out[v.Name] = true, x
		}
	}
	return out
}

// of is a variant's name in sentences.
func (s subjects) of(variant string) string {
	if x, ok := s[variant]; ok {
		return x
	}
	return variant
}

// variant is a variant's own name.
func (s subjects) variant(subject string) string {
	for name, x := range s {
		if x == subject {
			return name
		}
	}
	return subject
}

// result is a copy of a result with the names of sentences, so that none of the sentences
// made of it has to think of them.
func (s subjects) result(r *assay.Result) *assay.Result {
	out := *r
	out.Base = s.of(r.Base)
	out.Variants = slices.Clone(r.Variants)
	for i := range out.Variants {
		v := &out.Variants[i]
		v.Name = s.of(v.Name)
		if v.SameAs != nil {
			same := *v.SameAs
			same.As = s.of(same.As)
			v.SameAs = &same
		}
	}
	out.Tables = slices.Clone(r.Tables)
	for i := range out.Tables {
		tab := &out.Tables[i]
		tab.Geomean, tab.Rows = s.cells(tab.Geomean), slices.Clone(tab.Rows)
		for j := range tab.Rows {
			tab.Rows[j].Cells = s.cells(tab.Rows[j].Cells)
		}
	}
	if r.Tradeoff != nil {
		t := *r.Tradeoff
		t.Points = slices.Clone(t.Points)
		for i := range t.Points {
			t.Points[i].Variant, t.Points[i].Beaten = s.of(t.Points[i].Variant), s.of(t.Points[i].Beaten)
		}
		out.Tradeoff = &t
	}
	return &out
}

func (s subjects) cells(cells []assay.Comparison) []assay.Comparison {
	cells = slices.Clone(cells)
	for i := range cells {
		cells[i].Variant = s.of(cells[i].Variant)
	}
	return cells
}

// evidence is what a result with the names of sentences rests on.
func (s subjects) evidence(e Evidence) Evidence {
	own := e.Ties
	e.Failed, e.Open = s.gateCells(e.Failed), s.gateCells(e.Open)
	all := func(names []string, name func(string) string) []string {
		names = slices.Clone(names)
		for i := range names {
			names[i] = name(names[i])
		}
		return names
	}
	e.Ties = func(m assay.Metric, best string, others []string) (tied, early []string) {
		tied, early = own(m, s.variant(best), all(others, s.variant))
		return all(tied, s.of), all(early, s.of)
	}
	return e
}

func (s subjects) gateCells(list []GateCell) []GateCell {
	list = slices.Clone(list)
	for i := range list {
		list[i].Variant = s.of(list[i].Variant)
	}
	return list
}

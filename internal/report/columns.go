package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A layout says which columns a table of few variants has.
type layout struct {
	sheet.Layout
	// cut is the share of the width to which names may be cut before the next layout is
	// tried, 0 being not at all.
	cut float64
}

// layouts in the order in which they are tried. Notes that have no column stand below the
// tables.
var layouts = []layout{
	{Layout: sheet.Layout{Values: true, Blocks: true, Notes: true, Asides: true}},
	{Layout: sheet.Layout{Values: true, Blocks: true, Notes: true}},
	{Layout: sheet.Layout{Blocks: true, Notes: true, Asides: true}},
	{Layout: sheet.Layout{Blocks: true, Notes: true}},
	{Layout: sheet.Layout{Notes: true}},
	{cut: 0.3},
	{Layout: sheet.Layout{Half: true}, cut: 0.2},
}

// pairLayouts are those of two variants side by side: the values and their difference are
// what one wants to see.
var pairLayouts = []layout{
	{Layout: sheet.Layout{Values: true, Difference: true, Blocks: true, Notes: true, Asides: true}},
	{Layout: sheet.Layout{Values: true, Difference: true, Blocks: true, Notes: true}},
	{Layout: sheet.Layout{Values: true, Difference: true, Notes: true}},
	{Layout: sheet.Layout{Values: true, Difference: true}, cut: 0.3},
	{Layout: sheet.Layout{Values: true, Difference: true, Half: true}, cut: 0.2},
	{Layout: sheet.Layout{Difference: true, Half: true}, cut: 0.2},
	{Layout: sheet.Layout{Half: true}, cut: 0.2},
}

// commandLayouts add the difference to results of commands where there is room: people
// speak of the seconds that a whole program takes.
var commandLayouts = slices.Concat(pairLayouts[:2], layouts)

// serviceLayouts keep the values, which of a server say as much as the changes do, and
// first put the notes below.
var serviceLayouts = slices.Concat(layouts[:2], []layout{
	{Layout: sheet.Layout{Values: true, Blocks: true}},
	{Layout: sheet.Layout{Values: true}},
	{Layout: sheet.Layout{Values: true, Half: true}},
}, layouts[4:])

// minLead is the width that the names before a fact may have on any screen.
const minLead = 24

// layoutsFor are the layouts to try for a table of some variants. Only of whole programs
// are context switches counted.
func (p *printer) layoutsFor(variants []string) []layout {
	switches := func(t assay.Table) bool { return t.Metric.Name == assay.MetricVoluntary }
	switch {
	case p.out.Style.Pairs && !p.sheet.Foreign:
		return pairLayouts
	case len(p.sheet.Services) > 0:
		return serviceLayouts
	case len(variants) == 1 && !p.sheet.Foreign && slices.ContainsFunc(p.sheet.Result.Tables, switches):
		return commandLayouts
	}
	return layouts
}

// columns prints sections as one table with variants beside each other, so that the
// columns of all metrics line up. Where not even the narrowest layout fits, each variant
// gets a table.
func (p *printer) columns(sections []sheet.Section, variants []string) {
	if len(sections) == 0 || len(variants) == 0 {
		return
	}
	all := p.layoutsFor(variants)
	for i, l := range all {
		l.Values = l.Values || p.sheet.Foreign // they carry the intervals
		l.Blocks = l.Blocks && blocksVary(sections, variants)
		g, fits := p.fitted(sections, variants, l)
		last := i == len(all)-1
		if !fits && last && len(variants) > 1 {
			for _, v := range variants {
				p.columns(sections, []string{v})
			}
			return
		}
		if fits || last {
			p.notes.Keep(p.sheet, sections, variants, l.Notes)
			p.out.Grid(g)
			return
		}
	}
}

// fitted is the table in a layout, with names cut where that makes it fit.
func (p *printer) fitted(sections []sheet.Section, variants []string, l layout) (*terminal.Grid, bool) {
	g := terminal.NewGrid(p.out.Style, p.columnTable(sections, variants, l.Layout))
	if g.Fits() || l.cut == 0 {
		return g, g.Fits()
	}
	least := max(terminal.MinName, int(l.cut*float64(p.out.Style.Columns())))
	if g.Widths[0]-(g.Width()-p.out.Style.Columns()) < least && l.Half {
		least = terminal.MinName
	}
	return g, g.Narrow(0, least)
}

// columnTable is the table of some variants in a layout.
func (p *printer) columnTable(sections []sheet.Section, variants []string, l sheet.Layout) *sheet.Table {
	t := p.sheet.EntryTable(nil, variants, l)
	if l.Half {
		t.Columns[1].Limit = 12
	}
	for i, sec := range sections {
		first := i == 0 || sec.Bench != ""
		if i > 0 && (first || len(sec.Entries) > 0 || len(sections[i-1].Facts) == 0 && sections[i-1].Title != sheet.GeomeanWord) {
			t.Blank()
		}
		if first {
			t.NameHeads(sec.Bench, p.sheet.Result.Base, variants)
		}
		switch t.Columns[0].Head = sec.Title; {
		case len(sec.Entries) == 0:
		case first:
			t.Heads()
		case sec.Aside != "":
			t.Rows = append(t.Rows, sheet.Row{Heads: []sheet.Head{{To: len(t.Columns) - 1, Text: sec.Title + " " + sec.Aside}}})
		default:
			t.Title(sec.Title)
		}
		t.Rows = append(t.Rows, p.sheet.EntryTable(sec.Entries, variants, l).Rows...)
		shifts(t, sec.Latency, variants)
		p.tail(t, sec, p.sheet.ShowAll())
	}
	return t
}

// shifts adds a sentence for each variant that says how its latencies are shifted, and one
// for all where they have the same.
func shifts(t *sheet.Table, l *assay.Latency, variants []string) {
	if l == nil {
		return
	}
	var notes sheet.Notes
	for _, x := range l.Shifts {
		if x.Text != "" && slices.Contains(variants, x.Variant) {
			notes.Add(x.Text, x.Variant)
		}
	}
	for _, line := range notes.Lines() {
		t.Text("", line)
	}
}

// tail adds what stands below the entries of a section. hint says how to see what was
// left out, "" if that is said already.
func (p *printer) tail(t *sheet.Table, sec sheet.Section, hint string) {
	if sec.Tail != "" {
		t.Text("", sec.Tail)
	}
	for _, f := range sec.Facts {
		if f.Short {
			f.Text = sheet.JoinWords(" ", f.Text, hint)
		}
		if terminal.Width(f.Lead) > max(minLead, p.out.Style.NameLimit()) {
			f.Lead, f.Text = "", f.Lead+": "+f.Text // many metrics would make the column of names too wide
		}
		t.Text(f.Lead, f.Text)
	}
}

// blocksVary reports whether the number of blocks differs between cells that are not
// exact; where it does not, the header says it.
func blocksVary(sections []sheet.Section, variants []string) bool {
	seen := map[int]bool{}
	for _, sec := range sections {
		for _, e := range sec.Entries {
			for _, v := range variants {
				if c, ok := e.Of(v); ok && !c.Exact && c.Verdict != assay.SameCoded {
					seen[c.N] = true
				}
			}
		}
	}
	return len(seen) > 1
}

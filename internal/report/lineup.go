package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// The columns of a lineup.
const (
	lineName = iota
	lineValue
	lineChange
	lineInterval
	lineVerdict
	lineNote
)

var lineLayouts = []effectLayout{{notes: true}, {}, {half: true}}

// serviceVariants prints services of many variants: what decides in full, a group
// of lines a metric and a line a variant; the latencies; and everything else as a
// matrix of changes, in which one can look for the why.
func (p *printer) serviceVariants() {
	matrices := p.overview()
	for _, b := range p.services {
		sections := p.serviceSections(b)
		groups, rest := p.lineups(sections)
		p.printLineup(b, groups)
		if m := matrixOf(b, sections, rest); len(m.entries) > 0 {
			p.keep(m, p.shown)
			p.sectionMatrix(m)
			matrices = append(matrices, m)
		}
	}
	p.legend(matrices)
}

// overview is what decides as a matrix of changes for each service, where there
// are several: the figures fill more than a screen then.
func (p *printer) overview() []section {
	if len(p.services) < 2 {
		return nil
	}
	var all []section
	for _, b := range p.services {
		full, _ := p.lineups(p.serviceSections(b))
		full = slices.DeleteFunc(full, func(e entry) bool {
			return e.refused != "" || !slices.Contains(p.r.Rule.Metrics, e.metric.Name)
		})
		if len(full) == 0 {
			continue
		}
		all = append(all, section{title: b.Name, entries: full})
		sec := all[len(all)-1]
		if turned := p.splitTurned(sec); len(turned) == 1 {
			p.grid(p.turnedGrid(sec, full))
		} else {
			p.sectionMatrix(sec)
		}
	}
	return all
}

// lineups are the entries that come in full, and the other ones of each section.
func (p *printer) lineups(sections []section) (full []entry, rest [][]entry) {
	for _, sec := range sections {
		var left []entry
		for _, e := range sec.entries {
			if p.s.All || slices.Contains(p.r.Rule.Metrics, e.metric.Name) {
				full = append(full, e)
			} else {
				left = append(left, e)
			}
		}
		rest = append(rest, left)
	}
	if len(full) == 0 && len(sections[0].entries) > 0 { // nothing that decides was seen
		full, rest[0] = sections[0].entries[:1], sections[0].entries[1:]
	}
	return full, rest
}

// printLineup prints the groups of a service in the first layout that fits, and
// below them the picture.
func (p *printer) printLineup(b assay.Benchmark, groups []entry) {
	for i, l := range lineLayouts {
		g := p.lineupGrid(b, groups, l)
		g.measure()
		if g.width() > p.s.width() && i < len(lineLayouts)-1 {
			continue
		}
		if sec := (section{entries: groups}); l.notes {
			p.keepSaturated([]section{sec}, p.shown)
		} else {
			p.keep(sec, p.shown)
		}
		p.grid(g)
		return
	}
}

func (p *printer) lineupGrid(b assay.Benchmark, groups []entry, l effectLayout) *grid {
	intervals := pair
	if l.half {
		intervals = right
	}
	g := &grid{style: p.s, cols: []column{{limit: p.nameLimit()}, {align: point, gap: 3, limit: 20}, {align: point, gap: 3},
		{align: intervals, gap: 1}, {gap: 2}, {gap: 2}}}
	for i, e := range groups {
		if i > 0 {
			g.blank()
		}
		g.text("", b.Name+" · "+metricWords(e.metric.Name))
		if e.refused != "" {
			g.text("", e.refused)
			continue
		}
		p.lineupRows(g, e, l)
	}
	p.sparklines(g, p.latencyOf(b), p.shown)
	return g
}

func (p *printer) lineupRows(g *grid, e entry, l effectLayout) {
	g.row(word(p.r.Base), e.baseCell(), word("base"))
	for i, v := range p.shown {
		if i == maxRows && !p.s.All {
			g.text("", "… "+printable.Count(len(p.shown)-i, "more variant")+" "+p.showAll())
			return
		}
		f := p.fields(e, v)
		cs := []cell{word(v), f.value, f.change, f.interval, f.verdict, {}}
		if l.half {
			cs[lineInterval] = f.half
		}
		if l.notes && !p.saturated(e, v) {
			cs[lineNote] = word(f.note)
		}
		g.row(cs...)
	}
}

// matrixOf gathers what is left of the sections of a service.
func matrixOf(b assay.Benchmark, sections []section, rest [][]entry) section {
	m := section{title: b.Name}
	for i, entries := range rest {
		if len(entries) == 0 {
			continue
		}
		at := len(m.entries)
		for _, e := range entries {
			if e.refused != "" {
				m.tail = joinNotes(m.tail, e.label+" "+e.refused)
				continue
			}
			m.entries = append(m.entries, e)
		}
		if at < len(m.entries) {
			m.entries[at].heading = joined(sections[i].title, sections[i].aside)
		}
		if t := sections[i].tail; t != "" {
			m.tail = joinNotes(m.tail, t)
		}
	}
	return m
}

func joined(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

// saturated reports whether a server did not keep up with the load. The reason
// holds for all its metrics and is told once, below the tables.
func (p *printer) saturated(e entry, variant string) bool {
	c, ok := e.of(variant)
	return ok && c.Verdict == assay.Saturated
}

// keepSaturated puts the reasons below the tables whose other notes have a
// column.
func (p *printer) keepSaturated(sections []section, variants []string) {
	for _, sec := range sections {
		for _, e := range sec.entries {
			for _, v := range variants {
				if text := p.fields(e, v).note; text != "" && p.asked(e) && p.saturated(e, v) {
					p.notes.add(text, p.where(e, v))
				}
			}
		}
	}
}

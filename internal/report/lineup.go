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
			p.keep(p.notes, m, p.shown)
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
			p.keepSaturated(p.notes, []section{sec}, p.shown)
		} else {
			p.keep(p.notes, sec, p.shown)
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

// serviceTables prints the services: metrics as rows, a section for what each of
// load, server and collector tells, variants as columns up to three of them.
func (p *printer) serviceTables() {
	var all []section
	for _, b := range p.services {
		all = append(all, p.serviceSections(b)...)
	}
	switch {
	case p.s.Pairs && !p.foreign:
		p.pairs(all)
	case len(p.shown) <= 2 || p.foreign:
		p.columns(all, p.shown)
	default:
		p.serviceVariants()
	}
}

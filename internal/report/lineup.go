package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// serviceVariants prints services of many variants: what decides in full, with a group of
// rows for each metric; the latencies; and everything else as a matrix of changes, in
// which readers look for causes.
func (p *printer) serviceVariants() {
	matrices := p.overview()
	for _, b := range p.Services {
		sections := p.ServiceSections(b)
		groups, rest := p.Lineups(sections)
		p.lineup(b, groups)
		if m := sheet.RestOf(b, sections, rest); len(m.Entries) > 0 {
			p.notes.Keep(p.Sheet, []sheet.Section{m}, p.Shown, false)
			matrix{p, m}.print()
			matrices = append(matrices, m)
		}
	}
	p.legend(matrices)
}

// overview prints what decides as a matrix of changes for each service, where there are
// several: their figures fill more than a screen.
func (p *printer) overview() []sheet.Section {
	if len(p.Services) < 2 {
		return nil
	}
	var all []sheet.Section
	for _, b := range p.Services {
		full, _ := p.Lineups(p.ServiceSections(b))
		full = slices.DeleteFunc(full, func(e sheet.Entry) bool {
			return e.Refused != "" || !slices.Contains(p.Result.Rule.Metrics, e.Metric.Name)
		})
		if len(full) == 0 {
			continue
		}
		all = append(all, sheet.Section{Title: b.Name, Entries: full})
		sec := all[len(all)-1]
		m := matrix{p, sec}
		if turned := m.turned(); len(turned) == 1 {
			p.Table(turned[0])
		} else {
			m.print()
		}
	}
	return all
}

// lineup prints the entries of a service that come in full, a group of rows each, in the
// first layout that fits, and below them the picture.
func (p *printer) lineup(service assay.Benchmark, groups []sheet.Entry) {
	i := p.FirstFit(len(effectLayouts), -1, func(i int) *sheet.Table {
		t := p.LineupTable(service, groups, effectLayouts[i])
		t.Columns[0].Limit = p.Style.NameLimit()
		p.sparklines(t, p.LatencyOf(service), p.Shown)
		return t
	})
	p.notes.Keep(p.Sheet, []sheet.Section{{Entries: groups}}, p.Shown, effectLayouts[i].Notes)
}

// serviceTables prints the services: metrics as rows, in sections on load, server and
// collector, and up to three variants as columns.
func (p *printer) serviceTables() {
	var all []sheet.Section
	for _, b := range p.Services {
		all = append(all, p.ServiceSections(b)...)
	}
	if !p.sideBySide(all) {
		p.serviceVariants()
	}
}

package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// serviceVariants prints services of many variants: what changed, and how everything else
// stands. With --all comes what decides in full, with a group of rows for each metric; the
// latencies; and everything else as a matrix of changes, in which readers look for causes.
func (p *printer) serviceVariants() {
	if p.short() {
		p.findings()
		return
	}
	matrices := p.overview()
	for _, b := range p.sheet.Services {
		sections := p.sheet.ServiceSections(b)
		groups, rest := p.sheet.Lineups(sections)
		p.lineup(b, groups)
		if m := sheet.RestOf(b, sections, rest); len(m.Entries) > 0 {
			p.notes.Keep(p.sheet, []sheet.Section{m}, p.sheet.Shown, false)
			matrix{p, m}.print()
			matrices = append(matrices, m)
		}
	}
	p.legend(matrices)
}

// findingLayouts are those of the table of findings, in the order in which they are tried.
var findingLayouts = []layout{{Layout: sheet.Layout{Notes: true}}, {}, {cut: 0.2}, {Layout: sheet.Layout{Half: true}, cut: 0.2}}

// findings prints what changed in services of many variants, and a line for each metric
// that decides. Metrics that decide nothing come as a matrix where it is one table.
func (p *printer) findings() {
	var matrices []sheet.Section
	short := sheet.Digest{Sheet: p.sheet}
	for _, b := range p.sheet.Services {
		matrices = append(matrices, short.FoundSection(b))
	}
	folded := slices.ContainsFunc(matrices, func(sec sheet.Section) bool {
		m := matrix{p, sec}
		return len(m.parts(m.p.sheet.MatrixTable(sec), 2)) > 1
	})
	i := p.out.FirstFit(len(findingLayouts), 1, func(i int) *sheet.Table {
		t := short.FindingTable(findingLayouts[i].Layout, folded)
		t.Columns[0].Limit = p.out.Style.NameLimit()
		if cut := findingLayouts[i].cut; cut > 0 {
			t.Columns[1].Limit = max(terminal.MinName, int(cut*float64(p.out.Style.Columns())))
		}
		return t
	})
	p.notes.KeepFindings(short, folded, findingLayouts[i].Notes)
	effects := sheet.EffectStanding(openEffects(p.sheet.Result, p.out.Style))
	p.out.FirstFit(2, -1, func(i int) *sheet.Table {
		t := short.StandingTable(i == 0)
		if effects != "" {
			t.Text("effects", effects)
		}
		return t
	})
	if folded {
		return
	}
	for _, sec := range matrices {
		if len(sec.Entries) > 0 {
			matrix{p, sec}.print()
		}
	}
	p.legend(matrices)
}

// overview prints what decides as a matrix of changes for each service, where there are
// several: their figures fill more than a screen.
func (p *printer) overview() []sheet.Section {
	if len(p.sheet.Services) < 2 {
		return nil
	}
	var all []sheet.Section
	for _, b := range p.sheet.Services {
		full, _ := p.sheet.Lineups(p.sheet.ServiceSections(b))
		full = slices.DeleteFunc(full, func(e sheet.Entry) bool {
			return e.Refused != "" || !slices.Contains(p.sheet.Result.Rule.Metrics, e.Metric.Name)
		})
		if len(full) == 0 {
			continue
		}
		all = append(all, sheet.Section{Title: b.Name, Entries: full})
		sec := all[len(all)-1]
		m := matrix{p, sec}
		if turned := m.turned(); len(turned) == 1 {
			p.out.Table(turned[0])
		} else {
			m.print()
		}
	}
	return all
}

// lineup prints the entries of a service that come in full, a group of rows each, in the
// first layout that fits, and below them how latencies are shifted.
func (p *printer) lineup(service assay.Benchmark, groups []sheet.Entry) {
	i := p.out.FirstFit(len(effectLayouts), -1, func(i int) *sheet.Table {
		t := p.sheet.LineupTable(service, groups, effectLayouts[i])
		t.Columns[0].Limit = p.out.Style.NameLimit()
		shifts(t, p.sheet.LatencyOf(service), p.sheet.Shown)
		return t
	})
	p.notes.Keep(p.sheet, []sheet.Section{{Entries: groups}}, p.sheet.Shown, effectLayouts[i].Notes)
}

// serviceTables prints the services: metrics as rows, in sections on load, server and
// collector, and up to three variants as columns.
func (p *printer) serviceTables() {
	var all []sheet.Section
	for _, b := range p.sheet.Services {
		all = append(all, p.sheet.ServiceSections(b)...)
	}
	if !p.sideBySide(all) {
		p.serviceVariants()
	}
}

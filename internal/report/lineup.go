package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// serviceVariants prints services of many variants: what decides as a matrix of changes. With
// --all comes what decides in full, with a group of rows for each metric; the latencies; and
// everything else as a matrix, in which readers look for causes.
func (p *printer) serviceVariants() {
	if p.short() {
		p.briefServices()
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

// briefServices prints a matrix of what decides for each service of many variants, and
// counts what else there is.
func (p *printer) briefServices() {
	var sections []sheet.Section
	for _, b := range p.sheet.Services {
		full, rest := p.sheet.Lineups(p.sheet.ServiceSections(b))
		more := 0
		for _, e := range slices.Concat(rest...) {
			if e.Refused != "" { // says why there is none
				full = append(full, e)
			} else {
				more++
			}
		}
		sec := sheet.RestOf(b, []sheet.Section{{}}, [][]sheet.Entry{full})
		if more > 0 {
			sec.Tail = sheet.JoinWords("; ", sec.Tail, printable.Count(more, "more metric")+" "+p.sheet.ShowAll())
		}
		sections = append(sections, sec)
	}
	p.matrices(sections)
	if effects := sheet.EffectStanding(openEffects(p.sheet.Result, p.out.Style)); effects != "" {
		t := &sheet.Table{Columns: []sheet.Column{{}}}
		t.Text("effects", effects)
		p.out.Table(t)
	}
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

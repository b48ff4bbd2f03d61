package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// serviceVariants prints services of many variants: what decides in full, a group
// of lines a metric and a line a variant; the latencies; and everything else as a
// matrix of changes, in which one can look for the why.
func (p *printer) serviceVariants() {
	matrices := p.overview()
	for _, b := range p.Services {
		sections := p.ServiceSections(b)
		groups, rest := p.Lineups(sections)
		lineup{p, b, groups}.print()
		if m := sheet.RestOf(b, sections, rest); len(m.Entries) > 0 {
			p.Keep(p.notes, m, p.Shown)
			matrix{p, m}.print()
			matrices = append(matrices, m)
		}
	}
	p.legend(matrices)
}

// overview is what decides as a matrix of changes for each service, where there
// are several: the figures fill more than a screen then.
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
		if m := (matrix{p, sec}); len(m.splitTurned()) == 1 {
			p.Grid(m.turned(full, ""))
		} else {
			m.print()
		}
	}
	return all
}

// A lineup is a service with the entries that come in full, a group of lines each.
type lineup struct {
	*printer
	service assay.Benchmark
	groups  []sheet.Entry
}

// print prints the groups in the first layout that fits, and below them the picture.
func (p lineup) print() {
	sec := sheet.Section{Entries: p.groups}
	if i := p.FirstFit(len(effectLayouts), p.grid); effectLayouts[i].notes {
		p.KeepSaturated(p.notes, []sheet.Section{sec}, p.Shown)
	} else {
		p.Keep(p.notes, sec, p.Shown)
	}
}

func (p lineup) grid(layout int) *terminal.Grid {
	l := effectLayouts[layout]
	g := &terminal.Grid{Style: p.Style, Cols: []terminal.Column{{Limit: p.Style.NameLimit()}, {Align: terminal.Point, Gap: 3, Limit: 20}, {Align: terminal.Point, Gap: 3},
		terminal.Interval(l.half), {Gap: 2}, {Gap: 2}}}
	for i, e := range p.groups {
		if i > 0 {
			g.Blank()
		}
		g.Text("", p.service.Name+" · "+sheet.MetricWords(e.Metric.Name))
		if e.Refused != "" {
			g.Text("", e.Refused)
			continue
		}
		p.rows(g, e, l)
	}
	p.sparklines(g, p.LatencyOf(p.service), p.Shown)
	return g
}

func (p lineup) rows(g *terminal.Grid, e sheet.Entry, l effectLayout) {
	g.Row(sheet.Word(p.Result.Base), e.BaseCell(), sheet.Word("base"))
	for i, v := range p.Shown {
		if i == sheet.MaxRows && !p.Style.All {
			g.Text("", "… "+printable.Count(len(p.Shown)-i, "more variant")+" "+p.ShowAll())
			return
		}
		f := p.Fields(e, v)
		cs := []sheet.Cell{sheet.Word(v), f.Value, f.Change, f.Extent(l.half), f.Verdict}
		if l.notes && !sheet.Saturated(e, v) {
			cs = append(cs, sheet.Word(f.Note))
		}
		g.Row(cs...)
	}
}

// serviceTables prints the services: metrics as rows, a section for what each of
// load, server and collector tells, variants as columns up to three of them.
func (p *printer) serviceTables() {
	var all []sheet.Section
	for _, b := range p.Services {
		all = append(all, p.ServiceSections(b)...)
	}
	switch {
	case p.Style.Pairs && !p.Foreign:
		p.pairs(all)
	case len(p.Shown) <= 2 || p.Foreign:
		p.columns(all, p.Shown)
	default:
		p.serviceVariants()
	}
}

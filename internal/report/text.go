package report

import (
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Text prints a result: header, tables, notes, warnings, and the answer last, where the
// prompt will be. Lines are no wider than s.Width, except lines to paste that cannot be
// broken: a remedy, or one long word of the command.
//
// Without --all, the tables of a long suite are cut until the text fits a screen.
func Text(w io.Writer, r *assay.Result, s terminal.Style) error {
	text := printed(r, s, sheet.Room{})
	if p := newPrinter(r, s); p.sheet.Benchmarks() > sheet.LongTable && !s.All && !s.Pairs && r.Arc == nil {
		for _, room := range rooms {
			if strings.Count(text, "\n") <= screen {
				break
			}
			text = printed(r, s, room)
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

// screen is the number of lines that readers see without scrolling.
const screen = 40

// rooms are those of long tables, in the order in which they are tried. Metrics that
// decide nothing give way first.
var rooms = []sheet.Room{{Deciding: 30, Others: 10}, {Deciding: 20, Others: 6}, {Deciding: 14, Others: 4}, {Deciding: 10, Others: 3},
	{Deciding: 20}, {Deciding: 14}, {Deciding: 10}, {Deciding: 7}, {Deciding: 5}, {Deciding: 3}, {Deciding: 1}}

// printed is the text of a result whose long tables have so much room.
func printed(r *assay.Result, s terminal.Style, room sheet.Room) string {
	p := newPrinter(r, s)
	p.sheet.Room = room
	p.header()
	p.body()
	p.answer()
	return once(p.out.String())
}

// body is what stands between header and answer. A race asks which variant is the best;
// with --all comes what else its blocks say.
func (p *printer) body() {
	switch {
	case p.sheet.Result.Arc != nil:
		p.arcBody()
	case p.sheet.Result.Race != nil && !p.out.Style.All && !p.out.Style.Pairs:
		p.variants()
	default:
		p.tables()
		p.effects()
		p.tradeoff()
	}
	p.race()
	p.gears()
	p.why()
	p.footnotes()
	p.warnings()
}

// gears prints with --all how each benchmark was measured.
func (p *printer) gears() {
	if p.out.Style.All && len(p.sheet.Result.Gears) > 0 {
		p.out.Blank()
		p.out.Table(sheet.GearTable(p.sheet.Result))
	}
}

// tables prints all tables: up to three variants as columns, or else a table of variants
// and a matrix.
func (p *printer) tables() {
	if len(p.sheet.Services) == 0 {
		p.benchmarkTables()
		return
	}
	p.serviceTables()
	if p.sheet.Serves {
		p.sameCode()
		return
	}
	p.of(p.sheet.WithoutServices()).benchmarkTables()
}

func (p *printer) benchmarkTables() {
	sections := p.sheet.Sections()
	if p.sideBySide(sections) {
		p.sameCode()
		return
	}
	p.variants()
	p.matrices(sections)
}

// short reports whether services are printed as what changed in them and how everything
// else stands: they have too many variants for columns.
func (p *printer) short() bool {
	return len(p.sheet.Services) > 0 && len(p.sheet.Shown) > 2 && !p.sheet.Foreign && !p.out.Style.All && !p.out.Style.Pairs
}

// sideBySide prints sections with variants beside each other, unless there are too many
// variants for that.
func (p *printer) sideBySide(sections []sheet.Section) bool {
	switch {
	case p.out.Style.Pairs && !p.sheet.Foreign:
		p.pairs(sections)
	case len(p.sheet.Shown) <= 2 || p.sheet.Foreign:
		p.columns(sections, p.sheet.Shown)
	default:
		return false
	}
	return true
}

// pairs prints a table for each variant. Where there are several, they leave out metrics
// that decide nothing.
func (p *printer) pairs(sections []sheet.Section) {
	if len(p.sheet.Shown) > 1 && !p.out.Style.All {
		sections = slices.DeleteFunc(sections, func(sec sheet.Section) bool { return !sec.Decides })
	}
	for _, v := range p.sheet.Shown {
		p.columns(sections, []string{v})
	}
}

package report

import (
	"io"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Text prints a result: header, tables, notes, warnings, and the answer last, where the
// prompt will be. Lines are no wider than s.Width, except lines to paste that cannot be
// broken: a remedy, or one long word of the command.
func Text(w io.Writer, r *assay.Result, s terminal.Style) error {
	p := newPrinter(r, s)
	p.header()
	p.body()
	p.answer()
	_, err := io.WriteString(w, p.String())
	return err
}

// body is what stands between header and answer. A race asks which variant is the best;
// with --all comes what else its blocks say.
func (p *printer) body() {
	switch {
	case p.Result.Arc != nil:
		p.arcBody()
	case p.Result.Race != nil && !p.Style.All && !p.Style.Pairs:
		p.variants()
	default:
		p.tables()
		p.effects()
		p.tradeoff()
	}
	p.race()
	p.footnotes()
	p.why()
	p.warnings()
}

// A printer prints one sheet.
type printer struct {
	*sheet.Sheet
	*terminal.Writer
	notes *sheet.Notes
	// chained says that the steps are printed already, beside those of other machines.
	chained bool
}

func newPrinter(r *assay.Result, s terminal.Style) *printer {
	return &printer{Sheet: sheet.New(r, s.All, s.Pairs), Writer: terminal.NewWriter(s, terminal.LabelWidth), notes: &sheet.Notes{}}
}

// of prints another sheet to the same place.
func (p *printer) of(s *sheet.Sheet) *printer {
	q := *p
	q.Sheet = s
	return &q
}

func (p *printer) header() {
	size := []string{""}
	switch n := p.Benchmarks(); {
	case p.Result.Arc != nil:
		size = chain.Size(p.Result, n)
	case n > 0:
		size[0] = printable.Count(n, "benchmark") + " × " + printable.Count(len(p.Result.Variants), "variant")
	}
	blocks := sheet.Interleaved(p.Result.Spent.Blocks)
	if n := p.Result.Spent.Blocks; n > 0 && p.Serves {
		blocks = printable.Int(n) + " interleaved server " + printable.Plural(n, "start") + " each"
	}
	p.Parts("  ·  ", slices.Concat([]string{p.Result.Study}, size, []string{blocks, sheet.Run(p.Result)})...)
	p.Parts("", p.Result.Question)
	p.Parts(" · ", append(sheet.Platform(p.Result.Platform), p.Noise())...)
}

// tables prints all tables: up to three variants as columns, or else a table of variants
// and a matrix.
func (p *printer) tables() {
	if len(p.Services) == 0 {
		p.benchmarkTables()
		return
	}
	p.serviceTables()
	if p.Serves {
		p.sameCode()
		return
	}
	p.of(p.WithoutServices()).benchmarkTables()
}

func (p *printer) benchmarkTables() {
	sections := p.Sections()
	if p.sideBySide(sections) {
		p.sameCode()
		return
	}
	p.variants()
	p.matrices(sections)
}

// sideBySide prints sections with variants beside each other, unless there are too many
// variants for that.
func (p *printer) sideBySide(sections []sheet.Section) bool {
	switch {
	case p.Style.Pairs && !p.Foreign:
		p.pairs(sections)
	case len(p.Shown) <= 2 || p.Foreign:
		p.columns(sections, p.Shown)
	default:
		return false
	}
	return true
}

// pairs prints a table for each variant. Where there are several, they leave out metrics
// that decide nothing.
func (p *printer) pairs(sections []sheet.Section) {
	if len(p.Shown) > 1 && !p.Style.All {
		sections = slices.DeleteFunc(sections, func(sec sheet.Section) bool { return !sec.Decides })
	}
	for _, v := range p.Shown {
		p.columns(sections, []string{v})
	}
}

// sameCode lists the variants that have no column.
func (p *printer) sameCode() {
	t := &sheet.Table{Columns: []sheet.Column{{}}}
	for _, v := range p.Result.Variants {
		if v.SameAs != nil && v.Name != p.Result.Base {
			t.Text(v.Name, "≡ "+p.SameText(v))
		}
	}
	p.Table(t)
}

func (p *printer) warnings() {
	for _, w := range p.Result.Warnings {
		if w.Minor() && !p.Style.All {
			continue
		}
		if w.Code == assay.CodeGateFailed {
			w.Facts = nil // the lines on gates have them, with the evidence
		}
		p.Warning(w)
	}
}

// answer prints the record's answer, how it was decided and how to repeat it.
func (p *printer) answer() {
	a := p.Result.Answer
	lines := a.Text
	if len(lines) == 0 && a.Verdict != assay.Withheld {
		lines = []string{string(a.Verdict)}
	}
	p.Blank()
	if len(lines) > 0 {
		p.Labelled("ANSWER", sheet.AnswerTone(a), lines[0])
		p.Labelled("", sheet.Plain, lines[1:]...)
	}
	if a.Basis != "" {
		p.Labelled("", sheet.Plain, a.Basis)
	}
	p.again([]string{p.Result.Command}, sheet.IDs(p.Result))
}

// again prints what repeats results: their commands, runs and study.
func (p *printer) again(commands []string, ids string) {
	lead := "again"
	for _, c := range commands {
		if c != "" {
			p.Command(lead, c)
			lead = ""
		}
	}
	if ids != "" {
		p.Labelled(lead, sheet.Plain, ids)
	}
}

// footnotes prints why verdicts are withheld, each reason once, and the notes.
func (p *printer) footnotes() {
	lines := append(sheet.Withheld(p.Result), sheet.Profiles(p.Result)...)
	notes := p.notes.Lines()
	if len(notes) > sheet.MaxNotes && !p.Style.All {
		n := len(notes) - sheet.MaxNotes
		notes = append(notes[:sheet.MaxNotes:sheet.MaxNotes], "… "+printable.Int(n)+" more "+p.ShowAll())
	}
	lines = append(lines, notes...)
	if len(lines) == 0 {
		return
	}
	p.Blank()
	p.Labelled("note", sheet.Plain, lines...)
}

package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A printer prints one sheet.
type printer struct {
	*sheet.Sheet
	*terminal.Writer
	notes *sheet.Notes
	// noted says that notes were printed last.
	noted bool
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
	blocks := sheet.RunBlocks(p.Result)
	if n := p.Result.Spent.Blocks; n > 0 && p.Serves {
		blocks = printable.Int(n) + " interleaved server " + printable.Plural(n, "start") + " each"
	}
	p.Parts("  ·  ", slices.Concat([]string{p.Result.Study}, size, []string{blocks, sheet.Run(p.Result)})...)
	p.Parts("", p.Result.Question)
	p.Parts(" · ", append(sheet.Platform(p.Result.Platform), p.Noise())...)
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

// warnings prints the warnings below the notes, and with --all each below an empty line.
func (p *printer) warnings() {
	first := !p.noted
	for _, w := range p.Result.Warnings {
		if w.Minor() && !p.Style.All {
			continue
		}
		switch {
		case w.Code == assay.CodeGateFailed:
			w.Facts = nil // the lines on gates have them, with the evidence
		case w.Code == assay.CodeSameCode && !p.Style.All && len(p.Result.Tables) > 0:
			w.Facts = w.Facts[max(0, len(w.Facts)-1):] // what follows from it
		case w.Code == assay.CodeNoisy && !p.Style.All:
			w.Facts = w.Facts[:min(1, len(w.Facts))] // the others are about the machine, which the head names
		}
		if first || p.Style.All {
			p.Blank()
		}
		first = false
		p.Warning(w)
	}
}

// answer prints the record's answer, how it was decided and how to repeat it.
func (p *printer) answer() {
	a := p.Result.Answer
	lines := sheet.AnswerLines(a)
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
	p.noted = true
}

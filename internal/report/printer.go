package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A printer prints one sheet.
type printer struct {
	sheet *sheet.Sheet
	out   *terminal.Writer
	notes *sheet.Notes
	// noted says that notes were printed last.
	noted bool
	// chained says that the steps are printed already, beside those of other machines.
	chained bool
}

func newPrinter(r *assay.Result, s terminal.Style) *printer {
	return &printer{sheet: sheet.New(r, s.All, s.Pairs), out: terminal.NewWriter(s, terminal.LabelWidth), notes: &sheet.Notes{}}
}

// of prints another sheet to the same place.
func (p *printer) of(s *sheet.Sheet) *printer {
	q := *p
	q.sheet = s
	return &q
}

func (p *printer) header() {
	size := []string{""}
	switch n := p.sheet.Benchmarks(); {
	case p.sheet.Result.Arc != nil:
		size = chain.Size(p.sheet.Result, n)
	case answer.Coverage(p.sheet.Result) != "":
		size = []string{answer.Coverage(p.sheet.Result), printable.Count(len(p.sheet.Result.Variants), "variant")}
	case n > 0:
		size[0] = printable.Count(n, "benchmark") + " × " + printable.Count(len(p.sheet.Result.Variants), "variant")
	}
	blocks := sheet.RunBlocks(p.sheet.Result)
	if n := p.sheet.Result.Spent.Blocks; n > 0 && p.sheet.Serves {
		blocks = printable.Int(n) + " interleaved server " + printable.Plural(n, "start") + " each"
	}
	p.out.Parts("  ·  ", slices.Concat([]string{p.sheet.Result.Study}, size, []string{blocks, sheet.Run(p.sheet.Result)})...)
	p.out.Parts("", p.sheet.Result.Question)
	p.out.Parts(" · ", p.sheet.Setting()...)
}

// sameCode lists the variants that have no column.
func (p *printer) sameCode() {
	t := &sheet.Table{Columns: []sheet.Column{{}}}
	for _, v := range p.sheet.Result.Variants {
		if v.SameAs != nil && v.Name != p.sheet.Result.Base {
			t.Text(v.Name, "≡ "+p.sheet.SameText(v))
		}
	}
	p.out.Table(t)
}

// warnings prints the warnings below the notes, and with --all each below an empty line.
func (p *printer) warnings() {
	first := !p.noted
	for _, w := range p.sheet.Result.Warnings {
		if w.Minor() && !p.out.Style.All {
			continue
		}
		switch {
		case w.Code == assay.CodeGateFailed:
			w.Facts = nil // the lines on gates have them, with the evidence
		case w.Code == assay.CodeSameCode && !p.out.Style.All && len(p.sheet.Result.Tables) > 0:
			w.Facts = w.Facts[max(0, len(w.Facts)-1):] // what follows from it
		case w.Code == assay.CodeNoisy && !p.out.Style.All:
			w.Facts = w.Facts[:min(1, len(w.Facts))] // the others are about the machine, which the head names
		}
		if first || p.out.Style.All {
			p.out.Blank()
		}
		first = false
		p.out.Warning(w)
	}
}

// answer prints the record's answer, how it was decided and how to repeat it.
func (p *printer) answer() {
	a := p.sheet.Result.Answer
	lines := sheet.AnswerLines(a)
	if len(lines) == 0 && a.Verdict != assay.Withheld {
		lines = []string{string(a.Verdict)}
	}
	p.out.Blank()
	if len(lines) > 0 {
		p.out.Labelled("ANSWER", sheet.AnswerTone(a), lines[0])
		p.out.Labelled("", sheet.Plain, lines[1:]...)
	}
	if a.Basis != "" {
		p.out.Labelled("", sheet.Plain, a.Basis)
	}
	p.again([]string{p.sheet.Result.Command}, sheet.IDs(p.sheet.Result))
}

// again prints what repeats results: their commands, runs and study.
func (p *printer) again(commands []string, ids string) {
	lead := "again"
	for _, c := range commands {
		if c != "" {
			p.out.Command(lead, c)
			lead = ""
		}
	}
	if ids != "" {
		p.out.Labelled(lead, sheet.Plain, ids)
	}
}

// footnotes prints why verdicts are withheld, each reason once, and the notes.
func (p *printer) footnotes() {
	lines := append(sheet.Withheld(p.sheet.Result), sheet.Profiles(p.sheet.Result)...)
	notes := p.notes.Lines()
	if len(notes) > sheet.MaxNotes && !p.out.Style.All {
		n := len(notes) - sheet.MaxNotes
		notes = append(notes[:sheet.MaxNotes:sheet.MaxNotes], "… "+printable.Int(n)+" more "+p.sheet.ShowAll())
	}
	lines = append(lines, notes...)
	if len(lines) == 0 {
		return
	}
	p.out.Blank()
	p.out.Labelled("note", sheet.Plain, lines...)
	p.noted = true
}

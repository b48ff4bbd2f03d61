package report

import (
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Text prints a result: header, tables, notes, warnings, and the answer last,
// where the prompt will be. Nothing printed is wider than s.Width, except lines
// to paste that cannot be broken: a remedy, or one long word of the command.
func Text(w io.Writer, r *assay.Result, s Style) error {
	p := newPrinter(r, s)
	p.header()
	p.body()
	p.answer()
	_, err := io.WriteString(w, p.out.String())
	return err
}

// Pair prints two variants side by side: both times, the difference in their
// unit, and the change in percent with its interval and verdict, all signed. r
// holds the second variant against the first, as package analysis makes it.
func Pair(w io.Writer, r *assay.Result, s Style) error {
	s.Pairs = true
	return Text(w, r, s)
}

// body is what stands between header and answer. A race asks which variant is the
// best; what else its blocks can tell is for who asks for all.
func (p *printer) body() {
	switch {
	case p.r.Arc != nil:
		p.arcBody()
	case p.r.Race != nil && !p.s.All && !p.s.Pairs:
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
	*Sheet
	s     Style
	out   *strings.Builder
	notes *notes
	// chained says that the chain of steps is printed already, beside those of
	// other machines.
	chained bool
}

func newPrinter(r *assay.Result, s Style) *printer {
	return &printer{Sheet: newSheet(r, s.All, s.Pairs), s: s, out: &strings.Builder{}, notes: &notes{}}
}

// of prints another sheet to the same place.
func (p *printer) of(s *Sheet) *printer {
	q := *p
	q.Sheet = s
	return &q
}

// parts prints the parts that are not empty on one line with a separator, and
// breaks between them where the line is full.
func (p *printer) parts(sep string, parts ...string) {
	sep, at := p.s.text(sep), 0
	for _, t := range parts {
		t = strings.TrimSpace(p.s.text(t))
		if t == "" {
			continue
		}
		switch {
		case at == 0:
		case at+cells(sep)+cells(t) <= p.s.width():
			p.out.WriteString(sep)
			at += cells(sep)
		default:
			p.out.WriteString("\n")
			at = 0
		}
		lines := wrap(t, p.s.width())
		p.out.WriteString(strings.Join(lines, "\n"))
		at += cells(lines[len(lines)-1])
	}
	if at > 0 {
		p.out.WriteString("\n")
	}
}

func (p *printer) header() {
	size := []string{""}
	switch n := p.benchmarks(); {
	case p.r.Arc != nil:
		size = arcSize(p.r, n)
	case n > 0:
		size[0] = printable.Count(n, "benchmark") + " × " + printable.Count(len(p.r.Variants), "variant")
	}
	blocks := ""
	switch n := p.r.Spent.Blocks; {
	case n > 0 && p.serves:
		blocks = printable.Int(n) + " interleaved server " + printable.Plural(n, "start") + " each"
	case n > 0:
		blocks = printable.Count(n, "block") + ", interleaved"
	}
	run := ""
	if p.r.Run != "" {
		run = "run " + p.r.Run
	}
	p.parts("  ·  ", slices.Concat([]string{p.r.Study}, size, []string{blocks, run})...)
	p.parts("", p.r.Question)
	p.parts(" · ", append(platformParts(p.r.Platform), p.noise())...)
}

// tables prints all tables: variants as columns up to three of them, else a
// table of variants and a matrix.
func (p *printer) tables() {
	if len(p.services) == 0 {
		p.benchmarkTables()
		return
	}
	p.serviceTables()
	if p.serves {
		p.sameCode()
		return
	}
	p.of(p.withoutServices()).benchmarkTables()
}

func (p *printer) benchmarkTables() {
	sections := p.sections()
	if p.s.Pairs && !p.foreign {
		p.pairs(sections)
		p.sameCode()
		return
	}
	if len(p.shown) <= 2 || p.foreign {
		p.columns(sections, p.shown)
		p.sameCode()
		return
	}
	p.variants()
	p.matrix(sections)
}

// pairs prints a table a variant. Where there are several, metrics that decide
// nothing would say the same again and again.
func (p *printer) pairs(sections []section) {
	if len(p.shown) > 1 && !p.s.All {
		sections = slices.DeleteFunc(sections, func(sec section) bool { return !sec.decides })
	}
	for _, v := range p.shown {
		p.columns(sections, []string{v})
	}
}

// sameCode tells of the variants that have no column.
func (p *printer) sameCode() {
	g := &grid{style: p.s, cols: []column{{}}}
	for _, v := range p.r.Variants {
		if v.SameAs != nil && v.Name != p.r.Base {
			g.text(v.Name, "≡ "+p.sameText(v))
		}
	}
	p.grid(g)
}

// grid prints a grid after a blank line.
func (p *printer) grid(g *grid) {
	if len(g.lines) == 0 {
		return
	}
	if g.widths == nil {
		g.measure()
	}
	p.out.WriteString("\n")
	g.write(p.out)
}

// labelled prints lines behind a label of eight columns.
func (p *printer) labelled(label string, t tone, lines ...string) {
	const indent = 8
	lead := pad(label, indent, false)
	for _, l := range lines {
		for _, part := range wrap(p.s.text(l), p.s.width()-indent) {
			text := strings.TrimRight(part, " ")
			p.out.WriteString(p.s.paint(t, strings.TrimRight(lead+text, " ")) + "\n")
			lead = strings.Repeat(" ", indent)
		}
	}
}

func (p *printer) warnings() {
	for _, w := range p.r.Warnings {
		if w.Minor() && !p.s.All {
			continue
		}
		if w.Code == "gate-failed" {
			w.Facts = nil // the lines on gates have them, with the evidence
		}
		p.out.WriteString("\n")
		p.out.WriteString(strings.Join(warningLines(w, "note    ", "        ", p.s), "\n") + "\n")
	}
}

// answer prints the record's answer, how it was decided and how to get it
// again.
func (p *printer) answer() {
	a := p.r.Answer
	lines := a.Text
	if len(lines) == 0 && a.Verdict != assay.Withheld {
		lines = []string{string(a.Verdict)}
	}
	p.out.WriteString("\n")
	if len(lines) > 0 {
		p.labelled("ANSWER", answerTone(a), lines[0])
		p.labelled("", plain, lines[1:]...)
	}
	if a.Basis != "" {
		p.labelled("", plain, a.Basis)
	}
	p.again()
}

func answerTone(a assay.Answer) tone {
	switch {
	case a.Verdict.Good():
		return strongGood
	case a.Verdict.Bad():
		return strongBad
	}
	return strong
}

// again prints what repeats the result: command, run and hash of the study.
func (p *printer) again() {
	lead := "again   "
	if p.r.Command != "" {
		for _, l := range command(p.s.text(p.r.Command), p.s.width()-len(lead)) {
			p.out.WriteString(lead + l + "\n")
			lead = "        "
		}
	}
	var ids []string
	if p.r.Run != "" {
		ids = append(ids, "run "+p.r.Run)
	}
	if h := p.r.StudyHash; h != "" {
		ids = append(ids, "study "+h[:min(len(h), 8)])
	}
	if len(ids) > 0 {
		p.out.WriteString(strings.TrimRight(lead+p.s.text(strings.Join(ids, " · ")), " ") + "\n")
	}
}

// footnotes prints the notes, and once why verdicts are withheld.
func (p *printer) footnotes() {
	lines := append(p.withheld(), p.profiles()...)
	notes := p.notes.lines()
	if len(notes) > maxNotes && !p.s.All {
		n := len(notes) - maxNotes
		notes = append(notes[:maxNotes:maxNotes], "… "+printable.Int(n)+" more "+p.showAll())
	}
	lines = append(lines, notes...)
	if len(lines) == 0 {
		return
	}
	p.out.WriteString("\n")
	p.labelled("note", plain, lines...)
}

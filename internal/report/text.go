package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
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

// A printer prints one result.
type printer struct {
	r     *assay.Result
	s     Style
	out   strings.Builder
	shown []string // variants that have columns: neither base nor same code
	notes notes
	// hint is how to see what was left out; "" names the run.
	hint string
	// foreign results were not measured together: the values carry intervals,
	// the changes none.
	foreign bool
	// services are the benchmarks that are servers under load; serves says that
	// all are.
	services []assay.Benchmark
	serves   bool
	// chained says that the chain of steps is printed already, beside those of
	// other machines.
	chained bool
}

func newPrinter(r *assay.Result, s Style) *printer {
	p := &printer{r: r, s: s}
	for _, v := range r.Variants {
		if v.Name != r.Base && v.SameAs == nil && !isGap(r.Arc, v.Name) {
			p.shown = append(p.shown, v.Name)
		}
	}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			// A step that lacks a benchmark has no verdict there, but was measured.
			p.foreign = p.foreign || r.Arc == nil && slices.ContainsFunc(row.Cells, isForeign)
		}
	}
	p.services, p.serves = servicesOf(r)
	return p
}

// isGap reports whether a variant is a step that could not be built.
func isGap(a *assay.Arc, variant string) bool {
	return a != nil && slices.ContainsFunc(a.Steps, func(s assay.StepResult) bool { return s.Variant == variant && s.Gap != nil })
}

func isForeign(c assay.Comparison) bool {
	return c.Verdict == assay.Withheld && c.Interval == nil && !c.Exact
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

// benchmarks is the number of benchmarks of the largest table.
func (p *printer) benchmarks() int {
	n := 0
	for _, t := range p.r.Tables {
		n = max(n, len(t.Rows))
	}
	return n
}

// platformParts describes the machine that measured; results read from files
// may not say.
func platformParts(m assay.Platform) []string {
	if m.GOOS == "" && m.CPU == "" {
		return nil
	}
	name := strings.Trim(m.GOOS+"/"+m.GOARCH, "/") + " " + m.CPU
	if m.CPUs > 0 {
		name += ", " + printable.Count(m.CPUs, "CPU")
	}
	return append([]string{strings.TrimSpace(name)}, conditions(m)...)
}

// conditions are the facts about a machine that its owner can change.
func conditions(m assay.Platform) []string {
	parts := []string{m.Virtual}
	if m.Procs > 0 && m.Procs != m.CPUs {
		parts = append(parts, "GOMAXPROCS="+strconv.Itoa(m.Procs))
	}
	if m.Governor != "" {
		parts = append(parts, m.Governor+" governor")
	}
	if m.Profile != "" {
		parts = append(parts, m.Profile+" profile")
	}
	if m.Power != "" {
		parts = append(parts, "on "+m.Power)
	}
	return parts
}

// noise is the A/A noise floor in words, or "" where no control ran.
func (p *printer) noise() string {
	n := p.r.Noise
	if n.Control == "" {
		return ""
	}
	switch {
	case n.Floor == 0 && n.Change != 0:
		return "noise " + percent(n.Change, 0.01) + " % " + soFar + " (A/A)"
	case n.Floor == 0:
		return "noise not known yet (A/A)"
	}
	text := "noise " + plusMinus(n.Floor) + " % (A/A"
	if n.False > 0 {
		text += fmt.Sprintf(", %d of %d called different", n.False, max(len(n.Cells), n.False))
	}
	return text + ")"
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
	whole := p.r
	p.r = without(whole, p.services)
	p.benchmarkTables()
	p.r = whole
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

// sameText says what a variant is the same code as, and how much the control
// differed, which is noise.
func (p *printer) sameText(v assay.VariantResult) string {
	text := string(assay.SameCoded) + " as " + v.SameAs.As
	if !v.SameAs.Control && p.r.Noise.Control != v.Name {
		return text
	}
	text += ", used as control"
	var worst assay.Comparison
	for _, c := range p.r.Noise.Cells {
		if c.Interval != nil && math.Abs(c.Change.Log()) >= math.Abs(worst.Change.Log()) {
			worst = c
		}
	}
	if worst.Interval == nil {
		return text
	}
	return text + ": " + unsigned(percent(worst.Change, worst.Interval.Half())) + " % off at most"
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
	g.write(&p.out)
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

// showAll is how to see what was left out.
func (p *printer) showAll() string {
	switch {
	case p.hint != "":
		return p.hint
	case p.r.Run == "":
		return "(--all shows them)"
	}
	return "(assay show " + p.r.Run + " --all)"
}

// price is "needs ~9 blocks, 40 s".
func (p *printer) price(c assay.Comparison) string {
	text := "needs ~" + printable.Count(c.MoreBlocks, p.blockNoun())
	if c.MoreTime > 0 {
		text += ", " + printable.Duration(c.MoreTime)
	}
	return text
}

package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// Text prints a result: header, tables, notes, warnings, and the answer last,
// where the prompt will be. Nothing printed is wider than s.Width, except a
// single word of a command that is meant to be pasted.
func Text(w io.Writer, r *assay.Result, s Style) error {
	p := newPrinter(r, s)
	p.header()
	p.tables()
	p.footnotes()
	p.warnings()
	p.answer()
	_, err := io.WriteString(w, p.out.String())
	return err
}

// JSON prints a result as indented JSON with a newline at its end: the same
// result gives the same bytes. Characters that a terminal may obey are written
// as \u escapes.
func JSON(w io.Writer, r *assay.Result) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	_, err = io.WriteString(w, escapeControls(string(b))+"\n")
	return err
}

// escapeControls escapes what encoding/json leaves as it is: DEL, the C1
// controls (U+009B starts an escape sequence) and the bidirectional marks. They
// can stand only inside strings, where the escape means the same.
func escapeControls(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= 0x7f && r <= 0x9f || r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A printer prints one result.
type printer struct {
	r     *assay.Result
	s     Style
	out   strings.Builder
	shown []string // variants that have columns: neither base nor same code
	notes notes
}

func newPrinter(r *assay.Result, s Style) *printer {
	p := &printer{r: r, s: s}
	for _, v := range r.Variants {
		if v.Name != r.Base && v.SameAs == nil {
			p.shown = append(p.shown, v.Name)
		}
	}
	return p
}

// parts prints the parts that are not empty on one line with a separator, and
// breaks between them where the line is full.
func (p *printer) parts(sep string, parts ...string) {
	sep, at := p.s.text(sep), 0
	for _, t := range parts {
		t = p.s.text(t)
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
	size := ""
	if n := p.benchmarks(); n > 0 {
		size = count(n, "benchmark") + " × " + count(len(p.r.Variants), "variant")
	}
	blocks := ""
	if n := p.r.Spent.Blocks; n > 0 {
		blocks = count(n, "block") + ", interleaved"
	}
	run := ""
	if p.r.Run != "" {
		run = "run " + p.r.Run
	}
	p.parts("  ·  ", p.r.Study, size, blocks, run)
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
		name += ", " + count(m.CPUs, "CPU")
	}
	parts := []string{strings.TrimSpace(name), m.Virtual}
	if m.Governor != "" {
		parts = append(parts, m.Governor+" governor")
	}
	return parts
}

// noise is the A/A noise floor in words, or "" where no control ran.
func (p *printer) noise() string {
	n := p.r.Noise
	if n.Control == "" {
		return ""
	}
	if n.Floor == 0 {
		return "noise not known yet (A/A)"
	}
	text := "noise ±" + strings.TrimPrefix(percent(float64(n.Floor), changeDecimals(0, n.Floor)), "+") + " % (A/A"
	if n.False > 0 {
		text += fmt.Sprintf(", %d of %d called different", n.False, max(len(n.Cells), n.False))
	}
	return text + ")"
}

// tables prints all tables: variants as columns up to three of them, else a
// table of variants and a matrix.
func (p *printer) tables() {
	sections := p.sections()
	if len(p.shown) <= 2 {
		p.columns(sections, p.shown)
		p.sameCode()
		return
	}
	p.variants()
	p.matrix(sections)
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
	var worst, half assay.Change
	for _, c := range p.r.Noise.Cells {
		if c.Interval != nil && math.Abs(c.Change.Log()) >= math.Abs(worst.Log()) {
			worst, half = c.Change, c.Interval.Half()
		}
	}
	if half == 0 {
		return text
	}
	return text + ": differed by " + strings.TrimLeft(percent(float64(worst), changeDecimals(worst, half)), "+−") + " % at most"
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
	if a.Gate != "" {
		p.labelled("gate", plain, a.Gate+": at most "+trimSign(percent(p.r.Rule.Gate, 1))+" % worse")
	}
	p.again()
}

func trimSign(t string) string { return strings.TrimLeft(t, "+−") }

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
		p.out.WriteString(lead + p.s.text(strings.Join(ids, " · ")) + "\n")
	}
}

// command breaks a command line that is too long, so that it can still be
// pasted: between its words, never inside quotes, with a backslash.
func command(text string, width int) []string {
	var lines []string
	at := ""
	for _, w := range shellWords(text) {
		switch {
		case at == "":
			at = w
		case cells(at)+1+cells(w)+2 <= width:
			at += " " + w
		default:
			lines = append(lines, at+` \`)
			at = "  " + w
		}
	}
	return append(lines, at)
}

// shellWords splits at the spaces outside quotes and keeps the quotes.
func shellWords(text string) []string {
	var words []string
	var quote rune
	start := 0
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == ' ':
			words = append(words, text[start:i])
			start = i + 1
		}
	}
	words = append(words, text[start:])
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// showAll is how to see what was left out.
func (p *printer) showAll() string {
	if p.r.Run == "" {
		return "(--all shows them)"
	}
	return "(assay show " + p.r.Run + " --all)"
}

// price is "needs ~9 blocks, 40 s".
func price(c assay.Comparison) string {
	text := "needs ~" + count(c.MoreBlocks, "block")
	if c.MoreTime > 0 {
		text += ", " + short(c.MoreTime)
	}
	return text
}

func itoa(n int) string { return group(strconv.Itoa(n)) }

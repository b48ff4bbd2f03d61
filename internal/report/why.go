package report

import (
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// why prints the first cause of each explanation, those of the largest changes
// first, and where the rest is to be read.
func (p *printer) why() {
	all := sheet.ByChange(p.Result.Explanations)
	if len(all) == 0 {
		return
	}
	shown := all
	if len(all) > sheet.MaxWhys && !p.s.All {
		shown = all[:sheet.MaxWhys]
	}
	var lines []string
	for _, e := range shown {
		lines = append(lines, p.whyLines(e)...)
	}
	for _, t := range p.Grown(shown) {
		lines = append(lines, hanging(p.s.text(t), p.s.width()-labelWidth, 2)...)
	}
	if n := len(all) - len(shown); n > 0 {
		lines = append(lines, p.s.text("… "+printable.Int(n)+" more "+p.ShowAll()))
	}
	p.blank()
	lead := "why"
	for _, l := range lines {
		// Not in one call: labelled takes the indent of a second line away.
		p.line(pad(lead, labelWidth, false) + l)
		lead = ""
	}
}

// whyLines say why one benchmark changed: the first cause, its part of the
// difference, and the command that says more, in one line if they fit.
func (p *printer) whyLines(e *assay.Explanation) []string {
	room := p.s.width() - labelWidth
	what, part := sheet.FirstCause(e)
	if c := e.Comparison; len(e.Causes) > 0 && c.N > 0 && !c.Verdict.Differs() {
		what = "not proved to differ; " + what
	}
	head := p.s.text(p.WhyName(e) + ": " + what)
	cmd := p.s.text("(" + sheet.ExplainCommand(p.Result, e) + ")")
	part = p.s.text(part)
	if one := sheet.JoinWords(", ", head, part) + "   " + cmd; cells(one) <= room {
		return []string{one}
	}
	lines := hanging(p.s.middle(head, 3*room-6), room, 2)
	tail := sheet.JoinWords("   ", part, cmd)
	return append(lines, indented(wrap(tail, room-2), 2)...)
}

// hanging wraps a text with its further lines indented.
func hanging(text string, width, indent int) []string {
	first := wrap(text, width)
	if len(first) == 1 {
		return first
	}
	rest := strings.TrimPrefix(text, first[0])
	return append(first[:1:1], indented(wrap(strings.TrimLeft(rest, " "), width-indent), indent)...)
}

func indented(lines []string, indent int) []string {
	for i := range lines {
		lines[i] = strings.Repeat(" ", indent) + lines[i]
	}
	return lines
}

// figure is what begins a figure behind a word: a line does not break between.
var figure = regexp.MustCompile(` ([+−-][0-9]|\[)`)

// wrapFigures wraps a text so that "mallocgc +5.2" and "[+4.9, +5.5]" stay whole.
func wrapFigures(text string, width int) []string {
	const hard = "\u00a0"
	if strings.Contains(text, hard) {
		return wrap(text, width)
	}
	lines := wrap(figure.ReplaceAllString(text, hard+"$1"), width)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, hard, " ")
	}
	return lines
}

package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// why prints the first cause of each explanation, those of the largest changes first, and
// how to read the rest.
func (p *printer) why() {
	all := sheet.ByChange(p.Result.Explanations)
	if len(all) == 0 {
		return
	}
	shown, left := firstOf(all, sheet.MaxWhys, p.Style)
	var lines []string
	for _, e := range shown {
		lines = append(lines, p.whyLines(e)...)
	}
	for _, t := range p.Grown(shown) {
		lines = append(lines, terminal.Hanging(p.Style.Text(t), p.Style.Columns()-terminal.LabelWidth, 2)...)
	}
	if left > 0 {
		lines = append(lines, p.Style.Text("… "+printable.Int(left)+" more "+p.ShowAll()))
	}
	p.Blank()
	p.Behind(terminal.Pad("why", terminal.LabelWidth, false), sheet.Plain, lines...)
}

// whyLines say why a benchmark changed: the first cause, its part of the difference, and
// the command that says more, on one line if they fit.
func (p *printer) whyLines(e *assay.Explanation) []string {
	room := p.Style.Columns() - terminal.LabelWidth
	what, part := sheet.FirstCause(e)
	if c := e.Comparison; len(e.Causes) > 0 && c.N > 0 && !c.Verdict.Differs() {
		what = "not proved to differ; " + what
	}
	head := p.Style.Text(p.WhyName(e) + ": " + what)
	cmd := p.Style.Text("(" + sheet.ExplainCommand(p.Result, e) + ")")
	part = p.Style.Text(part)
	if one := sheet.JoinWords(", ", head, part) + "   " + cmd; terminal.Width(one) <= room {
		return []string{one}
	}
	lines := terminal.Hanging(p.Style.Middle(head, 3*room-6), room, 2)
	if tail := sheet.JoinWords("   ", part, cmd); terminal.Width(tail) <= room-2 {
		return append(lines, terminal.Indented([]string{tail}, 2)...)
	}
	lines = append(lines, terminal.Indented(terminal.WrapFigures(part, room-2), 2)...)
	return append(lines, terminal.Indented([]string{cmd}, 2)...)
}

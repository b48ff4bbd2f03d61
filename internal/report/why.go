package report

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// why prints the first cause of each explanation, those of the largest changes first, and
// how to read the rest.
func (p *printer) why() {
	all := sheet.ByChange(p.sheet.Result.Explanations)
	if len(all) == 0 {
		return
	}
	shown, left := firstOf(all, sheet.MaxWhys, p.out.Style)
	var lines []string
	for rest := shown; len(rest) > 0; {
		same := rest[:1]
		if what, _ := sheet.FirstCause(rest[0]); !p.out.Style.All && p.out.Style.WidthOf(p.sheet.WhyName(rest[0])+": "+what) > p.out.Style.Columns()-terminal.LabelWidth {
			same = sheet.SameCause(rest) // several lines each
		}
		lines = append(lines, p.whyLines(same)...)
		rest = rest[len(same):]
	}
	for _, t := range p.sheet.Grown(shown) {
		lines = append(lines, terminal.Hanging(p.out.Style.Text(t), p.out.Style.Columns()-terminal.LabelWidth, 2)...)
	}
	if left > 0 {
		lines = append(lines, p.out.Style.Text("… "+printable.Int(left)+" more "+p.sheet.ShowAll()))
	}
	p.out.Blank()
	p.out.Behind(terminal.Pad("why", terminal.LabelWidth, false), sheet.Plain, lines...)
}

// whyLines say why a benchmark changed: the first cause, its part of the difference, and
// the command that says more, on one line if they fit. Of several with the same cause the
// command is that of the first.
func (p *printer) whyLines(same []*assay.Explanation) []string {
	e := same[0]
	room := p.out.Style.Columns() - terminal.LabelWidth
	what, part := sheet.FirstCause(e)
	if c := e.Comparison; len(e.Causes) > 0 && c.N > 0 && !c.Verdict.Differs() {
		what = "not proved to differ; " + what
	}
	var names []string
	for _, x := range same {
		names = append(names, p.sheet.WhyName(x))
	}
	head := p.out.Style.Text(strings.Join(names, ", ") + ": " + what)
	cmd := p.out.Style.Text("(" + sheet.ExplainCommand(p.sheet.Result, e) + ")")
	part = p.out.Style.Text(part)
	if one := sheet.JoinWords(", ", head, part) + "   " + cmd; terminal.Width(one) <= room {
		return []string{one}
	}
	lines := terminal.Hanging(p.out.Style.Middle(head, (2+len(same))*room-6), room, 2)
	if tail := sheet.JoinWords("   ", part, cmd); terminal.Width(tail) <= room-2 {
		return append(lines, terminal.Indented([]string{tail}, 2)...)
	}
	if part != "" {
		lines = append(lines, terminal.Indented(terminal.WrapFigures(part, room-2), 2)...)
	}
	return append(lines, terminal.Indented([]string{cmd}, 2)...)
}

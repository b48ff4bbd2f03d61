package report

import (
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The number of rows about the code without --all.
const (
	maxPackages  = 5
	maxCalls     = 8
	maxFuncs     = 6
	maxDecisions = 4
)

// code prints how the binaries differ: as a whole, and in the functions that matter here.
func (x *explained) code() {
	c := x.account.Explanation.Code
	if c == nil {
		return
	}
	x.out.Blank()
	x.out.Labelled("code", sheet.Plain, x.account.Whole(c)...)
	if t := x.account.SizeTable(c, maxPackages); len(t.Rows) > 1 {
		x.named(t, 52)
	}
	if len(c.Calls) > 0 {
		x.named(x.account.CallTable(c, maxCalls), 24)
	}
	functions, left := firstOf(c.Functions, maxFuncs, x.out.Style)
	for _, f := range functions {
		x.changed(f)
	}
	if left > 0 {
		x.out.Blank()
		x.left("", left)
	}
}

// changed prints a function that differs.
func (x *explained) changed(f assay.FuncChange) {
	x.out.Blank()
	x.joined("", "  ·  ", x.account.PlaceOf(f), account.Weight(f))
	x.joined("  ", " · ", x.account.FactsOf(f)...)
	for _, k := range f.Calls {
		x.hang("  call      ", x.account.CallIn(f, k), 3)
	}
	x.decisions(f)
	x.listing(f)
}

// decisions prints what the compiler decided differently.
func (x *explained) decisions(f assay.FuncChange) {
	decisions, left := firstOf(f.Decisions, maxDecisions, x.out.Style)
	for _, d := range decisions {
		x.hang("  compiler  ", account.Decision(d)+" (only "+x.account.SideOf(d)+")", 3)
	}
	x.left("  ", left)
}

// listing prints the instructions of both sides. Those of the base alone stand behind a
// minus, those of the variant alone behind a plus.
func (x *explained) listing(f assay.FuncChange) {
	if !x.out.Style.All || len(f.Listing) == 0 {
		return
	}
	x.out.Blank()
	var later []assay.CodeLine // lines of the variant below those of the base
	flush := func() {
		for _, l := range later {
			x.instruction("+", l.Variant, l)
		}
		later = nil
	}
	for _, l := range f.Listing {
		sign, text := " ", l.Base
		switch l.Kind {
		case assay.CodeDiffers:
			sign, later = "−", append(later, l)
		case assay.CodeFolded:
			text = "… " + printable.Count(l.Count, "equal instruction")
		case assay.CodeCut:
			text = "… " + printable.Count(l.Count, "more row")
		}
		if sign == " " {
			flush()
		}
		x.instruction(sign, text, l)
	}
	flush()
}

// instruction prints a line of a listing: sign, line, text and what to look at.
func (x *explained) instruction(sign, text string, l assay.CodeLine) {
	if text == "" {
		return
	}
	line := ""
	if l.Line > 0 && l.Kind != assay.CodeFolded {
		line = strconv.Itoa(l.Line)
	}
	lead := "  " + x.out.Style.Text(sign) + " " + terminal.Pad(line, 5, true) + "  "
	text = x.out.Style.Text(text)
	if m := x.out.Style.Text(l.Mark); m != "" && sign != " " {
		text = terminal.Pad(text, min(48, x.out.Style.Columns()-terminal.Width(lead)-12), false) + "  " + m
	}
	t := map[string]sheet.Tone{"−": sheet.Faint, "+": sheet.Strong}[sign]
	x.out.Line(x.out.Style.Paint(t, strings.TrimRight(lead+x.out.Style.Middle(text, x.out.Style.Columns()-terminal.Width(lead)), " ")))
}

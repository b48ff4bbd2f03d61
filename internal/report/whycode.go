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

// The number of rows about the code where not all is asked for.
const (
	maxPackages  = 5
	maxCalls     = 8
	maxFuncs     = 6
	maxDecisions = 4
)

// code prints how the binaries differ: as a whole, and in the functions that
// matter here.
func (x *explained) code() {
	c := x.Explanation.Code
	if c == nil {
		return
	}
	x.Blank()
	x.Labelled("code", sheet.Plain, x.Whole(c)...)
	x.sizes(c)
	x.calls(c)
	for i, f := range c.Functions {
		if i >= maxFuncs && !x.Style.All {
			x.Blank()
			x.left("", len(c.Functions)-i)
			break
		}
		x.changed(f)
	}
}

// sizes prints what the code takes, by package where it differs, and the file.
func (x *explained) sizes(c *assay.CodeChange) {
	t := x.sides("size in bytes", x.Style.Columns()-52, sheet.Right)
	t.Columns = append(t.Columns, sheet.Column{Align: sheet.Right, Gap: 3}, sheet.Column{Align: sheet.Point, Gap: 2})
	t.Heads()
	whole := func(name string, base, variant int64) {
		if base > 0 || variant > 0 {
			t.Row(account.SizeCells(assay.SizeChange{Name: name, Base: base, Variant: variant})...)
		}
	}
	whole("code", c.BaseText, c.VariantText)
	packages := firstOf(c.Packages, maxPackages, x.Style)
	for _, p := range packages {
		p.Name = "  " + p.Name
		t.Row(account.SizeCells(p)...)
	}
	if left := len(c.Packages) - len(packages); left > 0 {
		t.Text("", "  … "+printable.Count(left, "more package")+" (--all)")
	}
	whole("file", c.BaseFile, c.VariantFile)
	if len(t.Rows) > 1 {
		x.Table(t)
	}
}

// calls prints the calls that changed all over the binary.
func (x *explained) calls(c *assay.CodeChange) {
	if len(c.Calls) == 0 {
		return
	}
	t := &sheet.Table{Columns: []sheet.Column{{Head: "calls that changed", Limit: max(terminal.MinName, x.Style.Columns()-24)},
		{Head: "calls", Align: sheet.Right, Gap: 3}, {Head: "functions", Align: sheet.Right, Gap: 3}}}
	t.Heads()
	calls := firstOf(c.Calls, maxCalls, x.Style)
	for _, k := range calls {
		t.Row(sheet.Word(x.CallText(k)), sheet.Number(printable.Int(k.Count), ""), sheet.Number(printable.Int(max(k.Callers, 1)), ""))
	}
	if left := len(c.Calls) - len(calls); left > 0 {
		t.Text("", "… "+printable.Int(left)+" more (--all)")
	}
	x.Table(t)
}

// changed prints a function that differs.
func (x *explained) changed(f assay.FuncChange) {
	x.Blank()
	x.joined("", "  ·  ", x.Place(f.Name, f.File, f.Line), account.Weight(f))
	x.joined("  ", " · ", x.FactsOf(f)...)
	for _, k := range f.Calls {
		x.hang("  call      ", x.CallIn(k), 3)
	}
	x.decisions(f)
	x.listing(f)
}

// decisions prints what the compiler decided otherwise.
func (x *explained) decisions(f assay.FuncChange) {
	shown := firstOf(f.Decisions, maxDecisions, x.Style)
	for _, d := range shown {
		x.hang("  compiler  ", account.Decision(d)+" (only "+x.SideOf(d)+")", 3)
	}
	x.left("  ", len(f.Decisions)-len(shown))
}

// listing prints both sides' instructions, those of the base alone behind a
// minus, those of the variant alone behind a plus.
func (x *explained) listing(f assay.FuncChange) {
	if !x.Style.All || len(f.Listing) == 0 {
		return
	}
	x.Blank()
	var gone, come []string
	flush := func() {
		for _, l := range append(gone, come...) {
			x.Line(l)
		}
		gone, come = nil, nil
	}
	for _, l := range f.Listing {
		switch l.Kind {
		case assay.CodeDiffers:
			x.instruction("−", l.Base, l, &gone)
			x.instruction("+", l.Variant, l, &come)
			continue
		case assay.CodeFolded:
			flush()
			x.instruction(" ", "… "+printable.Count(l.Count, "equal instruction"), l, &come)
		case assay.CodeCut:
			flush()
			x.instruction(" ", "… "+printable.Count(l.Count, "more row"), l, &come)
		default:
			flush()
			x.instruction(" ", l.Base, l, &come)
		}
		flush()
	}
	flush()
}

// instruction adds a line of a listing: sign, line, text and what to look at.
func (x *explained) instruction(sign, text string, l assay.CodeLine, to *[]string) {
	if text == "" {
		return
	}
	line := ""
	if l.Line > 0 && l.Kind != assay.CodeFolded {
		line = strconv.Itoa(l.Line)
	}
	lead := "  " + x.Style.Text(sign) + " " + terminal.Pad(line, 5, true) + "  "
	text = x.Style.Text(text)
	if m := x.Style.Text(l.Mark); m != "" && sign != " " {
		text = terminal.Pad(text, min(48, x.Style.Columns()-terminal.Width(lead)-12), false) + "  " + m
	}
	t := sheet.Plain
	switch sign {
	case "−":
		t = sheet.Faint
	case "+":
		t = sheet.Strong
	}
	*to = append(*to, x.Style.Paint(t, strings.TrimRight(lead+x.Style.Middle(text, x.Style.Columns()-terminal.Width(lead)), " ")))
}

package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
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
	c := x.e.Code
	if c == nil {
		return
	}
	x.Blank()
	x.Labelled("code", sheet.Plain, x.whole(c)...)
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

// whole says how much of the binaries is the same.
func (x *explained) whole(c *assay.CodeChange) []string {
	base, variant := x.names()
	var lines []string
	total := c.Same + c.Differ + c.OnlyBase + c.OnlyVariant
	switch {
	case x.e.SameCode, total > 0 && c.Same == total:
		lines = append(lines, "all "+printable.Count(c.Same, "function")+" are the same")
	case total > 0:
		lines = append(lines, sheet.JoinWords(" · ", printable.Int(c.Same)+" functions the same", some(c.Differ, "differ"),
			some(c.OnlyBase, "only in "+base), some(c.OnlyVariant, "only in "+variant)))
	}
	if c.Hot > 0 {
		lines = append(lines, hot(c))
	}
	for _, m := range c.Missing {
		lines = append(lines, "not told: "+m)
	}
	return lines
}

// hot says what became of the functions that matter.
func hot(c *assay.CodeChange) string {
	if c.SameHot >= c.Hot {
		if c.Hot == 1 {
			return "the function that matters here is the same in both"
		}
		return "all " + printable.Int(c.Hot) + " functions that matter here are the same in both"
	}
	if c.Hot == 1 {
		return "the function that matters here differs"
	}
	if c.SameHot <= 0 {
		return "the " + printable.Int(c.Hot) + " functions that matter here differ"
	}
	return fmt.Sprintf("of %d functions that matter here %d %s the same in both", c.Hot, c.SameHot, verb(c.SameHot, "is", "are"))
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// some is "12 differ", "" for none.
func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return printable.Int(n) + " " + what
}

func signedInt(n int64) string {
	if n > 0 {
		return "+" + printable.Int(n)
	}
	return printable.Int(n)
}

// sizes prints what the code takes, by package where it differs, and the file.
func (x *explained) sizes(c *assay.CodeChange) {
	g := &terminal.Grid{Style: x.Style, Cols: []terminal.Column{{Limit: max(minName, x.Style.Columns()-52)}, {Align: terminal.Right, Gap: 3, Limit: nameWidth},
		{Align: terminal.Right, Gap: 3, Limit: nameWidth}, {Align: terminal.Right, Gap: 3}, {Align: terminal.Point, Gap: 2}}}
	x.partHeads(g, "size in bytes")
	if c.BaseText > 0 || c.VariantText > 0 {
		g.Row(sizeCells(assay.SizeChange{Name: "code", Base: c.BaseText, Variant: c.VariantText})...)
	}
	for i, p := range c.Packages {
		if i >= maxPackages && !x.Style.All {
			g.Text("", "  … "+printable.Count(len(c.Packages)-i, "more package")+" (--all)")
			break
		}
		p.Name = "  " + p.Name
		g.Row(sizeCells(p)...)
	}
	if c.BaseFile > 0 || c.VariantFile > 0 {
		g.Row(sizeCells(assay.SizeChange{Name: "file", Base: c.BaseFile, Variant: c.VariantFile})...)
	}
	if g.Rows() > 1 {
		x.Grid(g)
	}
}

func sizeCells(p assay.SizeChange) []sheet.Cell {
	cs := []sheet.Cell{sheet.Word(p.Name), sheet.Word(printable.Int(p.Base)), sheet.Word(printable.Int(p.Variant)), sheet.Word(signedInt(p.Variant - p.Base)), {}}
	if by := assay.Change(float64(p.Variant)/float64(p.Base) - 1); p.Base > 0 && math.Abs(float64(by)) >= sheet.LeastPoint/2 {
		cs[4] = sheet.Number(sheet.Points(by, nil), "%")
	}
	return cs
}

// calls prints the calls that changed all over the binary.
func (x *explained) calls(c *assay.CodeChange) {
	if len(c.Calls) == 0 {
		return
	}
	g := &terminal.Grid{Style: x.Style, Cols: []terminal.Column{{Limit: max(minName, x.Style.Columns()-24)}, {Align: terminal.Right, Gap: 3}, {Align: terminal.Right, Gap: 3}}}
	g.Head(terminal.Span{Text: "calls that changed"}, terminal.Span{From: 1, To: 1, Text: "calls", Align: terminal.Right}, terminal.Span{From: 2, To: 2, Text: "functions", Align: terminal.Right})
	for i, k := range c.Calls {
		if i >= maxCalls && !x.Style.All {
			g.Text("", "… "+printable.Int(len(c.Calls)-i)+" more (--all)")
			break
		}
		g.Row(sheet.Word(x.call(k)), sheet.Number(printable.Int(k.Count), ""), sheet.Number(printable.Int(max(k.Callers, 1)), ""))
	}
	x.Grid(g)
}

// call says what became of a call.
func (x *explained) call(k assay.CallChange) string {
	from, to := x.function(k.From), x.function(k.To)
	switch {
	case k.From != "" && k.To != "":
		return from + " → " + to
	case k.To == "" && k.Inlined:
		return from + " is inlined now"
	case k.To == "":
		return from + " is not called any more"
	case k.Inlined:
		return to + " was inlined, is called now"
	}
	return to + " is called now"
}

// changed prints a function that differs.
func (x *explained) changed(f assay.FuncChange) {
	x.Blank()
	x.joined("", "  ·  ", x.place(f.Name, f.File, f.Line), weight(f))
	x.joined("  ", " · ", x.facts(f)...)
	for _, k := range f.Calls {
		x.hang("  call      ", sheet.JoinWords(", ", x.call(k)+times2(k.Count), fileLine(k.File, k.Line)), 3)
	}
	x.decisions(f)
	x.listing(f)
}

// weight is a function's share of the profile, "" where it is not known.
func weight(f assay.FuncChange) string {
	if f.Weight > 0 && f.Weight <= 1 {
		return strconv.FormatFloat(100*f.Weight, 'f', 0, 64) + " % of the profile"
	}
	return ""
}

// times2 is how often a function makes a call, where that is more than once.
func times2(n int) string {
	if n > 1 {
		return " (" + printable.Int(n) + "×)"
	}
	return ""
}

// facts counts what is in a function: all of the side that has it alone, else the
// size and what differs.
func (x *explained) facts(f assay.FuncChange) []string {
	base, variant := x.names()
	switch {
	case f.Base == nil && f.Variant == nil:
		return []string{"not read"}
	case f.Base == nil:
		return oneSide(variant, *f.Variant)
	case f.Variant == nil:
		return oneSide(base, *f.Base)
	}
	b, v := *f.Base, *f.Variant
	return []string{arrow("", b.Size, v.Size, " bytes"), changedArrow("stack frame ", b.Frame, v.Frame, " B"),
		changedArrow("instructions ", b.Instructions, v.Instructions, ""), changedArrow("calls ", b.Calls, v.Calls, ""),
		changedArrow("bounds checks ", b.BoundsChecks, v.BoundsChecks, ""),
		changedArrow("write barriers ", b.WriteBarriers, v.WriteBarriers, "")}
}

func oneSide(side string, f assay.FuncFacts) []string {
	return []string{"only in " + side + ": " + printable.Count(f.Size, "byte"), "stack frame " + printable.Int(f.Frame) + " B", printable.Count(f.Instructions, "instruction"),
		printable.Count(f.Calls, "call"), printable.Count(f.BoundsChecks, "bounds check"), printable.Count(f.WriteBarriers, "write barrier")}
}

func changedArrow(label string, base, variant int, unit string) string {
	if base == variant {
		return ""
	}
	return arrow(label, base, variant, unit)
}

func arrow(label string, base, variant int, unit string) string {
	if base == variant {
		return label + printable.Int(base) + unit
	}
	return label + printable.Int(base) + " → " + printable.Int(variant) + unit
}

// decisions prints what the compiler decided otherwise.
func (x *explained) decisions(f assay.FuncChange) {
	base, variant := x.names()
	for i, d := range f.Decisions {
		if i >= maxDecisions && !x.Style.All {
			x.left("  ", len(f.Decisions)-i)
			return
		}
		side := base
		if d.Side == "variant" {
			side = variant
		}
		what := sheet.JoinWords(": ", fileLine(d.File, d.Line), decided(d.Kind, d.What), d.Reason)
		x.hang("  compiler  ", what+" (only "+side+")", 3)
	}
}

// decided puts a decision into words.
func decided(kind, what string) string {
	switch kind {
	case assay.DecisionInline:
		return what + " can be inlined"
	case assay.DecisionNoInline:
		return what + " cannot be inlined"
	case assay.DecisionCall:
		return "call of " + what + " inlined"
	case assay.DecisionEscape:
		return what + " escapes to the heap"
	case assay.DecisionStack:
		return what + " stays on the stack"
	case assay.DecisionBounds:
		return "index checked: " + what
	}
	return sheet.JoinWords(" ", kind, what)
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

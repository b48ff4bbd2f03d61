package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The number of causes, and of lines of evidence of each, without --all.
const (
	maxCauses = 6
	maxProof  = 4
)

// maxLong bounds the lines of one text with --all: compilers and symbol tables have texts
// of any length.
const maxLong = 12

// Explanation prints one explanation in full: what was measured, the causes in the order
// in which they matter, and a section for each kind of evidence that was collected. It
// explains a benchmark of r. With s.All nothing is left out and functions are listed.
// Lines are no wider than s.Width, except lines to paste.
func Explanation(w io.Writer, r *assay.Result, e *assay.Explanation, s terminal.Style) error {
	x := newExplained(newPrinter(r, s), e)
	x.heading()
	x.measured()
	x.text()
	x.causes()
	x.time()
	x.allocations()
	x.collectorWork()
	x.code()
	x.layout()
	x.doubts()
	x.commands()
	_, err := io.WriteString(w, x.out.String())
	return err
}

// An explained prints one explanation.
type explained struct {
	account *account.Account
	out     *terminal.Writer
}

func newExplained(p *printer, e *assay.Explanation) *explained {
	return &explained{account.New(p.sheet, e, p.out.Style.WidthOf, p.out.Style.All), p.out}
}

func (x *explained) heading() {
	x.out.Parts("  ·  ", sheet.BenchmarkArg(x.account.Sheet.Result, x.account.Explanation.Benchmark), x.account.Explanation.Variant+" against "+x.account.Explanation.Base,
		sheet.Interleaved(x.account.Explanation.Comparison.N), sheet.Run(x.account.Sheet.Result))
	x.out.Parts(" · ", x.account.Sheet.Setting()...)
}

// measured prints the row of the tables that is explained. Two files were not measured.
func (x *explained) measured() {
	c := x.account.Explanation.Comparison
	if x.account.Explanation.Metric == "" {
		return
	}
	c.Variant = x.account.Explanation.Variant
	r := &assay.Result{Run: x.account.Sheet.Result.Run, Base: x.account.Explanation.Base, Rule: x.account.Sheet.Result.Rule,
		Variants: []assay.VariantResult{{Name: x.account.Explanation.Base}, {Name: x.account.Explanation.Variant}},
		Tables: []assay.Table{{Metric: account.Metric(x.account.Sheet.Result, x.account.Explanation), Decides: true,
			Rows: []assay.Row{{Benchmark: x.account.Explanation.Benchmark, Base: x.account.Explanation.BaseValue, Cells: []assay.Comparison{c}}}}}}
	p := newPrinter(r, x.out.Style)
	p.tables()
	p.footnotes()
	x.out.Insert(p.out.String())
}

func (x *explained) text() {
	if len(x.account.Explanation.Text) == 0 {
		return
	}
	x.out.Blank()
	lead, t := "WHY", sheet.Strong
	for _, text := range x.account.Explanation.Text {
		x.out.Behind(terminal.Pad(lead, terminal.LabelWidth, false), t, terminal.WrapFigures(x.out.Style.Text(text), x.out.Style.Columns()-terminal.LabelWidth)...)
		lead, t = "", sheet.Plain
	}
}

// causes prints the causes, each with its part, its place and its evidence.
func (x *explained) causes() {
	list := x.account.Explanation.Causes
	if len(list) == 0 || len(list) == 1 && account.SaysNothing(list[0]) && len(x.account.Explanation.Text) > 0 {
		return
	}
	list, left := firstOf(list, maxCauses, x.out.Style)
	x.out.Blank()
	x.out.Line(x.out.Style.Text(x.account.CausesTitle()))
	width := len(strconv.Itoa(len(list))) + 2
	for i, c := range list {
		lead := terminal.Pad(strconv.Itoa(i+1)+".", width, false)
		x.hang("  "+lead, c.Text, 4)
		x.cause(strings.Repeat(" ", 2+width), c)
	}
	x.left("  ", left)
}

// cause prints what stands below the text of a cause.
func (x *explained) cause(indent string, c assay.Cause) {
	x.joined(indent, "  ·  ", x.account.Share(c), x.account.Place(c.Function, c.File, c.Line))
	list, left := firstOf(c.Evidence, maxProof, x.out.Style)
	for _, t := range list {
		x.hang(indent+"  ", t, 3)
	}
	x.left(indent+"  ", left)
}

// hang prints a text behind a lead, on at most so many lines, or more with --all.
func (x *explained) hang(lead, text string, most int) {
	if x.out.Style.All {
		most = maxLong
	}
	room := max(10, x.out.Style.Columns()-terminal.Width(lead))
	lines := terminal.WrapFigures(x.out.Style.Text(text), room)
	if len(lines) > most {
		rest := strings.Join(lines[most-1:], " ")
		lines = append(lines[:most-1:most-1], x.out.Style.Middle(rest, room))
	}
	x.out.Behind(lead, sheet.Plain, lines...)
}

// joined prints the parts that are not empty behind an indent, and breaks between them
// where the line is full.
func (x *explained) joined(indent, sep string, parts ...string) {
	line := ""
	sep = x.out.Style.Text(sep)
	for _, t := range parts {
		t = x.out.Style.Text(t)
		switch {
		case t == "":
		case line == "":
			line = t
		case terminal.Width(indent+line+sep+t) <= x.out.Style.Columns():
			line += sep + t
		default:
			x.hang(indent, line, 2)
			line = t
		}
	}
	if line != "" {
		x.hang(indent, line, 2)
	}
}

// firstOf is the beginning of a list, or with --all the whole list, and the number of
// items left.
func firstOf[T any](list []T, most int, s terminal.Style) (first []T, left int) {
	if s.All {
		most = len(list)
	}
	first = list[:min(most, len(list))]
	return first, len(list) - len(first)
}

// left says how many items of a list were not printed.
func (x *explained) left(indent string, n int) {
	if n > 0 {
		x.out.Line(indent + x.out.Style.Text("… "+printable.Int(n)+" more (--all)"))
	}
}

// layout prints whether the difference survives another link.
func (x *explained) layout() {
	l := x.account.Explanation.Layout
	if l == nil {
		return
	}
	x.out.Blank()
	x.out.Labelled("layout", sheet.Plain, l.Text, x.account.LayoutText(l))
}

// doubts prints the warnings about the evidence and the benchmark.
func (x *explained) doubts() {
	for _, w := range x.account.Explanation.Warnings {
		x.out.Blank()
		x.out.Warning(w)
	}
}

// commands prints what shows the profiles, and what prints this again.
func (x *explained) commands() {
	x.out.Blank()
	if c := x.account.Explanation.CPU; c != nil {
		x.out.Command("cpu", c.Command)
	}
	if a := x.account.Explanation.Allocs; a != nil {
		x.out.Command("allocs", a.Command)
	}
	x.out.Command("again", x.account.Again())
	x.out.Labelled("", sheet.Plain, sheet.JoinWords(" · ", sheet.IDs(x.account.Sheet.Result), x.account.Spent()))
}

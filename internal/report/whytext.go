package report

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The number of causes, and of lines of evidence of each, that are printed where
// not all is asked for.
const (
	maxCauses = 6
	maxProof  = 4
)

// maxLong bounds the lines that one text may take where all is asked for:
// compilers and symbol tables know texts of any length.
const maxLong = 12

// Explanation prints one explanation in full: what was measured, the causes in
// the order in which they matter, and then the evidence, a section a kind, of
// which there are as many as were collected. r is the result that it explains a
// benchmark of. With s.All nothing is left out and functions are listed. Lines
// are no wider than s.Width, except lines to paste.
func Explanation(w io.Writer, r *assay.Result, e *assay.Explanation, s terminal.Style) error {
	x := &explained{printer: newPrinter(r, s), e: e}
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
	_, err := io.WriteString(w, x.String())
	return err
}

// An explained prints one explanation.
type explained struct {
	*printer
	e *assay.Explanation
}

func (x *explained) heading() {
	run := ""
	if x.Result.Run != "" {
		run = "run " + x.Result.Run
	}
	blocks := ""
	if n := x.e.Comparison.N; n > 0 {
		blocks = printable.Count(n, "block") + ", interleaved"
	}
	x.Parts("  ·  ", sheet.BenchmarkArg(x.Result, x.e.Benchmark), x.e.Variant+" against "+x.e.Base, blocks, run)
	x.Parts(" · ", append(sheet.Platform(x.Result.Platform), x.Noise())...)
}

// measured prints the row of the tables that is explained. Of two files nothing was
// measured.
func (x *explained) measured() {
	c := x.e.Comparison
	if x.e.Metric == "" {
		return
	}
	c.Variant = x.e.Variant
	r := &assay.Result{Run: x.Result.Run, Base: x.e.Base, Rule: x.Result.Rule,
		Variants: []assay.VariantResult{{Name: x.e.Base}, {Name: x.e.Variant}},
		Tables: []assay.Table{{Metric: x.metric(), Decides: true,
			Rows: []assay.Row{{Benchmark: x.e.Benchmark, Base: x.e.BaseValue, Cells: []assay.Comparison{c}}}}}}
	p := newPrinter(r, x.Style)
	p.tables()
	p.footnotes()
	x.Insert(p.String())
}

// metric is the metric that is explained, as the result has it.
func (x *explained) metric() assay.Metric {
	for _, t := range x.Result.Tables {
		if t.Metric.Name == x.e.Metric {
			return t.Metric
		}
	}
	return assay.Metric{Name: x.e.Metric, Better: assay.KnownBetter(x.e.Metric), MinEffect: x.Result.Rule.MinEffect}
}

func (x *explained) text() {
	if len(x.e.Text) == 0 {
		return
	}
	x.Blank()
	lead, t := terminal.Pad("WHY", terminal.LabelWidth, false), sheet.Strong
	for _, text := range x.e.Text {
		for _, l := range terminal.WrapFigures(x.Style.Text(text), x.Style.Columns()-terminal.LabelWidth) {
			x.Line(x.Style.Paint(t, strings.TrimRight(lead+l, " ")))
			lead = strings.Repeat(" ", terminal.LabelWidth)
		}
		t = sheet.Plain
	}
}

// causes prints the causes, each with its part, its place and its evidence.
func (x *explained) causes() {
	list := x.e.Causes
	if len(list) == 0 || len(list) == 1 && nothing(list[0]) && len(x.e.Text) > 0 {
		return
	}
	if len(list) > maxCauses && !x.Style.All {
		list = list[:maxCauses]
	}
	x.Blank()
	x.Line(x.Style.Text(x.causesTitle()))
	width := len(strconv.Itoa(len(list))) + 2
	for i, c := range list {
		lead := terminal.Pad(strconv.Itoa(i+1)+".", width, false)
		x.hang("  "+lead, c.Text, 4)
		x.cause(strings.Repeat(" ", 2+width), c)
	}
	x.left("  ", len(x.e.Causes)-len(list))
}

// nothing reports whether a cause says no more than that none was found, which is
// told above it.
func nothing(c assay.Cause) bool {
	return (c.Kind == assay.CauseLayout || c.Kind == assay.CauseUnknown) && c.Part == nil && c.Function == "" && len(c.Evidence) == 0
}

// causesTitle says what the parts below are parts of.
func (x *explained) causesTitle() string {
	for _, c := range x.e.Causes {
		if part := sheet.PartOf(x.e, c.Part); part != "" {
			_, whole, _ := strings.Cut(part, " ")
			return "causes, in points " + whole
		}
	}
	return "causes"
}

// cause prints what stands below the text of a cause.
func (x *explained) cause(indent string, c assay.Cause) {
	x.joined(indent, "  ·  ", x.share(c), x.place(c.Function, c.File, c.Line))
	list := c.Evidence
	if len(list) > maxProof && !x.Style.All {
		list = list[:maxProof]
	}
	for _, t := range list {
		x.hang(indent+"  ", t, 3)
	}
	x.left(indent+"  ", len(c.Evidence)-len(list))
}

// share is "−21.0 [−22.4, −19.6] in allocation", "" where the part is not known.
func (x *explained) share(c assay.Cause) string {
	if sheet.PartOf(x.e, c.Part) == "" {
		return ""
	}
	text := sheet.JoinWords(" ", sheet.Points(c.Part.Change, c.Part.Interval), sheet.PointSpan(c.Part.Interval))
	if n := c.Part.Name; n != "" && !strings.HasSuffix(c.Function, n) {
		text += " in " + x.function(n)
	}
	return text
}

// place is "pkg.Function, file.go:12", less what is not known.
func (x *explained) place(function, file string, line int) string {
	return sheet.JoinWords(", ", x.function(function), fileLine(file, line))
}

func fileLine(file string, line int) string {
	if file == "" || line <= 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// function is the name of a function without the path of its package, which is
// told where all is asked for. The element before a major version stays: "v2.Get"
// would be anybody's.
func (x *explained) function(name string) string {
	if x.Style.All {
		return name
	}
	head, _, _ := cutAny(name, "[(")
	at := strings.LastIndexByte(head, '/')
	if at >= 0 && isMajor(head[at+1:]) {
		at = strings.LastIndexByte(head[:at], '/')
	}
	return name[at+1:]
}

// cutAny cuts a text before the first of some characters.
func cutAny(text, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return text[:i], text[i:], true
	}
	return text, "", false
}

// isMajor reports whether a name begins with a major version: "v2.Decode".
func isMajor(name string) bool {
	v, _, _ := strings.Cut(name, ".")
	n, err := strconv.Atoi(strings.TrimPrefix(v, "v"))
	return strings.HasPrefix(v, "v") && err == nil && n > 1
}

// hang prints a text behind a lead, further lines below it, most of them at most
// unless all is asked for.
func (x *explained) hang(lead, text string, most int) {
	if x.Style.All {
		most = maxLong
	}
	for _, l := range x.hung(lead, text, most) {
		x.Line(l)
	}
}

func (x *explained) hung(lead, text string, most int) []string {
	room := max(10, x.Style.Columns()-terminal.Width(lead))
	lines := terminal.WrapFigures(x.Style.Text(text), room)
	if len(lines) > most {
		rest := strings.Join(lines[most-1:], " ")
		lines = append(lines[:most-1:most-1], x.Style.Middle(rest, room))
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(lead+strings.TrimRight(l, " "), " ")
		lead = strings.Repeat(" ", terminal.Width(lead))
	}
	return lines
}

// joined prints the parts that are not empty behind an indent, and breaks between
// them where the line is full.
func (x *explained) joined(indent, sep string, parts ...string) {
	line := ""
	sep = x.Style.Text(sep)
	for _, t := range parts {
		t = x.Style.Text(t)
		switch {
		case t == "":
		case line == "":
			line = t
		case terminal.Width(indent+line+sep+t) <= x.Style.Columns():
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

// left tells how many of a list were not printed.
func (x *explained) left(indent string, n int) {
	if n > 0 {
		x.Line(indent + x.Style.Text("… "+printable.Int(n)+" more (--all)"))
	}
}

// layout prints whether the difference survives linking anew.
func (x *explained) layout() {
	l := x.e.Layout
	if l == nil {
		return
	}
	x.Blank()
	x.Labelled("layout", sheet.Plain, l.Text, x.layoutText(l))
}

// layoutText is what the difference is over links anew.
func (x *explained) layoutText(l *assay.LayoutCheck) string {
	line := printable.Count(l.Layouts, "layout")
	if c := l.Comparison; sheet.PointSpan(c.Interval) != "" {
		line += ": " + sheet.ChangeDigits(c.Change, c.Interval.Half()) + " % " + c.Interval.String() + " " + sheet.VerdictWord(c.Verdict)
	}
	if l.Share > 0 && !sheet.NotFinite(l.Share) {
		line += "; " + strconv.FormatFloat(100*l.Share, 'f', 0, 64) + " % of the variance lies between layouts"
	}
	if l.Run != "" && l.Run != x.Result.Run {
		line += "; run " + l.Run
	}
	return line
}

// doubts prints the warnings about the evidence and the benchmark.
func (x *explained) doubts() {
	for _, w := range x.e.Warnings {
		x.Warning(w)
	}
}

// commands prints what shows the profiles, and what prints this again.
func (x *explained) commands() {
	x.Blank()
	if c := x.e.CPU; c != nil {
		x.Command("cpu", c.Command)
	}
	if a := x.e.Allocs; a != nil {
		x.Command("allocs", a.Command)
	}
	x.Command("again", x.again())
	var ids []string
	if x.Result.Run != "" {
		ids = append(ids, "run "+x.Result.Run)
	}
	if h := x.Result.StudyHash; h != "" {
		ids = append(ids, "study "+h[:min(len(h), 8)])
	}
	x.Labelled("", sheet.Plain, sheet.JoinWords(" · ", append(ids, x.spent())...))
}

// again is the command that explains the same again.
func (x *explained) again() string {
	if x.Result.Run == "" {
		return x.Result.Command // of two files
	}
	return sheet.ExplainCommand(x.Result, x.e)
}

// spent is what the explanation took beside the trials of the verdict.
func (x *explained) spent() string {
	if x.e.Spent < time.Millisecond {
		return ""
	}
	return printable.Duration(x.e.Spent) + " of trials for this, in no verdict"
}

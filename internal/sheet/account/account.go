package account

import (
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// An Account is an explanation in words: its causes with their parts, the counts behind
// them, and what the compiler did differently.
type Account struct {
	Sheet       *sheet.Sheet
	Explanation *assay.Explanation
	// Base and Variant are the names of the sides over columns and in lines.
	Base, Variant string
	// all omits nothing.
	all bool
}

// NameWidth is the space for the name of a variant over a column of values.
const NameWidth = 12

// New puts an explanation of a result into words: all, or the first of each list. A side
// whose name is too long for its column is called "base" or "variant"; width returns the
// number of columns of a printed text.
func New(s *sheet.Sheet, e *assay.Explanation, width func(string) int, all bool) *Account {
	a := &Account{Sheet: s, Explanation: e, Base: e.Base, Variant: e.Variant, all: all}
	if width(e.Base) > NameWidth || width(e.Variant) > NameWidth {
		a.Base, a.Variant = "base", "variant"
	}
	return a
}

// Metric returns the metric that an explanation of a result is about.
func Metric(r *assay.Result, e *assay.Explanation) assay.Metric {
	for _, t := range r.Tables {
		if t.Metric.Name == e.Metric {
			return t.Metric
		}
	}
	return assay.Metric{Name: e.Metric, Better: assay.KnownBetter(e.Metric), MinEffect: r.Rule.MinEffect}
}

// CausesTitle says what the parts below belong to.
func (a *Account) CausesTitle() string {
	for _, c := range a.Explanation.Causes {
		if part := sheet.PartOf(a.Explanation, c.Part); part != "" {
			_, whole, _ := strings.Cut(part, " ")
			return "causes, in points " + whole
		}
	}
	return "causes"
}

// Share is "−21.0 [−22.4, −19.6] in allocation", "" if the part is not known.
func (a *Account) Share(c assay.Cause) string {
	if sheet.PartOf(a.Explanation, c.Part) == "" {
		return ""
	}
	text := sheet.JoinWords(" ", sheet.Points(c.Part.Change, c.Part.Interval), sheet.PointSpan(c.Part.Interval))
	name := group.Names(a.Explanation, c)
	if n := c.Part.Name; name == "" && !strings.HasSuffix(c.Function, n) {
		name = a.FunctionName(n)
	}
	if name != "" {
		text += " in " + name
	}
	return text
}

// Place is "pkg.Function, file.go:12", without what is not known.
func (a *Account) Place(function, file string, line int) string {
	return sheet.JoinWords(", ", a.FunctionName(function), fileLine(file, line))
}

func fileLine(file string, line int) string {
	if file == "" || line <= 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// FunctionName returns a function's name without the path of its package, unless all is
// wanted. The element before a major version stays: "v2.Get" may be any package's.
func (a *Account) FunctionName(name string) string {
	if a.all {
		return name
	}
	head := bareName(name)
	at := strings.LastIndexByte(head, '/')
	if at >= 0 && isMajor(head[at+1:]) {
		at = strings.LastIndexByte(head[:at], '/')
	}
	return name[at+1:]
}

// bareName cuts a function's name before its receiver or type arguments.
func bareName(name string) string {
	if i := strings.IndexAny(name, "[("); i >= 0 {
		return name[:i]
	}
	return name
}

// isMajor reports whether a name begins with a major version: "v2.Decode".
func isMajor(name string) bool {
	v, _, _ := strings.Cut(name, ".")
	n, err := strconv.Atoi(strings.TrimPrefix(v, "v"))
	return strings.HasPrefix(v, "v") && err == nil && n > 1
}

// SaysNothing reports whether a cause only says that none was found, which the report
// says above it.
func SaysNothing(c assay.Cause) bool {
	return (c.Kind == assay.CauseLayout || c.Kind == assay.CauseUnknown) && c.Part == nil && c.Function == "" && len(c.Evidence) == 0
}

// LayoutText is the difference over relinked builds.
func (a *Account) LayoutText(l *assay.LayoutCheck) string {
	line := printable.Count(l.Layouts, "layout")
	if c := l.Comparison; sheet.PointSpan(c.Interval) != "" {
		line += ": " + sheet.ChangeDigits(c.Change, c.Interval.Half()) + " % " + c.Interval.String() + " " + sheet.VerdictWords(c)
	}
	if l.Share > 0 && !sheet.NotFinite(l.Share) {
		line += "; " + strconv.FormatFloat(100*l.Share, 'f', 0, 64) + " % of the variance lies between layouts"
	}
	if l.Run != "" && l.Run != a.Sheet.Result.Run {
		line += "; run " + l.Run
	}
	return line
}

// Again is the command that makes the same explanation again.
func (a *Account) Again() string {
	if a.Sheet.Result.Run == "" {
		return a.Sheet.Result.Command // of two files
	}
	return sheet.ExplainCommand(a.Sheet.Result, a.Explanation)
}

// Spent is the time for the explanation, beside the trials of the verdict.
func (a *Account) Spent() string {
	if a.Explanation.Spent < time.Millisecond {
		return ""
	}
	return printable.Duration(a.Explanation.Spent) + " of trials for this, in no verdict"
}

// SeenText counts what the profiles of CPU time rest on: pairs, samples and operations.
func (a *Account) SeenText(c *assay.CPUChange) string {
	text := printable.Count(c.Blocks, "pair") + " of CPU profiles: " + printable.Int(c.BaseSamples) + " samples of " + a.Base + ", " +
		printable.Int(c.VariantSamples) + " of " + a.Variant
	if c.N > 0 {
		text += "; " + printable.Count(c.N, "operation") + " a trial"
	}
	return text
}

// SameCode says that the code is the same, if no section about the code does.
func (a *Account) SameCode() string {
	switch {
	case a.Explanation.Code != nil:
	case a.Explanation.SameCode:
		return "all functions are the same"
	case a.Explanation.SameHot:
		return "the functions that matter here are the same in both"
	}
	return ""
}

// Foot says what the explanation rests on.
func (a *Account) Foot() string {
	return printable.Clean(sheet.JoinWords(" · ", a.Explanation.Metric, sheet.Interleaved(a.Explanation.Comparison.N), sheet.Run(a.Sheet.Result), a.Spent()))
}

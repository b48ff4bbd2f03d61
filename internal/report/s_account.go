package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// An account is an explanation in words: its causes with their parts, what was counted,
// and what the compiler did otherwise.
type account struct {
	*sheet.Sheet
	e *assay.Explanation
	// base and variant are what the sides are called over columns and in lines.
	base, variant string
	// all leaves nothing out.
	all bool
}

// newAccount puts an explanation of a result into words; base and variant are what its
// sides are called.
func newAccount(s *sheet.Sheet, e *assay.Explanation, base, variant string, all bool) *account {
	return &account{Sheet: s, e: e, base: base, variant: variant, all: all}
}

// names are what the sides are called over columns and in lines.
func (a *account) names() (base, variant string) { return a.base, a.variant }

// metric is the metric that is explained, as the result has it.
func (a *account) metric() assay.Metric {
	for _, t := range a.Result.Tables {
		if t.Metric.Name == a.e.Metric {
			return t.Metric
		}
	}
	return assay.Metric{Name: a.e.Metric, Better: assay.KnownBetter(a.e.Metric), MinEffect: a.Result.Rule.MinEffect}
}

// causesTitle says what the parts below are parts of.
func (a *account) causesTitle() string {
	for _, c := range a.e.Causes {
		if part := sheet.PartOf(a.e, c.Part); part != "" {
			_, whole, _ := strings.Cut(part, " ")
			return "causes, in points " + whole
		}
	}
	return "causes"
}

// share is "−21.0 [−22.4, −19.6] in allocation", "" where the part is not known.
func (a *account) share(c assay.Cause) string {
	if sheet.PartOf(a.e, c.Part) == "" {
		return ""
	}
	text := sheet.JoinWords(" ", sheet.Points(c.Part.Change, c.Part.Interval), sheet.PointSpan(c.Part.Interval))
	if n := c.Part.Name; n != "" && !strings.HasSuffix(c.Function, n) {
		text += " in " + a.function(n)
	}
	return text
}

// place is "pkg.Function, file.go:12", less what is not known.
func (a *account) place(function, file string, line int) string {
	return sheet.JoinWords(", ", a.function(function), fileLine(file, line))
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
func (a *account) function(name string) string {
	if a.all {
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

// nothing reports whether a cause says no more than that none was found, which is
// told above it.
func nothing(c assay.Cause) bool {
	return (c.Kind == assay.CauseLayout || c.Kind == assay.CauseUnknown) && c.Part == nil && c.Function == "" && len(c.Evidence) == 0
}

// layoutText is what the difference is over links anew.
func (a *account) layoutText(l *assay.LayoutCheck) string {
	line := printable.Count(l.Layouts, "layout")
	if c := l.Comparison; sheet.PointSpan(c.Interval) != "" {
		line += ": " + sheet.ChangeDigits(c.Change, c.Interval.Half()) + " % " + c.Interval.String() + " " + sheet.VerdictWord(c.Verdict)
	}
	if l.Share > 0 && !sheet.NotFinite(l.Share) {
		line += "; " + strconv.FormatFloat(100*l.Share, 'f', 0, 64) + " % of the variance lies between layouts"
	}
	if l.Run != "" && l.Run != a.Result.Run {
		line += "; run " + l.Run
	}
	return line
}

// again is the command that explains the same again.
func (a *account) again() string {
	if a.Result.Run == "" {
		return a.Result.Command // of two files
	}
	return sheet.ExplainCommand(a.Result, a.e)
}

// spent is what the explanation took beside the trials of the verdict.
func (a *account) spent() string {
	if a.e.Spent < time.Millisecond {
		return ""
	}
	return printable.Duration(a.e.Spent) + " of trials for this, in no verdict"
}

func (a *account) seenText(c *assay.CPUChange) string {
	base, variant := a.names()
	text := printable.Count(c.Blocks, "pair") + " of CPU profiles: " + printable.Int(c.BaseSamples) + " samples of " + base + ", " +
		printable.Int(c.VariantSamples) + " of " + variant
	if c.N > 0 {
		text += "; " + printable.Count(c.N, "operation") + " a trial"
	}
	return text
}

// same tells that the code is the same where no section about the code does.
func (a *account) same() string {
	switch {
	case a.e.Code != nil:
	case a.e.SameCode:
		return "all functions are the same"
	case a.e.SameHot:
		return "the functions that matter here are the same in both"
	}
	return ""
}

// foot says what the explanation rests on.
func (a *account) foot() string {
	blocks, run := "", ""
	if n := a.e.Comparison.N; n > 0 {
		blocks = printable.Count(n, "block") + ", interleaved"
	}
	if a.Result.Run != "" {
		run = "run " + a.Result.Run
	}
	return printable.Clean(sheet.JoinWords(" · ", a.e.Metric, blocks, run, a.spent()))
}

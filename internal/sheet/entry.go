package sheet

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Fields are the parts of a comparison as they are printed.
type Fields struct {
	Value, Spread, Diff, Change, Interval, Half, Mark, Verdict, Blocks Cell
	// Note is what weakens the verdict or what a decision costs, Aside what is good to
	// know where there is room.
	Note, Aside string
	saturated   bool
}

// Extent is the interval, or its half-width where it has one: see [HalfOrInterval].
func (f Fields) Extent(half bool) Cell {
	if half {
		return f.Half
	}
	return f.Interval
}

// Relative is the relative uncertainty of the values of an entry, from its widest
// interval. It is 0 where all comparisons are exact.
func (e Entry) Relative() float64 {
	rel, exact := spreadOf(e.Base, e.Spread), true
	for _, c := range e.Cells {
		exact = exact && (c.Exact || seenEqual(c) || c.Verdict == assay.SameCoded)
		rel = max(rel, spreadOf(c.Value, c.Spread))
		if c.Interval != nil && !c.Exact {
			rel = max(rel, float64(c.Interval.Half())/math.Max(1+float64(c.Change), 1e-3))
		}
	}
	if rel == 0 && !exact {
		return 0.01 // three digits, until something is known
	}
	return rel
}

// spreadOf is the larger half of a median's interval, relative to it.
func spreadOf(v float64, s *assay.Spread) float64 {
	if s == nil || v == 0 {
		return 0
	}
	return max(s.Hi-v, v-s.Lo) / math.Abs(v)
}

// SpreadCell is the interval of a median of imported results, "−0.9/+1.4 %", relative to
// the median. It has no half-width: its ends are two of the results, and one side may be
// much longer.
func SpreadCell(v float64, s *assay.Spread) Cell {
	switch {
	case s == nil || v == 0:
		return Cell{}
	case s.Lo == v && s.Hi == v:
		return Word("±0 %")
	}
	half := assay.Change(spreadOf(v, s))
	side := func(by float64) string { return unsigned(ChangeDigits(assay.Change(math.Abs(by/v)), half)) }
	return Word("−" + side(v-s.Lo) + "/+" + side(s.Hi-v) + " %")
}

// scale is the unit of a row: that of the base's value, or of a variant's where the
// base's is zero or unknown.
func (e Entry) scale() Scale {
	v := e.Base
	for _, c := range e.Cells {
		if v > 0 {
			break
		}
		v = c.Value
	}
	return ScaleFor(e.Metric.Name, v, e.Relative())
}

// Number makes a cell of a value.
func (e Entry) Number(v float64) Cell { return Number(e.scale().Format(v, e.Relative())) }

// Minus is the difference of a variant from the base, in the unit of the row. It has the
// decimals of the printed values, so that the row adds up.
func (e Entry) Minus(c assay.Comparison) Cell {
	d := c.Value - e.Base
	if NotFinite(d) || NotFinite(e.Base) {
		return Word(None)
	}
	u := e.scale()
	rel := e.Relative()
	places := min(u.places(e.Base, rel), u.places(c.Value, rel))
	if rel == 0 {
		places = max(u.places(e.Base, rel), u.places(c.Value, rel))
	}
	digits := printable.Group(strconv.FormatFloat(math.Abs(d)/u.Div, 'f', places, 64))
	return e.signed(d, Number(digits, u.Unit))
}

// signed is a cell of the size of a difference with its sign.
func (e Entry) signed(d float64, size Cell) Cell {
	switch {
	case d > 0:
		size.Text = "+" + size.Text
	case d < 0:
		size.Text = "−" + size.Text
	}
	if IsShare(e.Metric.Name) { // differences of shares are no relative changes in percent
		size.Unit = "points"
	}
	return size
}

// BaseCell is the base's value where it was measured: no time per operation and no rate
// is ever zero, though a CPU time may be.
func (e Entry) BaseCell() Cell {
	if e.Base == 0 && e.noBase() {
		return Word(None)
	}
	return e.Number(e.Base)
}

func (e Entry) noBase() bool {
	if e.Metric.IsTime() || e.Metric.Name == assay.MetricRate {
		return true
	}
	return !slices.ContainsFunc(e.Cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Invalid && c.N > 0
	})
}

// Of finds the comparison of a variant.
func (e Entry) Of(variant string) (assay.Comparison, bool) {
	for _, c := range e.Cells {
		if c.Variant == variant {
			return c, true
		}
	}
	return assay.Comparison{}, false
}

// Fields formats the comparison of a variant with the base.
func (s *Sheet) Fields(e Entry, variant string) Fields {
	c, ok := e.Of(variant)
	if !ok {
		return Fields{Change: Word(None), Verdict: Word(None), Note: "not measured"}
	}
	t := ToneOf(c.Verdict)
	f := Fields{Value: e.Number(c.Value), Spread: SpreadCell(c.Value, c.Spread), Mark: Word(Mark(c)),
		Verdict: Toned(VerdictWords(c), t), Blocks: Number(printable.Int(c.N), ""), Note: s.NoteOf(e, c),
		saturated: c.Verdict == assay.Saturated}
	f.Diff = e.Minus(c)
	if c.N == 0 || c.Verdict == assay.Invalid {
		f.Value, f.Diff = Word(None), Word(None)
	}
	if s.all {
		f.Note = JoinWords("; ", f.Note, c.Placement())
	}
	f.Change, f.Interval, f.Half = ChangeCells(e, c)
	if !f.Change.Num {
		f.Diff = Word(None)
	}
	f.Change.Tone = t
	if c.Verdict.Differs() && f.Change.Num {
		f.Aside = c.Change.Ratio(e.Metric)
	}
	return f
}

// soFar stands beside a count that has not varied yet, but is not proved.
const soFar = "so far"

// ChangeCells prints the change, its interval, and its half-width where it has one. Without an
// interval there is no change either, but between medians that have intervals themselves: one
// block says nothing, and readers take its percentage for a finding.
func ChangeCells(e Entry, c assay.Comparison) (change, interval, half Cell) {
	switch {
	case c.Verdict == assay.SameCoded || c.Verdict == assay.Invalid || c.N == 0:
		return Word(None), Cell{}, Cell{}
	case e.Base == 0 && e.noBase():
		return Word(None), Cell{}, Cell{}
	case e.Base <= 0 && c.Difference != 0, e.Base > 0 && c.Value < 0, c.Interval == nil && c.Verdict.Differs() && !c.Exact:
		return difference(e, c)
	case c.Exact:
		interval, half := exactWords(c)
		return Number(ChangeDigits(c.Change, 0), "%"), interval, half
	case c.Never():
		return Number("0", "%"), Cell{}, Cell{}
	case isForeign(c) && c.Spread != nil:
		return Number(ChangeDigits(c.Change, assay.Change(e.Relative())), "%"), Cell{}, Cell{}
	case NotFinite(float64(c.Change)), c.Interval == nil:
		return Word(None), Cell{}, Cell{}
	case c.Interval.SaysNothing():
		return Word(None), Word(assay.NoInformation), Word(assay.NoInformation)
	}
	return Number(ChangeDigits(c.Change, c.Interval.Half()), "%"), Word(c.Interval.String()), HalfOrInterval(c.Change, *c.Interval)
}

// difference stands in place of the change where the base is zero, or sometimes is.
func difference(e Entry, c assay.Comparison) (change, interval, half Cell) {
	n := e.signed(c.Difference, e.Number(math.Abs(c.Difference)))
	if c.Exact {
		interval, half := exactWords(c)
		return n, interval, half
	}
	return n, Cell{}, Cell{}
}

// exactWords stand in place of the interval of a count without variance, and of half of it.
func exactWords(c assay.Comparison) (interval, half Cell) {
	if c.SoFar() {
		return Word("(exact " + soFar + ")"), Word(soFar)
	}
	return Word("(exact)"), Word("exact")
}

// NoteOf says what a comparison lacks and what would cure it.
func (s *Sheet) NoteOf(e Entry, c assay.Comparison) string {
	var parts []string
	v := c.Verdict
	// An interval that covers 0 shows by itself why the verdict is unclear.
	shown := v == assay.Unclear && c.Interval != nil && c.Interval.Covers(0)
	if AtEnd(c) {
		parts = append(parts, EndWords)
	}
	if v != assay.Withheld && c.Reason != "" && !shown {
		parts = append(parts, c.Reason)
	}
	switch least := s.Result.Rule.MinBlocks; {
	case v == assay.Unclear && !s.asked(e):
	case v == assay.Unclear && c.MoreBlocks == 0 && c.Interval == nil && c.Reason == "" && c.N < least:
		parts = append(parts, printable.Count(least, s.BlockNoun())+" needed, "+printable.Int(c.N)+" so far")
	case isForeign(c) && c.Spread == nil && c.N > 0:
		parts = append(parts, tooFew(c.N, s.Result.Rule.Confidence))
	case v.Differs() && c.MayBeSmall:
		parts = append(parts, "the change may be below "+printable.Percent(e.Metric.MinEffect))
	}
	return strings.Join(parts, "; ")
}

// asked reports whether somebody wants an entry decided. Nobody does of what is measured
// of every server and every collector.
func (s *Sheet) asked(e Entry) bool {
	return s.all || e.bench == "" && !IsGC(e.Metric.Name) || slices.Contains(s.Result.Rule.Metrics, e.Metric.Name)
}

// tooFew says how many imported results the interval of a median takes.
func tooFew(n int, confidence float64) string {
	need := analysis.LeastResults(confidence)
	if n >= need {
		return "no interval"
	}
	return printable.Int(need) + " results needed for an interval, " + printable.Int(n) + " here"
}

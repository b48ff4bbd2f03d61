package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
)

// fields are the parts of a comparison as they are printed.
type fields struct {
	value, spread, diff, change, interval, half, verdict cell
	// note is what weakens the verdict or what a decision costs; aside is nice
	// to know where there is room.
	note, aside string
}

// relative is the relative uncertainty of the values of an entry, from the
// widest interval, 0 where all comparisons are exact.
func (e entry) relative() float64 {
	rel, exact := spreadOf(e.base, e.spread), true
	for _, c := range e.cells {
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

// spreadCell is the interval of a median of results of others, relative to it:
// "−0.9/+1.4 %". It is no half-width: such an interval lies between two of the
// results, and one side of it may be much longer.
func spreadCell(v float64, s *assay.Spread) cell {
	switch {
	case s == nil || v == 0:
		return cell{}
	case s.Lo == v && s.Hi == v:
		return word("±0 %")
	}
	half := assay.Change(spreadOf(v, s))
	side := func(by float64) string { return unsigned(percent(assay.Change(math.Abs(by/v)), half)) }
	return word("−" + side(v-s.Lo) + "/+" + side(s.Hi-v) + " %")
}

// scale is the unit of a row: the base's, or a variant's where the base is
// zero or unknown.
func (e entry) scale() scale {
	v := e.base
	for _, c := range e.cells {
		if v > 0 {
			break
		}
		v = c.Value
	}
	return scaleFor(e.metric.Name, v, e.relative())
}

// number makes a cell of a value.
func (e entry) number(v float64) cell {
	if bogus(v) {
		return word(none)
	}
	digits, unit := e.scale().format(v, e.relative())
	return cell{text: digits, unit: unit, num: true}
}

// minus is the difference of a variant from the base, in the unit of the row
// and with as many decimals as both values have: of the two that are printed, so
// that the row adds up.
func (e entry) minus(c assay.Comparison) cell {
	d := c.Value - e.base
	if bogus(d) || bogus(e.base) {
		return word(none)
	}
	u := e.scale()
	rel := e.relative()
	places := min(u.places(e.base, rel), u.places(c.Value, rel))
	if rel == 0 {
		places = max(u.places(e.base, rel), u.places(c.Value, rel))
	}
	digits := printable.Group(strconv.FormatFloat(math.Abs(d)/u.div, 'f', places, 64))
	switch {
	case d > 0:
		digits = "+" + digits
	case d < 0:
		digits = "−" + digits
	}
	return cell{text: digits, unit: e.unitOfDifference(u.unit), num: true}
}

// unitOfDifference tells a difference of shares, in points, from a relative
// change, in percent.
func (e entry) unitOfDifference(unit string) string {
	if isShare(e.metric.Name) {
		return "points"
	}
	return unit
}

// baseCell is the base's value, where it was measured at all: neither a time
// per operation nor a rate is ever zero, though a CPU time may be.
func (e entry) baseCell() cell {
	if e.base == 0 && e.noBase() {
		return word(none)
	}
	return e.number(e.base)
}

func (e entry) noBase() bool {
	if e.metric.IsTime() || e.metric.Name == assay.MetricRate {
		return true
	}
	return !slices.ContainsFunc(e.cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Invalid && c.N > 0
	})
}

// of finds the comparison of a variant.
func (e entry) of(variant string) (assay.Comparison, bool) {
	for _, c := range e.cells {
		if c.Variant == variant {
			return c, true
		}
	}
	return assay.Comparison{}, false
}

// fields formats the comparison of a variant with the base.
func (s *Sheet) fields(e entry, variant string) fields {
	c, ok := e.of(variant)
	if !ok {
		return fields{change: word(none), verdict: word(none), note: "not measured"}
	}
	t := toneOf(c.Verdict)
	f := fields{value: e.number(c.Value), spread: spreadCell(c.Value, c.Spread),
		verdict: toned(verdictWord(c.Verdict), t), note: s.noteOf(e, c)}
	f.diff = e.minus(c)
	if c.N == 0 || c.Verdict == assay.Invalid {
		f.value, f.diff = word(none), word(none)
	}
	if s.all {
		f.note = joinWords("; ", f.note, c.Placement())
	}
	f.change, f.interval, f.half = changeCells(e, c)
	if !f.change.num {
		f.diff = word(none)
	}
	f.change.tone = t
	if c.Verdict.Differs() && f.change.num {
		f.aside = c.Change.Ratio(e.metric)
	}
	return f
}

// soFar stands in place of the interval of a change that has none yet, so that the
// estimate is not read as a finding.
const soFar = "so far"

// changeCells prints the change, its interval in full and as a half-width.
func changeCells(e entry, c assay.Comparison) (change, interval, half cell) {
	switch {
	case c.Verdict == assay.SameCoded || c.Verdict == assay.Invalid || c.N == 0:
		return word(none), cell{}, cell{}
	case e.base == 0 && e.noBase():
		return word(none), cell{}, cell{}
	case e.base == 0 && c.Difference != 0, c.Interval == nil && c.Verdict.Differs() && !c.Exact:
		return difference(e, c)
	case c.Exact:
		return number(percent(c.Change, 0), "%"), word("(exact)"), word("exact")
	case isForeign(c):
		return number(percent(c.Change, assay.Change(e.relative())), "%"), cell{}, cell{}
	case bogus(float64(c.Change)), c.Interval == nil && c.Change == 0: // no ratio, or one of equal values
		return word(none), cell{}, cell{}
	case c.Interval == nil:
		return number(percent(c.Change, 0.1), "%"), word(soFar), word(soFar)
	}
	w := c.Interval.Half()
	return number(percent(c.Change, w), "%"), word(c.Interval.String()), word(plusMinus(w))
}

// difference is what stands in place of the change where the base is zero, or
// sometimes is.
func difference(e entry, c assay.Comparison) (change, interval, half cell) {
	n := e.number(math.Abs(c.Difference))
	n.unit = e.unitOfDifference(n.unit)
	if c.Difference < 0 {
		n.text = "−" + n.text
	} else {
		n.text = "+" + n.text
	}
	if c.Exact {
		return n, word("(exact)"), word("exact")
	}
	return n, cell{}, cell{}
}

// noteOf says what a cell lacks and what would cure it.
func (s *Sheet) noteOf(e entry, c assay.Comparison) string {
	var parts []string
	v := c.Verdict
	// An interval that covers 0 shows by itself why the verdict is unclear.
	shown := v == assay.Unclear && c.Interval != nil && c.Interval.Covers(0)
	if v == assay.Unclear && c.Interval != nil && c.Interval.Bound() != "" && s.asked(e) {
		parts = append(parts, c.Interval.Bound())
	}
	if v != assay.Withheld && c.Reason != "" && !shown {
		parts = append(parts, c.Reason)
	}
	switch least := s.r.Rule.MinBlocks; {
	case v == assay.Unclear && !s.asked(e):
	case v == assay.Unclear && c.MoreBlocks > 0:
		parts = append(parts, s.price(c))
	case v == assay.Unclear && c.Interval == nil && c.Reason == "" && c.N < least:
		parts = append(parts, printable.Count(least, s.blockNoun())+" needed, "+printable.Int(c.N)+" so far")
	case isForeign(c) && c.Spread == nil && c.N > 0:
		parts = append(parts, s.tooFew(c.N))
	case v.Differs() && c.MayBeSmall:
		parts = append(parts, "may be below "+Percent(e.metric.MinEffect))
	}
	return strings.Join(parts, "; ")
}

// asked reports whether somebody wants an entry decided: nobody does of what is
// measured of every server and every collector.
func (s *Sheet) asked(e entry) bool {
	return s.all || e.bench == "" && !isGC(e.metric.Name) || slices.Contains(s.r.Rule.Metrics, e.metric.Name)
}

// tooFew says how many results of others the interval of a median takes.
func (s *Sheet) tooFew(n int) string {
	need := analysis.LeastResults(s.r.Rule.Confidence)
	if n >= need {
		return "no interval"
	}
	return printable.Int(need) + " results needed for an interval, " + printable.Int(n) + " here"
}

package report

import (
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
)

// fields are the parts of a comparison as they are printed.
type fields struct {
	value, change, interval, half, verdict cell
	// note is what weakens the verdict or what a decision costs; aside is nice
	// to know where there is room.
	note, aside string
}

// relative is the relative uncertainty of the values of an entry, from the
// widest interval, 0 where all comparisons are exact.
func (e entry) relative() float64 {
	rel, exact := 0.0, true
	for _, c := range e.cells {
		exact = exact && (c.Exact || c.Verdict == assay.SameCoded)
		if c.Interval != nil && !c.Exact {
			rel = max(rel, float64(c.Interval.Half())/math.Max(1+float64(c.Change), 1e-3))
		}
	}
	if rel == 0 && !exact {
		return 0.01 // three digits, until something is known
	}
	return rel
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
	if math.IsNaN(v) {
		return word("–")
	}
	digits, unit := e.scale().format(v, e.relative())
	return cell{text: digits, unit: unit, num: true}
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
func (p *printer) fields(e entry, variant string) fields {
	c, ok := e.of(variant)
	if !ok {
		return fields{change: word("–"), verdict: word("–"), note: "not measured"}
	}
	t := toneOf(c.Verdict)
	f := fields{value: e.number(c.Value), verdict: toned(verdictWord(c.Verdict), t), note: p.noteOf(e, c)}
	f.change, f.interval, f.half = changeCells(e, c)
	f.change.tone = t
	if c.Verdict.Differs() && f.change.num {
		f.aside = Ratio(e.metric, c.Change)
	}
	return f
}

func toneOf(v assay.Verdict) tone {
	switch {
	case v.Good():
		return good
	case v.Bad():
		return bad
	}
	return plain
}

// verdictWord is the record's word; where up may be good, it says so.
func verdictWord(v assay.Verdict) string {
	switch v {
	case assay.Withheld:
		return "–"
	case assay.Higher:
		return string(v) + ", better"
	case assay.Lower:
		return string(v) + ", worse"
	}
	return string(v)
}

// changeCells prints the change, its interval in full and as a half-width. A
// change that has no interval is not printed, unless it is exact.
func changeCells(e entry, c assay.Comparison) (change, interval, half cell) {
	none := word("–")
	switch {
	case c.Verdict == assay.SameCoded || c.Verdict == assay.Invalid:
		return none, cell{}, cell{}
	case e.base == 0 && (c.Exact || c.Value != 0):
		return difference(e, c)
	case c.Exact:
		n := percent(float64(c.Change), changeDecimals(c.Change, 0))
		return number(n, "%"), word("(exact)"), word("exact")
	case c.Interval == nil || bogus(float64(c.Change)):
		return none, cell{}, cell{}
	}
	w := c.Interval.Half()
	d := changeDecimals(c.Change, w)
	lo, hi := percent(float64(c.Interval.Lo), d), percent(float64(c.Interval.Hi), d)
	return number(percent(float64(c.Change), d), "%"),
		word("[" + lo + ", " + hi + "]"),
		word("±" + trimSign(percent(float64(w), d)))
}

// difference is what stands in place of the change where the base is zero.
func difference(e entry, c assay.Comparison) (change, interval, half cell) {
	n := e.number(math.Abs(c.Difference))
	switch {
	case c.Difference > 0:
		n.text = "+" + n.text
	case c.Difference < 0:
		n.text = "−" + n.text
	}
	if c.Exact {
		return n, word("(exact)"), word("exact")
	}
	return n, word("from zero"), word("")
}

func number(digits, unit string) cell {
	if digits == "–" {
		return word(digits)
	}
	return cell{text: digits, unit: unit, num: true}
}

func bogus(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// noteOf says what a cell lacks and what would cure it.
func (p *printer) noteOf(e entry, c assay.Comparison) string {
	var parts []string
	v := c.Verdict
	if v != assay.Withheld && c.Reason != "" {
		parts = append(parts, c.Reason)
	}
	switch least := p.r.Rule.MinBlocks; {
	case v == assay.Unclear && c.MoreBlocks > 0:
		parts = append(parts, price(c))
	case v == assay.Unclear && c.Interval == nil && c.Reason == "" && c.N < least:
		parts = append(parts, count(least, "block")+" needed, "+itoa(c.N)+" so far")
	case v.Differs() && c.MayBeSmall:
		parts = append(parts, "may be below "+margin(e.metric.MinEffect))
	}
	return strings.Join(parts, "; ")
}

// margin is a smallest effect in percent: "1 %", "0.5 %".
func margin(f float64) string {
	t := strings.TrimRight(trimSign(percent(f, 2)), "0")
	return strings.TrimSuffix(t, ".") + " %"
}

// mark is the sign of a verdict in a matrix: where the value went, not
// whether that is good.
func mark(c assay.Comparison) string {
	switch v := c.Verdict; {
	case v == assay.Same:
		return "="
	case v == assay.SameCoded:
		return "≡"
	case v == assay.Withheld:
		return ""
	case !v.Differs():
		return "?"
	case v == assay.Faster, v == assay.Less, v == assay.Lower:
		return "▼"
	case v == assay.Changed && (c.Change < 0 || c.Difference < 0):
		return "▼"
	}
	return "▲"
}

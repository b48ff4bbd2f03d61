package assay

// A Verdict is one word of a closed list, the same in all outputs.
type Verdict string

// The verdicts, as docs/methodology.md defines them.
const (
	Faster    Verdict = "faster" // time
	Slower    Verdict = "slower"
	Higher    Verdict = "higher" // metrics where higher is better
	Lower     Verdict = "lower"
	Less      Verdict = "less" // metrics where lower is better
	More      Verdict = "more"
	Changed   Verdict = "changed" // metrics of unknown direction
	Same      Verdict = "same"
	Unclear   Verdict = "unclear"
	SameCoded Verdict = "same code"
	Saturated Verdict = "saturated"
	Invalid   Verdict = "invalid"
	Mixed     Verdict = "mixed" // a whole study only
	// Withheld is the absence of a verdict: results of others that cannot support one.
	Withheld Verdict = ""
)

// Verdicts are all verdicts, as listed above.
var Verdicts = []Verdict{Faster, Slower, Higher, Lower, Less, More, Changed, Same, Unclear, SameCoded, Saturated, Invalid, Mixed, Withheld}

// Differs reports whether the verdict claims a difference.
func (v Verdict) Differs() bool {
	return v.Good() || v.Bad() || v == Changed
}

// Words are the verdict as outputs for people print it. Of one that is unclear, with an
// interval that covers 0, they say what was learnt: "within ±4.1 %".
func (c Comparison) Words() string {
	if bound := c.Bound(); bound != "" {
		return "within " + bound
	}
	return string(c.Verdict)
}

// Bound is "±4.1 %", the largest change that an unclear comparison allows either way. It
// is "" of other comparisons, where the interval excludes 0 or says nothing, and beyond
// ±100 %.
func (c Comparison) Bound() string {
	if c.Verdict != Unclear || c.Interval == nil || !c.Interval.Covers(0) {
		return ""
	}
	return c.Interval.Bound()
}

// SoFar reports whether a count is exact in too few blocks for a verdict. Its values need no
// interval: that would say how far values scatter, and no trial of either side had another
// one. But few trials may agree by chance, where a count depends on the order of a map, on
// a pool that another goroutine emptied or on the number of iterations: a later block may
// have another number, and then it is a metric like any other.
func (c Comparison) SoFar() bool { return c.Exact && c.Verdict == Unclear }

// Never reports whether two sides are the same because what is measured happened in no
// trial, such as an error. That has no interval and is not exact: the next trial may show one.
func (c Comparison) Never() bool { return c.Verdict == Same && c.Interval == nil && !c.Exact }

// Good reports whether the verdict claims a change for the better.
func (v Verdict) Good() bool { return v == Faster || v == Higher || v == Less }

// Bad reports whether the verdict claims a change for the worse.
func (v Verdict) Bad() bool { return v == Slower || v == Lower || v == More }

// Differing returns the verdict for a proved change of a metric; sign < 0 is a fall.
func Differing(m Metric, sign float64) Verdict {
	down, up := Changed, Changed
	switch {
	case m.IsTime():
		down, up = Faster, Slower
	case m.Better == BetterHigher:
		down, up = Lower, Higher
	case m.Better == BetterLower:
		down, up = Less, More
	}
	if sign < 0 {
		return down
	}
	return up
}

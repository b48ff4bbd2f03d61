package assay

import (
	"fmt"
	"math"
	"strings"
)

// A Change is a relative change with respect to the base: 0.05 is +5 %.
type Change float64

// ChangeOfLog turns ln(ratio) into a Change.
func ChangeOfLog(ln float64) Change { return Change(math.Expm1(ln)) }

// Log is ln(1 + change).
func (c Change) Log() float64 { return math.Log1p(float64(c)) }

// Format prints the change in signed percent. half is the half-width of its interval: it
// keeps one or two significant digits, and the value has as many decimals. A change that
// rounds to zero has no sign: "−0.0 %" would name a direction that nobody knows.
func (c Change) Format(half Change) string {
	s := fmt.Sprintf("%+.*f %%", decimals(float64(half)), 100*float64(c))
	if strings.Trim(s, "+-0. %") == "" {
		return s[1:]
	}
	return strings.Replace(s, "-", "−", 1)
}

// decimals returns the number of decimals of a percentage that is uncertain by ±half. It
// is two at most: no benchmark is about a thousandth of a percent.
func decimals(half float64) int {
	switch p := 100 * math.Abs(half); {
	case p == 0 || p >= 0.095 && p < 10:
		return 1
	case p >= 10:
		return 0
	}
	return 2
}

// An Interval is a confidence interval of a Change.
type Interval struct {
	Lo Change `json:"lo"`
	Hi Change `json:"hi"`
}

// Half is half the width of the interval.
func (i Interval) Half() Change { return (i.Hi - i.Lo) / 2 }

// Within reports whether the whole interval lies inside +-margin.
func (i Interval) Within(margin float64) bool {
	// The margin is symmetric in ln, as in the analysis: +1 % and its inverse.
	l := math.Log1p(margin)
	return i.Lo.Log() >= -l && i.Hi.Log() <= l
}

// Covers reports whether the interval holds the change c.
func (i Interval) Covers(c Change) bool { return i.Lo <= c && c <= i.Hi }

// Around reports whether the interval is as wide below c as above it, to its last printed
// digit. Only then "±" tells the truth.
func (i Interval) Around(c Change) bool {
	last := math.Pow10(-2 - decimals(float64(i.Half())))
	return math.Abs(float64(i.Lo+i.Hi)/2-float64(c)) < last
}

// NoInformation stands in place of a change whose interval says nothing.
const NoInformation = "no information"

// An interval from vagueLo to vagueHi, a tenth of the base to ten times the base, says nothing.
const vagueLo, vagueHi Change = -0.9, 9

// SaysNothing reports whether the interval is so wide that no output prints it, nor the
// change in it.
func (i Interval) SaysNothing() bool { return !(i.Lo > vagueLo || i.Hi < vagueHi) }

// With prints a change with its interval, "−18.6 % [−19.8, −17.3]", or NoInformation.
func (i Interval) With(c Change) string {
	if i.SaysNothing() {
		return NoInformation
	}
	return c.Format(i.Half()) + " " + i.String()
}

// String prints the interval as "[−19.8, −17.3]", in percent, or NoInformation.
func (i Interval) String() string {
	if i.SaysNothing() {
		return NoInformation
	}
	end := func(c Change) string { return strings.TrimSuffix(c.Format(i.Half()), " %") }
	return "[" + end(i.Lo) + ", " + end(i.Hi) + "]"
}

// Farthest is the size of the end that is farther from 0.
func (i Interval) Farthest() Change { return max(i.Hi, -i.Lo) }

// Bound is "±6.7 %", beyond which the interval excludes every change: its farther end as
// it is printed, rounded up to two digits. It is "" for an interval that allows a change
// beyond ±100 %.
func (i Interval) Bound() string {
	most, half := float64(i.Farthest()), i.Half()
	if most > 1 || math.IsNaN(most) {
		return ""
	}
	if digits := decimals(float64(half)); most >= 0.1 && digits > 0 {
		tens := math.Pow10(digits)
		most, half = math.Ceil(math.Round(100*most*tens)/tens)/100, 1
	}
	return "±" + strings.TrimPrefix(Change(most).Format(half), "+")
}

// Ratio puts a change beyond ±50 % into words: "2.3× as fast" for a time that fell, "2.6×
// the time" for one that rose, "3.1× as much" for another metric. It is "" for smaller
// changes.
func (c Change) Ratio(m Metric) string {
	r := 1 + float64(c)
	if math.Abs(float64(c)) <= 0.5 || r <= 0 || math.IsInf(r, 0) || math.IsNaN(r) {
		return ""
	}
	switch {
	case m.IsTime() && r < 1:
		return times(1/r) + " as fast"
	case m.IsTime():
		return times(r) + " the time"
	}
	return times(r) + " as much"
}

// times prints a ratio with two significant digits, or with all digits of a large one.
func times(r float64) string {
	switch {
	case r >= 10:
		return fmt.Sprintf("%.0f×", r)
	case r >= 1:
		return fmt.Sprintf("%.1f×", r)
	case r >= 0.1:
		return fmt.Sprintf("%.2f×", r)
	}
	return fmt.Sprintf("%.1g×", r)
}

package sheet

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Names of rows in figures: of the same code against itself, and of the change that the
// parts of a waterfall add up to.
const (
	SameCodeRow = "the same code"
	Measured    = "measured"
)

// slug is a name as folders have it: words of lower case between dashes.
var slug = regexp.MustCompile(`^[a-z][a-z0-9]*([-_][a-z0-9]+)+$`)

// Title is the title of a result in words: its author's, or the name of its study, of which
// "small-malloc" reads "Small malloc".
func Title(r *assay.Result) string {
	name := r.Study
	if slug.MatchString(name) {
		name = strings.ToUpper(name[:1]) + strings.NewReplacer("-", " ", "_", " ").Replace(name[1:])
	}
	return cmp.Or(r.Report.Title, name)
}

// MetricOf names a metric of a variant or a benchmark: "time of new".
func MetricOf(metric, name string) string { return MetricWords(metric) + " of " + name }

// EffectOf names a metric and the switch whose effect on it is shown: "time, effect of
// gc=classic".
func EffectOf(metric, setting string) string { return MetricWords(metric) + ", effect of " + setting }

// Against ends the title of a figure: "against old".
func Against(base string) string { return "against " + answer.Subject(base) }

// WhyTitle names the figure of an explanation.
func WhyTitle(e *assay.Explanation) string {
	return "why: " + e.Benchmark.Name + " in " + answer.Subject(e.Variant) + ", " + MetricWords(e.Metric) + " " + Against(e.Base)
}

// MinEffect is a minimum effect in both directions: "±2 %".
func MinEffect(share float64) string { return "±" + printable.Percent(share) }

// Sides are the words at the ends of an axis of changes, "" where no side is better.
func Sides(m assay.Metric) (left, right string) {
	switch m.Better {
	case assay.BetterLower:
		return "← better", "worse →"
	case assay.BetterHigher:
		return "← worse", "better →"
	}
	return "", ""
}

// TickPercent is a round change in percent at an axis: "−1.5 %", "0".
func TickPercent(percent float64) string {
	text := strconv.FormatFloat(math.Abs(percent), 'f', -1, 64) + " %"
	switch {
	case percent < 0:
		return "−" + text
	case percent > 0:
		return "+" + text
	}
	return "0"
}

// TickPower is a power of 2 at an axis of ratios: "÷4", "0" for no change, "×2".
func TickPower(exponent int) string {
	text := strconv.FormatFloat(math.Exp2(math.Abs(float64(exponent))), 'g', 4, 64)
	switch {
	case exponent < 0:
		return "÷" + text
	case exponent > 0:
		return "×" + text
	}
	return "0"
}

// A RulerLegend says what the marks of a verdict ruler mean.
type RulerLegend struct {
	// Dots and Noise report whether it has dots of blocks, and the band of noise.
	Dots, Noise bool
	// Confidence of the intervals and MinEffect are shares.
	Confidence, MinEffect float64
	// More counts the rows that it has no room for.
	More int
}

// Wide is the legend where there is room. Zone is its end, the minimum effect, which a
// page replaces by others; "" where there is none.
func (l RulerLegend) Wide() (words, zone string) {
	var more, dots, noise string
	if l.More > 0 {
		more = printable.Int(l.More) + " more not shown"
	}
	if l.Dots {
		dots = "dots: blocks"
	}
	if l.Noise {
		noise = "grey: noise"
	}
	return l.shaded(more, dots, "line: "+printable.Level(l.Confidence)+" interval", noise)
}

// Narrow is the legend on a telephone, which leaves out what a reader may guess.
func (l RulerLegend) Narrow() (words, zone string) {
	noise := ""
	if l.Noise {
		noise = "grey: noise"
	}
	return l.shaded(noise)
}

func (l RulerLegend) shaded(parts ...string) (words, zone string) {
	if l.MinEffect > 0 {
		parts, zone = append(parts, "shaded: minimum effect"), MinEffect(l.MinEffect)
	}
	return JoinWords(" · ", parts...), zone
}

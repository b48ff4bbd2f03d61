package group

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// tenth is the half-width that makes a tenth of a point the last digit printed.
const tenth = 0.001

// total is a measured change in percent, with the decimals that its interval warrants.
func total(measured assay.Part) string {
	return measured.Change.Format(assay.Change(max(halfWidth(measured), tenth)))
}

// printed sets the points of groups. All have the decimals of the total, and the last one,
// what is unexplained, closes the sum of the printed figures.
func printed(groups []Group, measured assay.Part) []Group {
	digits := strings.TrimSuffix(total(measured), " %")
	_, fraction, _ := strings.Cut(digits, ".")
	unit := math.Pow10(len(fraction))
	left := math.Round(100 * unit * float64(measured.Change))
	for i := range groups {
		n := math.Round(100 * unit * float64(groups[i].Change))
		if i == len(groups)-1 {
			n = left
		}
		left -= n
		groups[i].Points = points(n/unit, len(fraction))
	}
	return groups
}

// points is a number with its sign; what is 0 has none.
func points(v float64, decimals int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	switch {
	case !strings.ContainsAny(text, "123456789"):
		return "0"
	case v < 0:
		return "−" + text
	}
	return "+" + text
}

// Total is the measured change that the groups of an explanation add up to: "+18.6 %".
func Total(e *assay.Explanation) string {
	return total(assay.Part{Change: e.Comparison.Change, Interval: e.Comparison.Interval})
}

// Sum shows how the groups add up: "of +18.6 %: code +14.7, unexplained +3.9", and if
// wanted the interval of what is unexplained. It leaves out groups that are printed as 0,
// and is "" without groups.
func Sum(e *assay.Explanation, interval bool) string {
	var words []string
	for _, g := range Of(e) {
		if g.Points == "0" && g.Name != Unexplained {
			continue
		}
		text := g.Name + " " + g.Points
		if interval && g.Name == Unexplained && g.Interval != nil {
			text += " " + g.Interval.String()
		}
		words = append(words, text)
	}
	if len(words) == 0 {
		return ""
	}
	return "of " + Total(e) + ": " + strings.Join(words, ", ")
}

// Names returns the groups that the part of a cause is in, if it is of the runtime's own
// time: "allocation, collector, code". It returns "" for parts of functions alone.
func Names(e *assay.Explanation, c assay.Cause) string {
	groups := groupsOf(e, c)
	switch {
	case len(groups) == 0 || c.Part == nil:
		return ""
	case len(groups) == 1 && (c.Kind == assay.CauseGC || c.Kind == assay.CauseAllocator):
		return groups[0]
	case len(groups) == 1:
		return ""
	}
	listed := Of(e)
	return strings.Join(slices.DeleteFunc(groups, func(name string) bool {
		return !slices.ContainsFunc(listed, func(g Group) bool { return g.Name == name })
	}), ", ")
}

package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxWhys is the number of explanations in a result before they are cut.
const maxWhys = 3

// grownText is the relative change of a binary's code from which on a result
// tells of it; below, an import more or less does it.
const grownText = 0.01

// byChange orders explanations: differences first, the largest first.
func byChange(list []assay.Explanation) []*assay.Explanation {
	out := make([]*assay.Explanation, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	size := func(e *assay.Explanation) float64 {
		n := math.Abs(e.Comparison.Change.Log())
		if !e.Comparison.Verdict.Differs() || math.IsNaN(n) {
			n = -1
		}
		return n
	}
	slices.SortStableFunc(out, func(a, b *assay.Explanation) int { return cmp.Compare(size(b), size(a)) })
	return out
}

// whyName names the benchmark, and the variants where they are not plain: there
// are several, or it was explained against another one than the tables' base.
func (s *Sheet) whyName(e *assay.Explanation) string {
	name := benchmarkArg(s.r, e.Benchmark)
	if len(s.shown) > 1 || e.Base != s.r.Base {
		name += " in " + e.Variant
	}
	if e.Base != s.r.Base {
		name += " against " + e.Base
	}
	return name
}

// firstCause is the text of the first cause and its part of the difference; with
// no cause it is how the explanation begins.
func firstCause(e *assay.Explanation) (text, part string) {
	switch {
	case len(e.Causes) > 0:
		return e.Causes[0].Text, partOf(e, e.Causes[0].Part)
	case len(e.Text) > 0:
		return e.Text[0], ""
	}
	return "no cause found", ""
}

// partOf is "−21.0 of −24.8 %", "" where the part is not known.
func partOf(e *assay.Explanation, part *assay.Part) string {
	if part == nil || points(part.Change, part.Interval) == none {
		return ""
	}
	c, half := e.Comparison, assay.Change(0)
	if c.Interval != nil && !c.Exact {
		half = c.Interval.Half()
	}
	return points(part.Change, part.Interval) + " of " + percent(c.Change, half) + " %"
}

// leastPoint is the last digit of a part: a profile does not tell more than tenths
// of a point, however alike its blocks are.
const leastPoint = 0.001

// mostPoints bounds the parts that are printed: no table has room for more, and no
// program is a million times as slow.
const mostPoints = 1e4

// points is a part of a difference in points, with the digits of its interval, or
// one decimal without one. What rounds to nothing has no sign.
func points(c assay.Change, i *assay.Interval) string {
	if !sane(c) {
		return none
	}
	half := assay.Change(leastPoint)
	if pointSpan(i) != "" {
		half = max(i.Half(), leastPoint)
	}
	text := strings.TrimSuffix(c.Format(half), " %")
	if !strings.ContainsAny(text, "123456789") {
		return unsigned(text)
	}
	return text
}

func sane(c assay.Change) bool { return math.Abs(float64(c)) < mostPoints }

// pointSpan is the interval of a part with the digits of points: "[+4.9, +5.5]", ""
// where it is not known.
func pointSpan(i *assay.Interval) string {
	if i == nil || !sane(i.Lo) || !sane(i.Hi) {
		return ""
	}
	half := max(i.Half(), leastPoint)
	end := func(c assay.Change) string { return strings.TrimSuffix(c.Format(half), " %") }
	return "[" + end(i.Lo) + ", " + end(i.Hi) + "]"
}

// benchmarkArg is what names a benchmark on the command line: its name, with the
// package where two packages have it.
func benchmarkArg(r *assay.Result, b assay.Benchmark) string {
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Benchmark.Name == b.Name && row.Benchmark.Package != b.Package {
				return b.String()
			}
		}
	}
	return b.Name
}

// explainCommand is what prints one explanation in full.
func explainCommand(r *assay.Result, e *assay.Explanation) string {
	words := []string{"assay", "explain"}
	if r.Run != "" {
		words = append(words, r.Run)
	}
	words = append(words, benchmarkArg(r, e.Benchmark))
	others := 0
	for _, v := range r.Variants {
		if v.Name != r.Base && v.SameAs == nil {
			others++
		}
	}
	if others > 1 {
		words = append(words, "--variant", e.Variant)
	}
	return shellLine(words)
}

// grown tells of binaries whose code is of another size now, each once.
func (s *Sheet) grown(list []*assay.Explanation) []string {
	var n notes
	for _, e := range list {
		c := e.Code
		if c == nil || c.BaseText <= 0 {
			continue
		}
		by := assay.Change(float64(c.VariantText)/float64(c.BaseText) - 1)
		if math.Abs(float64(by)) < grownText {
			continue
		}
		verb := "grew"
		if by < 0 {
			verb = "shrank"
		}
		size := strings.TrimPrefix(printable.Int(c.VariantText-c.BaseText), "−")
		n.add("code of the binary "+verb+" by "+size+" bytes ("+percent(by, 0)+" %)", e.Variant)
	}
	var out []string
	for _, t := range n.texts {
		if len(s.shown) > 1 {
			t += ": " + strings.Join(slices.Compact(slices.Sorted(slices.Values(n.where[t]))), ", ")
		}
		out = append(out, t)
	}
	return out
}

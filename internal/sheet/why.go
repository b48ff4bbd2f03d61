package sheet

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
)

// MaxWhys is the number of explanations in a result before they are cut.
const MaxWhys = 3

// grownText is the relative change of the size of a binary's code that is worth a line:
// one import makes a smaller one.
const grownText = 0.01

// ByChange orders explanations: differences first, the largest first.
func ByChange(list []assay.Explanation) []*assay.Explanation {
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

// WhyName names the benchmark, and the variants where that is not obvious: there are
// several, or it was explained against another variant than the tables' base.
func (s *Sheet) WhyName(e *assay.Explanation) string {
	name := BenchmarkArg(s.Result, e.Benchmark)
	if len(s.Shown) > 1 || e.Base != s.Result.Base {
		name += " in " + answer.Subject(e.Variant)
	}
	if e.Base != s.Result.Base {
		name += " against " + answer.Subject(e.Base)
	}
	return name
}

// FirstCause is the text of the first cause, and how the difference divides into groups of
// causes. Without a cause it is how the explanation begins.
func FirstCause(e *assay.Explanation) (text, parts string) {
	switch {
	case len(e.Causes) > 0:
		if len(group.Of(e)) > 1 {
			return e.Causes[0].Text, group.Sum(e, false)
		}
		return e.Causes[0].Text, PartOf(e, e.Causes[0].Part)
	case len(e.Text) > 0:
		return e.Text[0], ""
	}
	return "no cause found", ""
}

// SameCause are the explanations at the beginning of a list that say the same and know no
// part of the difference: one line tells all of them.
func SameCause(list []*assay.Explanation) []*assay.Explanation {
	what, part := FirstCause(list[0])
	n := 1
	for part == "" && n < len(list) {
		w, p := FirstCause(list[n])
		if w != what || p != "" || list[n].Comparison.Verdict.Differs() != list[0].Comparison.Verdict.Differs() {
			break
		}
		n++
	}
	return list[:n]
}

// PartOf is "−21.0 of −24.8 %", "" where the part is not known.
func PartOf(e *assay.Explanation, part *assay.Part) string {
	if part == nil || Points(part.Change, part.Interval) == None || !Sane(e.Comparison.Change) {
		return ""
	}
	c, half := e.Comparison, assay.Change(0)
	if c.Interval != nil && !c.Exact {
		half = c.Interval.Half()
	}
	return Points(part.Change, part.Interval) + " of " + ChangeDigits(c.Change, half) + " %"
}

// LeastPoint is the last digit of a part: a profile does not resolve more than tenths of
// a point, however alike its blocks are.
const LeastPoint = 0.001

// MaxPoints bounds the parts that are printed: no table has room for larger ones, and no
// program becomes a million times as slow.
const MaxPoints = 1e4

// Points is a part of a difference in points, with the digits of its interval, or with
// one decimal.
func Points(c assay.Change, i *assay.Interval) string {
	if !Sane(c) {
		return None
	}
	half := assay.Change(LeastPoint)
	if PointSpan(i) != "" {
		half = max(i.Half(), LeastPoint)
	}
	return strings.TrimSuffix(c.Format(half), " %")
}

// Sane reports whether a change is a number that a table has room for.
func Sane(c assay.Change) bool { return math.Abs(float64(c)) < MaxPoints }

// PointSpan is the interval of a part in points: "[+4.9, +5.5]", "" where it is not
// known.
func PointSpan(i *assay.Interval) string {
	if i == nil || !Sane(i.Lo) || !Sane(i.Hi) {
		return ""
	}
	half := max(i.Half(), LeastPoint)
	end := func(c assay.Change) string { return strings.TrimSuffix(c.Format(half), " %") }
	return "[" + end(i.Lo) + ", " + end(i.Hi) + "]"
}

// BenchmarkArg names a benchmark on the command line: by its name, with the package where
// two packages have it.
func BenchmarkArg(r *assay.Result, b assay.Benchmark) string {
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Benchmark.Name == b.Name && row.Benchmark.Package != b.Package {
				return b.String()
			}
		}
	}
	return b.Name
}

// ExplainCommand is what prints one explanation in full.
func ExplainCommand(r *assay.Result, e *assay.Explanation) string {
	var words, flags []string
	if ref := cmp.Or(r.Ref, r.Run); ref != "" {
		words = append(words, ref)
	}
	words = append(words, BenchmarkArg(r, e.Benchmark))
	others := 0
	for _, v := range r.Variants {
		if v.Name != r.Base && v.SameAs == nil {
			others++
		}
	}
	if others > 1 {
		flags = append(flags, "--variant", e.Variant)
	}
	for _, f := range e.Functions {
		flags = append(flags, "--func", f)
	}
	if on := OnArg(r); on != "" {
		flags = append(flags, on)
	}
	if dashed := shell.Words(words...); dashed[0] == "--" {
		words, flags = flags, dashed
	}
	return ShellLine(slices.Concat([]string{"assay", "explain"}, words, flags))
}

// OnArg is the argument that names the machine of a result, of those in its command; "" if
// it was the computer that assay ran on, or if a study's file names the machine.
func OnArg(r *assay.Result) string {
	words, err := shell.Split(r.Command)
	if err != nil || r.Machine == "" {
		return ""
	}
	for _, w := range words {
		value, ok := strings.CutPrefix(w, "--on=")
		if !ok {
			continue
		}
		if hosts, err := spec.Hosts([]string{value}); err == nil && hosts[0].Label == r.Machine && !hosts[0].Local() {
			return w
		}
	}
	return ""
}

// Grown says which binaries' code grew or shrank, each once.
func (s *Sheet) Grown(list []*assay.Explanation) []string {
	var n Notes
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
		size := unsigned(printable.Int(c.VariantText - c.BaseText))
		n.Add("code of the binary "+verb+" by "+size+" bytes ("+ChangeDigits(by, 0)+" %)", e.Variant)
	}
	var out []string
	for _, t := range n.Texts {
		if len(s.Shown) > 1 {
			t += ": " + strings.Join(slices.Compact(slices.Sorted(slices.Values(n.Where[t]))), ", ")
		}
		out = append(out, t)
	}
	return out
}

package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Material is everything that is known about one difference.
type Material struct {
	// Explanation has what was measured and found; Explain adds what follows from it.
	assay.Explanation
	Metric assay.Metric
	// Settings describes how the run settings differ, "" if they do not.
	Settings string
	// Links is the number of links of each variant behind the comparison.
	Links int
	// Inlined lists where the code of inlined functions is; see cputime.InlinedInto.
	Inlined map[string][]string
}

// Explain ranks the causes of a difference and puts them into words.
func Explain(m Material) assay.Explanation {
	e := m.Explanation
	e.Variant, e.Metric, e.SameHot, e.Causes = m.Comparison.Variant, m.Metric.Name, sameHot(m), causes(m)
	for _, text := range []string{unproved(m), sumText(m, e.Causes)} {
		if text != "" {
			e.Text = append(e.Text, text)
		}
	}
	e.Text = append(e.Text, conclusion(m, e.Causes)...)
	return e
}

// unproved says that a change is not proved, and what is known about it; "" for a proved
// one, and if nothing was measured. It comes before all causes: noise has none.
func unproved(m Material) string {
	c := m.Comparison
	known := c.Change.Format(0)
	if c.Interval != nil {
		known = c.Change.Format(c.Interval.Half()) + " " + c.Interval.String()
	}
	over := fmt.Sprintf(" over %d %s", c.N, printable.Plural(c.N, "block"))
	switch {
	case c.Verdict.Differs() || m.Metric.Name == "" || c.N == 0:
		return ""
	case c.Exact:
		return fmt.Sprintf("no change: %s is exactly the same%s", m.Metric.Name, over)
	case c.Verdict == assay.Same:
		return fmt.Sprintf("no change that matters: %s%s, within ±%.2g %%", known, over, 100*m.Metric.MinEffect)
	case c.Verdict == assay.Invalid || c.Verdict == assay.Saturated:
		return fmt.Sprintf("no change is proved (%s: %s); what follows may explain noise", c.Verdict, c.Reason)
	case c.Interval == nil:
		return fmt.Sprintf("not proved: %s so far (%s); what follows may explain noise", known, c.Reason)
	}
	return fmt.Sprintf("not proved: %s%s; what follows may explain noise", known, over)
}

// sameHot reports whether the functions that matter are known, and are the same.
func sameHot(m Material) bool {
	return m.SameCode || m.Code != nil && m.Code.Hot > 0 && m.Code.SameHot == m.Code.Hot && len(m.Code.Functions) == 0
}

// conclusion says what the causes amount to.
func conclusion(m Material, causes []assay.Cause) (out []string) {
	if found := slices.DeleteFunc(slices.Clone(causes), locatesOnly); len(found) > 0 {
		return nil
	}
	if sameHot(m) && m.Settings == "" {
		what := "the functions that matter here are"
		if m.SameCode {
			what = "all functions are"
		}
		out = append(out, what+" the same in both: this is layout, environment or noise")
	}
	if m.Layout != nil {
		return append(out, m.Layout.Text)
	}
	out = append(out, lookAtLayout(m))
	if m.Links < enoughLinks {
		out = append(out, fmt.Sprintf("measured over %d %s of each variant: --check-layout shows whether the difference holds across relinked builds", m.Links, printable.Plural(m.Links, "link")))
	}
	return out
}

// enoughLinks is the number of pairs of links from which a verdict holds across layouts
// (docs/methodology.md).
const enoughLinks = 10

// lookAtLayout says what is known about the layout if the evidence has no cause.
func lookAtLayout(m Material) string {
	var evidence []string
	for _, k := range []struct {
		name string
		have bool
	}{{"code", m.Code != nil}, {"the profile", m.CPU != nil}, {"allocations", m.Allocs != nil}, {"GC", m.GC != nil}} {
		if k.have {
			evidence = append(evidence, k.name)
		}
	}
	if len(evidence) == 0 {
		evidence = []string{"nothing, for nothing was collected"}
	}
	text := "no cause found in " + strings.Join(evidence, ", ") + ": look at layout"
	if s := m.Comparison.LayoutShare; s > 0 {
		text += fmt.Sprintf(" (between-layout share %.0f %%)", 100*s)
	}
	return text
}

// mostSummed is the number of causes that the sum names.
const mostSummed = 3

// sumText shows how the parts add up: "of +8.1 % [..]: mallocgc +5.2, growslice +1.9,
// others +0.0, not seen +1.0 [..]". It is "" without a profile.
func sumText(m Material, causes []assay.Cause) string {
	if m.CPU == nil {
		return ""
	}
	var words []string
	left := float64(m.CPU.Total.Change)
	for _, c := range causes {
		if c.Part == nil || len(words) == mostSummed {
			continue
		}
		words = append(words, c.Part.Name+" "+Points(*c.Part))
		left -= float64(c.Part.Change)
	}
	words = append(words, "others "+Points(assay.Part{Change: assay.Change(left), Interval: m.CPU.Total.Interval}))
	seen := "not seen " + Points(m.CPU.NotSeen)
	if i := m.CPU.NotSeen.Interval; i != nil {
		seen += " " + i.String()
	}
	d := m.CPU.Difference
	of := d.Change.Format(0.001)
	if d.Interval != nil {
		of = d.Change.Format(d.Interval.Half())
	}
	return fmt.Sprintf("of %s: %s", of, strings.Join(append(words, seen), ", "))
}

// Points prints the change of a part in points, with the digits that its interval
// warrants: "+5.2".
func Points(p assay.Part) string {
	half := assay.Change(0.001)
	if p.Interval != nil {
		half = max(p.Interval.Half(), 0.001)
	}
	if math.Abs(float64(p.Change)) < 5e-4 {
		p.Change = 0
	}
	return strings.TrimSuffix(p.Change.Format(half), " %")
}

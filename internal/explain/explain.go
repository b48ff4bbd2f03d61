package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Material is everything that is known about one difference.
type Material struct {
	// Explanation has what was measured and found; Explain adds what follows from it.
	assay.Explanation
	Metric assay.Metric
	// Settings describes how the run settings differ, "" if they do not.
	Settings string
	// Files are those that differ and that the benchmark may read.
	Files []string
	// Links is the number of links of each variant behind the comparison.
	Links int
	// Inlined lists where the code of inlined functions is; see cputime.InlinedInto.
	Inlined map[string][]string
}

// Explain ranks the causes of a difference and puts them into words.
func Explain(m Material) assay.Explanation {
	e := m.Explanation
	e.Variant, e.Metric, e.SameHot, e.Causes = m.Comparison.Variant, m.Metric.Name, sameHot(m), causes(m)
	for _, text := range []string{unproved(m), group.Sum(&e, true)} {
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
		known = c.Interval.With(c.Change)
	}
	over := fmt.Sprintf(" over %d %s", c.N, printable.Plural(c.N, "block"))
	switch {
	case c.Verdict.Differs() || m.Metric.Name == "" || c.N == 0:
		return ""
	case c.Exact && !c.SoFar():
		return fmt.Sprintf("no change: %s is exactly the same%s", m.Metric.Name, over)
	case c.Verdict == assay.Same:
		return fmt.Sprintf("no change that matters: %s%s, within ±%.2g %%", known, over, 100*m.Metric.MinEffect)
	case c.Verdict == assay.Invalid || c.Verdict == assay.Saturated:
		return fmt.Sprintf("no change is proved (%s: %s); what follows may explain noise", c.Verdict, c.Reason)
	case c.Interval == nil:
		return fmt.Sprintf("not proved (%s); what follows may explain noise", c.Reason)
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
	if m.Links < group.EnoughLinks {
		out = append(out, fmt.Sprintf("measured over %d %s of each variant: --check-layout shows whether the difference holds across relinked builds", m.Links, printable.Plural(m.Links, "link")))
	}
	return out
}

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

// isSum reports whether a line of an explanation shows how parts add up.
func isSum(text string) bool { return strings.HasPrefix(text, "of ") }

// Restated returns recorded explanations with the sums of their parts as this version
// puts them.
func Restated(list []assay.Explanation) []assay.Explanation {
	out := slices.Clone(list)
	for i := range out {
		e := &out[i]
		at := slices.IndexFunc(e.Text, isSum)
		if sum := group.Sum(e, true); at >= 0 && sum != "" {
			e.Text = slices.Clone(e.Text)
			e.Text[at] = sum
		}
	}
	return out
}

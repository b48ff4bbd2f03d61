package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// maxMovers is the number of benchmarks named for a step.
const maxMovers = 3

// Movers returns the largest proved changes of a step, the watched ones first.
func Movers(c assay.StepChange, watch []string) (out []assay.Comparison) {
	for _, x := range c.Cells {
		if x.Verdict.Differs() {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, bySize)
	unwatched := func(c assay.Comparison) int {
		if slices.ContainsFunc(watch, func(w string) bool { return w != "" && strings.Contains(c.Benchmark.Name, w) }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b assay.Comparison) int { return unwatched(a) - unwatched(b) })
	return out[:min(len(out), maxMovers)]
}

// StepText describes a step in one line; the table has the names beside its benchmarks.
func StepText(s assay.StepResult, l sample.Link, c assay.StepChange, tab assay.Table) string {
	switch {
	case s.Gap != nil && strings.HasPrefix(s.Gap.Reason, didNotBuild):
		return s.Gap.Reason
	case s.Gap != nil:
		return didNotBuild + ": " + s.Gap.Reason
	case l.Gap:
		return "not measured"
	}
	same := ""
	switch {
	case l.Same():
		return join(failedGates(s), "same code as "+l.Previous+": nothing to measure")
	case s.SameAs != nil:
		same = "same code as " + s.SameAs.As + ", and has its figures"
	}
	return join(failedGates(s), same, effectText(s, c, tab))
}

const didNotBuild = "did not build"

// failedGates is "fails the gate tests: 10 tests fail"; "" if all held.
func failedGates(s assay.StepResult) string {
	var parts []string
	for _, g := range s.Gates {
		if g.Status == assay.GateFailed {
			parts = append(parts, "fails the gate "+because(g.Gate, g.Text))
		}
	}
	return join(parts...)
}

// effectText says what a step did: its largest movers, or that nothing is proved.
func effectText(s assay.StepResult, c assay.StepChange, tab assay.Table) string {
	unproved := ""
	if c.Whole != nil {
		unproved = unprovedText(*c.Whole)
	}
	switch {
	case c.Whole != nil && len(c.Cells) == 1:
		return cmp.Or(unproved, tab.Metric.Name+" "+Interval(*c.Whole))
	case len(s.Movers) > 0:
		var movers []string
		for _, c := range s.Movers {
			movers = append(movers, tab.NameOf(c.Benchmark)+" "+figure(c))
		}
		return join(unproved, "largest movers: "+strings.Join(movers, ", "))
	case c.Whole != nil && c.Whole.Verdict.Differs():
		return fmt.Sprintf("%s %s on the whole, no benchmark alone is proved", tab.Metric.Name, Interval(*c.Whole))
	case c.Whole == nil:
		return "no benchmark is proved to have changed"
	}
	return unproved
}

// figure is a change without its interval, which the table has. If the previous value was
// 0 there is no ratio, and the new value stands for it.
func figure(c assay.Comparison) string {
	if c.Change == 0 && c.Verdict.Differs() {
		return fmt.Sprintf("0 → %.4g", c.Value)
	}
	return c.Change.Format(half(c))
}

// unprovedText is "no change proved: −0.9 % to +0.7 %"; "" for a claimed change. An
// interval that excludes 0 has the reason why nothing is claimed beside it.
func unprovedText(c assay.Comparison) string {
	switch {
	case c.Verdict.Differs():
		return ""
	case c.Exact && !c.SoFar():
		return "exactly the same"
	case c.Interval == nil || c.Verdict == assay.Invalid || c.Verdict == assay.Saturated:
		return c.Reason
	case c.Interval.SaysNothing():
		return cmp.Or(c.Reason, assay.NoInformation)
	}
	span := c.Interval.Lo.Format(half(c)) + " to " + c.Interval.Hi.Format(half(c))
	switch {
	case c.Verdict == assay.Same:
		return "the same: " + span
	case c.Interval.Covers(0):
		return "no change proved: " + span
	}
	return span + ", " + c.Reason
}

// stepName is "step 20, final tidy".
func stepName(s assay.StepResult) string { return fmt.Sprintf("step %d, %s", s.Number, s.Variant) }

// ChangeText explains a change if its figure is not enough. The variant as stands for the
// step.
func ChangeText(c assay.StepChange, l sample.Link, as string) string {
	if l.Same() {
		return "same code as " + l.Previous
	}
	same, unproved := "", ""
	if !l.Gap && as != l.Step {
		same = "same code as " + as
	}
	if c.Whole != nil {
		unproved = unprovedText(*c.Whole)
	}
	return join(same, unproved)
}

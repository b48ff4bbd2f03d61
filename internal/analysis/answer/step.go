package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// maxMovers is the number of benchmarks that are named of a step.
const maxMovers = 3

// Movers are the largest proved changes of a step, the watched ones first.
func Movers(c assay.StepChange, watch []string) (out []assay.Comparison) {
	for _, x := range c.Cells {
		if x.Verdict.Differs() {
			out = append(out, x)
		}
	}
	sortByChange(out)
	slices.SortStableFunc(out, func(a, b assay.Comparison) int {
		switch x, y := watched(a.Benchmark, watch), watched(b.Benchmark, watch); {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	})
	return out[:min(len(out), maxMovers)]
}

// watched reports whether a step is about a benchmark: its name is in the list,
// or a part of it is.
func watched(b assay.Benchmark, watch []string) bool {
	return slices.ContainsFunc(watch, func(w string) bool { return w != "" && strings.Contains(b.Name, w) })
}

// StepText is what is said of a step in one line.
func StepText(s assay.StepResult, l sample.Link, c assay.StepChange, m assay.Metric) string {
	switch {
	case s.Gap != nil && strings.HasPrefix(s.Gap.Reason, didNotBuild):
		return s.Gap.Reason
	case s.Gap != nil:
		return didNotBuild + ": " + s.Gap.Reason
	case l.Gap:
		return "not measured"
	}
	said := []string{failedGates(s)}
	switch {
	case l.Same():
		said = append(said, "same code as "+l.Previous+": nothing to measure")
	default:
		if s.SameAs != nil {
			said = append(said, "same code as "+s.SameAs.As+", whose figures stand for it")
		}
		said = append(said, effectText(s, c, m))
	}
	return join(said...)
}

const didNotBuild = "did not build"

// failedGates is "fails the gate tests: 10 tests fail"; "" where all held.
func failedGates(s assay.StepResult) string {
	var parts []string
	for _, g := range s.Gates {
		if g.Status == assay.GateFailed {
			parts = append(parts, gateText(g))
		}
	}
	return join(parts...)
}

func gateText(g assay.GateResult) string {
	out := "fails the gate " + g.Gate
	if g.Text != "" {
		out += ": " + g.Text
	}
	return out
}

// effectText says what a step did: its largest movers, or that nothing is proved.
func effectText(s assay.StepResult, c assay.StepChange, m assay.Metric) string {
	if c.Whole != nil && len(c.Cells) == 1 {
		if text := unprovedText(*c.Whole); text != "" {
			return text
		}
		return m.Name + " " + Interval(*c.Whole)
	}
	var said []string
	if c.Whole != nil {
		said = append(said, unprovedText(*c.Whole))
	}
	switch {
	case len(s.Movers) > 0:
		said = append(said, "largest movers: "+moverList(s.Movers))
	case c.Whole != nil && c.Whole.Verdict.Differs():
		said = append(said, fmt.Sprintf("%s %s on the whole, no benchmark alone is proved", m.Name, Interval(*c.Whole)))
	case c.Whole == nil:
		said = append(said, "no benchmark is proved to have changed")
	}
	return join(said...)
}

// moverList is "Unmarshal/twitter −31.2 %, Marshal/hugo −12.0 %".
func moverList(cs []assay.Comparison) string {
	var parts []string
	for _, c := range cs {
		parts = append(parts, c.Benchmark.Name+" "+figure(c))
	}
	return strings.Join(parts, ", ")
}

// figure is a change without its interval, for where a table has that; where the
// previous value was 0 there is no ratio, and the new value stands for it.
func figure(c assay.Comparison) string {
	if c.Change == 0 && c.Verdict.Differs() {
		return fmt.Sprintf("0 → %.4g", c.Value)
	}
	return c.Change.Format(half(c))
}

// unprovedText is "no change proved: −0.9 % to +0.7 %" of a change that is not
// claimed; "" of one that is.
func unprovedText(c assay.Comparison) string {
	switch {
	case c.Verdict.Differs():
		return ""
	case c.Exact:
		return "exactly the same"
	case c.Interval == nil || c.Verdict == assay.Invalid || c.Verdict == assay.Saturated:
		return c.Reason
	}
	lead := "no change proved: "
	if c.Verdict == assay.Same {
		lead = "the same: "
	}
	return lead + c.Interval.Lo.Format(half(c)) + " to " + c.Interval.Hi.Format(half(c))
}

// stepName is "step 20, final tidy".
func stepName(s assay.StepResult) string { return fmt.Sprintf("step %d, %s", s.Number, s.Variant) }

// ChangeText says what a change means where its figure alone does not. The
// figures of the step are those of the variant as.
func ChangeText(c assay.StepChange, l sample.Link, as string) string {
	var said []string
	if l.Same() {
		return "same code as " + l.Previous
	}
	if !l.Gap && as != l.Step {
		said = append(said, "same code as "+as)
	}
	if c.Whole != nil {
		said = append(said, unprovedText(*c.Whole))
	}
	return join(said...)
}

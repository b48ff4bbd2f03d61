package lab

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// MaxGapFacts is the number of lines of compiler output kept in a gap.
const MaxGapFacts = 4

// GapOf makes a gap from the error of a step's build. ok is false if the error is not
// about the code of that step: a revision that does not exist, an interruption.
func GapOf(s *assay.Study, v assay.Variant, err error) (assay.Gap, bool) {
	e, ok := errors.AsType[*assay.Error](err)
	if s.Steps == nil || v.Name == s.Base || !ok {
		return assay.Gap{}, false
	}
	switch {
	case slices.Contains(missingSourceCodes, e.Code):
		// The facts are places on this machine, or what exists instead.
		return gapFrom(v, &assay.Error{Warning: assay.Warning{Text: e.Text}}), true
	case e.Exit != assay.ExitBuild:
		return assay.Gap{}, false
	}
	return gapFrom(v, e), true
}

// missingSourceCodes are the codes of errors about something that a revision does not
// have yet, or no longer. For the base such an error is a typing mistake.
var missingSourceCodes = []assay.Code{assay.CodeNoPackage, assay.CodeOutsideModule}

// gapFrom cleans the output of a compiler or a test binary, which is untrusted.
func gapFrom(v assay.Variant, e *assay.Error) assay.Gap {
	g := assay.Gap{Variant: v.Name, Facts: FirstFacts(e)}
	g.Reason = printable.Brief(strings.TrimLeft(strings.TrimPrefix(e.Text, fmt.Sprintf("variant %q", v.Name)), ": "))
	if len(g.Facts) > 0 {
		g.Reason = g.Facts[0]
	}
	return g
}

// FirstFacts returns the first lines of an error's facts, without the place of its log on
// this machine.
func FirstFacts(e *assay.Error) (out []string) {
	for _, f := range e.Facts {
		if line := printable.Brief(f); line != "" && !strings.HasPrefix(line, "log: ") && len(out) < MaxGapFacts {
			out = append(out, line)
		}
	}
	return out
}

// Gaps returns the steps that did not build, in the order of the study. In studies
// without steps there are none: a failed build ends the run.
func (b *Builds) Gaps() []assay.Gap { return slices.Clone(b.gaps) }

// gapEvent reports a gap when it is certain that the run continues: if no step compiles a
// suite, that is one error, not one per step.
func gapEvent(g assay.Gap) Event {
	return Event{Kind: EventWarning, Variant: g.Variant, Text: fmt.Sprintf("step %q does not build and will be a gap: %s", g.Variant, g.Reason)}
}

// SortGaps sorts gaps in the order of the study's variants.
func SortGaps(s *assay.Study, gaps []assay.Gap) {
	at := func(g assay.Gap) int {
		return slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Name == g.Variant })
	}
	slices.SortFunc(gaps, func(x, y assay.Gap) int { return cmp.Compare(at(x), at(y)) })
}

// noSteps returns the error for a chain of which no step builds, nil if one does. base is
// the error of the base's build, which may then have the same cause: a suite that
// compiles with no version.
func noSteps(s *assay.Study, gaps []assay.Gap, base error) error {
	if s.Steps == nil || len(gaps) == 0 || len(gaps) < len(s.Variants)-1 {
		return nil
	}
	e := &assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{Code: assay.CodeSteps, Text: fmt.Sprintf("none of the %s builds", printable.Count(len(gaps), "step")),
		Advice: "go test -c in a checkout of one of them, with the toolchain of the study"}}
	same := !slices.ContainsFunc(gaps, func(g assay.Gap) bool { return g.Reason != gaps[0].Reason })
	if base != nil {
		g, ok := baseGap(s, base)
		if !ok || !same || g.Reason != gaps[0].Reason {
			return nil // the base's own error is more specific
		}
		if e, ok := errors.AsType[*assay.Error](base); ok && e.Code != assay.CodeBuildFailed {
			return nil // it has the remedy: the suite's go.mod, a file to hide, another toolchain
		}
		e.Text = fmt.Sprintf("neither the base nor any of the %s builds", printable.Count(len(gaps), "step"))
	}
	if what := laidOver(s); what != "" && same {
		e.Text += ", all for the same reason: " + what + " does not fit"
		e.Advice = "a suite that uses only what every step exports"
	}
	e.Facts = StepFacts(gaps, same)
	return e
}

// laidOver names the part of the source, besides their own code, that all steps share.
func laidOver(s *assay.Study) string {
	switch {
	case s.Source.Suite != "":
		return "the suite " + strconv.Quote(s.Source.Suite)
	case s.Source.BenchmarksFrom != "":
		return "the benchmarks of " + strconv.Quote(s.Source.BenchmarksFrom)
	case s.Source.Overlay != "":
		return "the overlay " + strconv.Quote(s.Source.Overlay)
	}
	return ""
}

// StepFacts says why no step builds; a common reason appears once.
func StepFacts(gaps []assay.Gap, same bool) (out []string) {
	if same {
		return []string{gaps[0].Reason}
	}
	for _, g := range gaps[:min(len(gaps), MaxGapFacts)] {
		out = append(out, g.Variant+": "+g.Reason)
	}
	if more := len(gaps) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("… %d more", more))
	}
	return out
}

// baseGap returns the base as a gap.
func baseGap(s *assay.Study, err error) (assay.Gap, bool) {
	e, ok := errors.AsType[*assay.Error](err)
	if !ok || e.Exit != assay.ExitBuild {
		return assay.Gap{}, false
	}
	return gapFrom(assay.Variant{Name: s.Base}, e), true
}

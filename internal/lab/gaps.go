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

// MaxGapFacts is how many lines of what the compiler said a gap keeps.
const MaxGapFacts = 4

// GapOf makes a gap of the error of a step's build; false where the error is not
// about the code of that step: a revision that does not exist, an interruption.
func GapOf(s *assay.Study, v assay.Variant, err error) (assay.Gap, bool) {
	var e *assay.Error
	if s.Steps == nil || v.Name == s.Base || !errors.As(err, &e) {
		return assay.Gap{}, false
	}
	switch {
	case slices.Contains(lacking, e.Code):
		// The facts are places of this machine, or what there is instead.
		return gapFrom(v, &assay.Error{Warning: assay.Warning{Text: e.Text}}), true
	case e.Exit != assay.ExitBuild:
		return assay.Gap{}, false
	}
	return gapFrom(v, e), true
}

// lacking are the codes of errors about what a revision does not have yet, or no
// more. Of the base they are the errors of a typing mistake.
var lacking = []assay.Code{assay.CodeNoPackage, assay.CodeOutsideModule}

// gapFrom cleans what a compiler or a test binary said, which a stranger wrote.
func gapFrom(v assay.Variant, e *assay.Error) assay.Gap {
	g := assay.Gap{Variant: v.Name, Facts: FirstFacts(e)}
	g.Reason = printable.Brief(strings.TrimLeft(strings.TrimPrefix(e.Text, fmt.Sprintf("variant %q", v.Name)), ": "))
	if len(g.Facts) > 0 {
		g.Reason = g.Facts[0]
	}
	return g
}

// FirstFacts are the first lines of an error's facts, less the place of its log,
// which is one of this machine.
func FirstFacts(e *assay.Error) (out []string) {
	for _, f := range e.Facts {
		if line := printable.Brief(f); line != "" && !strings.HasPrefix(line, "log: ") && len(out) < MaxGapFacts {
			out = append(out, line)
		}
	}
	return out
}

// Gaps are the steps that did not build, in the order of the study; none in
// studies without steps, where what does not build ends the run.
func (b *Builds) Gaps() []assay.Gap { return slices.Clone(b.gaps) }

// gapEvent tells of a gap once the run is to go on: a suite that no step compiles
// has one error, and not one a step.
func gapEvent(g assay.Gap) Event {
	return Event{Kind: EventWarning, Variant: g.Variant, Text: fmt.Sprintf("step %q does not build and will be a gap: %s", g.Variant, g.Reason)}
}

// SortGaps puts gaps in the order of the study's variants.
func SortGaps(s *assay.Study, gaps []assay.Gap) {
	at := func(g assay.Gap) int {
		return slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Name == g.Variant })
	}
	slices.SortFunc(gaps, func(x, y assay.Gap) int { return cmp.Compare(at(x), at(y)) })
}

// noSteps is the error of a chain of which no step builds, nil where one does.
// base is the error of the base's build, which then may have the same cause: a
// suite that compiles against no version.
func noSteps(s *assay.Study, gaps []assay.Gap, base error) error {
	if s.Steps == nil || len(gaps) == 0 || len(gaps) < len(s.Variants)-1 {
		return nil
	}
	e := &assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{Code: assay.CodeSteps, Text: fmt.Sprintf("none of the %s builds", printable.Count(len(gaps), "step")),
		Try: "go test -c in a checkout of one of them, with the toolchain of the study"}}
	same := !slices.ContainsFunc(gaps, func(g assay.Gap) bool { return g.Reason != gaps[0].Reason })
	if base != nil {
		g, ok := baseGap(s, base)
		if !ok || !same || g.Reason != gaps[0].Reason {
			return nil // the base's own error says more
		}
		if e, ok := errors.AsType[*assay.Error](base); ok && e.Code != assay.CodeBuildFailed {
			return nil // it knows the remedy: the suite's go.mod, a file to hide, another toolchain
		}
		e.Text = fmt.Sprintf("neither the base nor any of the %s builds", printable.Count(len(gaps), "step"))
	}
	if what := laidOver(s); what != "" && same {
		e.Text += ", all for the same reason: " + what + " does not fit"
		e.Try = "a suite that uses only what every step exports"
	}
	e.Facts = StepFacts(gaps, same)
	return e
}

// laidOver is what of the source all steps have in common beside their own code.
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

// StepFacts says why no step builds: once where it is one reason.
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

// baseGap is what the base would be as a gap.
func baseGap(s *assay.Study, err error) (assay.Gap, bool) {
	var e *assay.Error
	if !errors.As(err, &e) || e.Exit != assay.ExitBuild {
		return assay.Gap{}, false
	}
	return gapFrom(assay.Variant{Name: s.Base}, e), true
}

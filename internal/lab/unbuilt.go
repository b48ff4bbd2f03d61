package lab

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxUnbuilt is the number of packages that a warning names.
const maxUnbuilt = 5

// An unbuilt package does not build in a variant.
type unbuilt struct {
	variant  string
	workload int
	pkg      string
	fault    *assay.Error
}

func (u unbuilt) is(a Artifact) bool { return u.workload == a.Workload && u.pkg == a.Package }

// withoutUnbuilt takes the packages that do not build out of a variant's artifacts. The
// error is the first fault if nothing else is left, or if the study has steps: such a step
// is a gap.
func withoutUnbuilt(s *assay.Study, v assay.Variant, all []Artifact) (built []Artifact, not []unbuilt, err error) {
	for _, a := range all {
		if a.Fault == nil {
			built = append(built, a)
			continue
		}
		not = append(not, unbuilt{v.Name, a.Workload, a.Package, a.Fault})
	}
	if len(not) > 0 && (len(built) == 0 || s.Steps != nil && !ownSuite(s)) {
		return nil, nil, not[0].fault
	}
	return built, not, nil
}

// ownSuite reports whether the benchmarks come from another version, and may need what a
// variant lacks: only that variant goes without them.
func ownSuite(s *assay.Study) bool {
	_, ok := s.Source.SuiteTree()
	return ok
}

// exclude takes a package that does not build in some variant out of all variants: the
// others would be compared with nothing. The error is the fault if nothing is left.
func (b *Builds) exclude() error {
	slices.SortStableFunc(b.unbuilt, func(x, y unbuilt) int { return cmp.Compare(b.place(x), b.place(y)) }) // they built in parallel
	if ownSuite(b.study) {
		return nil
	}
	for name, as := range b.artifacts {
		kept := slices.DeleteFunc(slices.Clone(as), func(a Artifact) bool {
			return slices.ContainsFunc(b.unbuilt, func(u unbuilt) bool { return u.is(a) })
		})
		if len(kept) == 0 && len(as) > 0 {
			return b.unbuilt[0].fault
		}
		b.artifacts[name] = kept
	}
	return nil
}

// place returns the place of an unbuilt package's variant in the study.
func (b *Builds) place(u unbuilt) int {
	return slices.IndexFunc(b.study.Variants, func(v assay.Variant) bool { return v.Name == u.variant })
}

// Unbuilt warns about the packages that do not build. Where they build in another variant
// that is a failure of their benchmarks there.
func (b *Builds) Unbuilt() (out []assay.Warning) {
	for _, code := range []assay.Code{assay.CodeBuildFailed, assay.CodeNotBuilt, assay.CodeSuite} {
		var names, facts []string
		for _, u := range b.unbuilt {
			if b.codeOf(u) != code {
				continue
			}
			names = withName(names, u.pkg)
			if line := u.firstLine(code); len(facts) < maxUnbuilt && line != "" {
				facts = withName(facts, line)
			}
		}
		if len(names) > 0 {
			out = append(out, assay.Warning{Code: code, Text: unbuiltText(code, names), Facts: facts})
		}
	}
	return out
}

// codeOf tells a package that builds in no variant from one that some variants break.
func (b *Builds) codeOf(u unbuilt) assay.Code {
	if ownSuite(b.study) {
		return assay.CodeSuite
	}
	broken := 0
	for _, other := range b.unbuilt {
		if other.workload == u.workload && other.pkg == u.pkg {
			broken++
		}
	}
	if broken < len(b.study.Variants) {
		return assay.CodeBuildFailed
	}
	return assay.CodeNotBuilt
}

// firstLine is what the compiler says first of a package, with the variant if others build
// it.
func (u unbuilt) firstLine(code assay.Code) string {
	facts := FirstFacts(u.fault)
	switch {
	case len(facts) == 0:
		return ""
	case code == assay.CodeNotBuilt:
		return facts[0]
	}
	return u.variant + ": " + facts[0]
}

func unbuiltText(code assay.Code, names []string) string {
	what, verb, are := "1 package", "does not build", "is"
	if len(names) > 1 {
		what, verb, are = fmt.Sprintf("%d packages", len(names)), "do not build", "are"
	}
	where := fmt.Sprintf(", and %s excluded", are)
	switch code {
	case assay.CodeSuite:
		what, where = "the suite's benchmarks of "+what, " in some variants, and are excluded there"
		verb = "do not build"
	case assay.CodeBuildFailed:
		where = fmt.Sprintf(" in some variants, and %s excluded for all", are)
	}
	return fmt.Sprintf("%s %s%s: %s", what, verb, where, printable.Few(names, maxUnbuilt))
}

// withName appends a name that the list lacks.
func withName(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

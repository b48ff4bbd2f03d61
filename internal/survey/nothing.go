package survey

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// someNames is the maximum number of names listed in a message.
const someNames = 5

// noBenchmarks returns the error for a pattern that matches nothing. It is usually
// mistyped, so the error lists the existing benchmarks; that takes running each once.
func (s *surveyor) noBenchmarks(ctx context.Context, base assay.Variant) error {
	if len(s.Builds.Of(base.Name)) == 0 {
		return nothing("no package with benchmarks in "+packages(s.Study), nested(s.Study), "")
	}
	names, pkgs, err := s.everything(ctx, base)
	if err != nil {
		return err
	}
	return noMatch(s.Study, s.Command, names, pkgs)
}

// noMatch returns the error for a pattern that matches none of the named benchmarks, which
// are in pkgs packages. command is the line of the study.
func noMatch(study *assay.Study, command string, names []string, pkgs int) error {
	pattern := patternOf(study, 0)
	text := fmt.Sprintf("no benchmark matches -bench=%s in %s", pattern, packages(study))
	if len(names) == 0 {
		return nothing(text, []string{"there is no benchmark that runs, whatever the pattern"}, "")
	}
	have := map[bool]string{true: "has", false: "have"}[pkgs == 1]
	what := fmt.Sprintf("%s %s %s: %s", printable.Count(pkgs, "package"), have, printable.Count(len(names), "benchmark"), printable.Few(names, someNames))
	return nothing(text, append([]string{what}, nested(study)...), withPattern(command, pattern, nearest(pattern, names)))
}

// nested says which modules below the source patterns such as ./... do not reach.
func nested(s *assay.Study) []string {
	below := source.ModulesBelow(source.Dir(s.Dir, s.Source))
	if len(below) == 0 || !strings.Contains(packages(s), "...") {
		return nil
	}
	return []string{fmt.Sprintf("%s does not reach the modules below: %s", packages(s), printable.Few(below, someNames))}
}

// CheckSources returns an error if the benchmark functions in a study's sources, found
// without a build in pkgs packages, are certainly not those that it measures: there are
// none, or none matches. names are without "Benchmark"; command is the line of the study.
func CheckSources(s *assay.Study, command string, names []string, pkgs int) error {
	for i, w := range s.Workloads {
		matches := testfile.Matcher(patternOf(s, i))
		if w.IsProgram() || slices.ContainsFunc(names, func(name string) bool { return matches(assay.BenchmarkFunction(name)) }) {
			return nil
		}
	}
	if pkgs == 0 {
		return nothing("no package with benchmarks in "+packages(s), nested(s), "")
	}
	return noMatch(s, command, names, pkgs)
}

func nothing(text string, facts []string, try string) error {
	return assay.NewError(assay.ExitBuild, assay.CodeNoBenchmarks, text, facts, try)
}

// noneInBase returns the error for a base without a matching benchmark. The benchmark is
// probably new in a variant, like the code that it measures.
func (s *surveyor) noneInBase(ctx context.Context, base assay.Variant, listed map[string][]artifactListing) error {
	if ws := skippedWarnings(s.Study, map[string][]artifactListing{base.Name: listed[base.Name]}); len(ws) > 0 {
		return &assay.Error{Warning: ws[0], Exit: assay.ExitBuild}
	}
	for _, v := range s.Study.Variants {
		var names []string
		var bs []assay.PlannedBenchmark
		for _, f := range listed[v.Name] {
			names = append(names, f.Names...)
			bs = append(bs, assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: f.artifact.Package}, Workload: f.artifact.Workload})
		}
		if len(names) == 0 {
			continue
		}
		text := fmt.Sprintf("%s %s in %s and not in %s", printable.Few(names, someNames), are(len(names)), assay.InWords(v.Name), assay.InWords(base.Name))
		var facts []string
		try := s.overlay(ctx, bs, v, base)
		if try != "" {
			facts = []string{fmt.Sprintf("--overlay measures the benchmarks of %s in every variant", assay.InWords(v.Name))}
		}
		return nothing(text, facts, try)
	}
	return s.noBenchmarks(ctx, base)
}

// overlay returns the command that lays the benchmarks of v over all variants, since
// lacks does not have bs. It is "" if that would not help: both have one source, there is an
// overlay, or a variant does not build with these benchmarks.
func (s *surveyor) overlay(ctx context.Context, bs []assay.PlannedBenchmark, v, lacks assay.Variant) string {
	src := s.Study.Source
	tree := cmp.Or(v.Rev, v.Module, ".")
	if src.Overlay+src.BenchmarksFrom+src.Suite != "" || v.Rev == lacks.Rev && v.Module == lacks.Module || !s.buildsWith(ctx, tree, bs) {
		return ""
	}
	if rest, ok := strings.CutPrefix(s.Command, "assay compare "); ok {
		return "assay compare --overlay " + shell.Quote(tree) + " " + rest
	}
	return fmt.Sprintf("[source] benchmarks_from = %q", tree)
}

// buildsWith reports whether the packages of benchmarks build in every variant with the
// benchmarks of a tree. Their code may need what other variants do not have.
func (s *surveyor) buildsWith(ctx context.Context, tree string, bs []assay.PlannedBenchmark) bool {
	study := *s.Study
	study.Source.BenchmarksFrom = tree
	study.Workloads = slices.Clone(study.Workloads)
	packages := map[int][]string{}
	for _, b := range bs {
		if !slices.Contains(packages[b.Workload], b.Package) {
			packages[b.Workload] = append(packages[b.Workload], b.Package)
		}
	}
	for workload, pkgs := range packages {
		for _, pkg := range pkgs { // one by one: among others a package that does not build is no error
			study.Workloads[workload].Packages = []string{pkg}
			for _, v := range study.Variants {
				if _, err := s.Builds.Builder.Build(ctx, lab.BuildRequest{Study: &study, Workload: workload, Variant: v, Dry: true}); err != nil {
					return false
				}
			}
		}
	}
	return true
}

// noneLeft returns the error if no benchmark is in all variants, or none runs.
func (s *surveyor) noneLeft(ws []assay.Warning) error {
	if i := slices.IndexFunc(ws, func(w assay.Warning) bool { return w.Code == assay.CodeBenchmarkSetsDiffer }); i >= 0 {
		return nothing("no benchmark is in every variant", facts(ws), cmp.Or(ws[i].Try, ws[i].Advice))
	}
	if i := slices.IndexFunc(ws, func(w assay.Warning) bool { return w.Code == assay.CodeSkipped }); i >= 0 {
		return &assay.Error{Warning: ws[i], Exit: assay.ExitBuild}
	}
	return allFailed(ws, "every benchmark failed in some variant")
}

// allFailed returns the error of a study all of whose benchmarks failed: the failure itself
// if there is one, else text and all that the warnings say.
func allFailed(ws []assay.Warning, text string) error {
	failed := slices.DeleteFunc(slices.Clone(ws), func(w assay.Warning) bool { return w.Code != assay.CodeBenchFailed })
	if len(failed) == 1 {
		return &assay.Error{Warning: failed[0], Exit: assay.ExitBuild}
	}
	return assay.NewError(assay.ExitBuild, assay.CodeBenchFailed, text, facts(ws), "")
}

// everything lists all benchmarks of a variant, whatever the study's pattern, and counts
// their packages. It includes those that fail.
func (s *surveyor) everything(ctx context.Context, v assay.Variant) (names []string, pkgs int, err error) {
	all := *s
	study := *s.Study
	study.Workloads = slices.Clone(study.Workloads)
	for i := range study.Workloads {
		study.Workloads[i].Bench = "."
	}
	all.Study = &study
	for _, a := range s.Builds.Of(v.Name) {
		l, err := all.list(ctx, v, a)
		if err != nil {
			return nil, 0, err
		}
		found := l.Names
		for name := range l.Failed {
			found = append(found, name)
		}
		if len(found) > 0 {
			pkgs++
		}
		names = append(names, found...)
	}
	return names, pkgs, nil
}

// nearest returns the name that the author of the pattern may have meant, with or without
// its sub-benchmarks, or "." which matches all.
func nearest(pattern string, names []string) string {
	known := slices.Clone(names)
	for _, n := range names {
		if top, _, ok := strings.Cut(n, "/"); ok && !slices.Contains(known, top) {
			known = append(known, top)
		}
	}
	word := strings.TrimPrefix(strings.Trim(pattern, "^$"), "Benchmark")
	return cmp.Or(printable.NearestName(word, known), ".")
}

// withPattern returns the command, or the line of a study file, with the right pattern.
func withPattern(command, pattern, right string) string {
	if wrong := "-bench=" + pattern; strings.Contains(command, wrong) {
		return strings.Replace(command, wrong, "-bench="+right, 1)
	}
	return fmt.Sprintf("-bench=%s, in a study file bench = %q", right, right)
}

// packages returns the study's package patterns.
func packages(s *assay.Study) string {
	var all []string
	for _, w := range s.Workloads {
		all = append(all, w.Packages...)
	}
	if len(all) == 0 {
		return "."
	}
	return printable.Few(all, someNames)
}

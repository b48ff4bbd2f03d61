package milestone

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/seed-1318a441/assay"
)

// maxListed is the maximum number of steps in a study. A hundred builds take an
// afternoon. More are a typing error, or a question for assay bisect.
const maxListed = 200

// Expand makes the variants and steps of a study whose steps are a range of commits,
// given oldest first: those after FROM up to TO. The base is the study's own, or else
// FROM. Every step is built and run like the base, at its own commit. A study without a
// range, or with a listed one, stays as it is. If the range is empty or too long, the
// error is an *assay.Error with the code "steps" and exit status 2.
func Expand(s *assay.Study, commits []assay.Commit) error {
	return expand(s, commits, func(c assay.Commit) point {
		return point{subject: c.Subject, hash: c.Hash, rev: c.Hash}
	}, func(from string) point { return point{subject: shortRev(from), rev: from} })
}

// ExpandVersions is Expand for a range of versions of Steps.Module, given in order: those
// after FROM up to TO.
func ExpandVersions(s *assay.Study, versions []string) error {
	released := func(version string) point {
		return point{subject: version, module: s.Steps.Module + "@" + version}
	}
	return expand(s, versions, released, released)
}

// A point of a range is what names a step and what it is built from.
type point struct{ subject, hash, rev, module string }

// expand makes the steps of items; start is the point before the first.
func expand[T any](s *assay.Study, items []T, at func(T) point, start func(from string) point) error {
	if !s.Unlisted() {
		return nil
	}
	kept := everyNth(items, s.Steps.Every)
	if err := checkCount(s, len(kept), len(items)); err != nil {
		return err
	}
	from, _, _ := strings.Cut(s.Steps.Range, "..")
	base := baseOf(s, start(from))
	s.Variants = []assay.Variant{base}
	taken := map[string]bool{base.Name: true}
	for _, item := range kept {
		p, v := at(item), base
		// A range has no settings, and a chain with different settings would compare two
		// things at once.
		v.Build, v.Env, v.Secrets = maps.Clone(base.Build), maps.Clone(base.Env), maps.Clone(base.Secrets)
		v.Name, v.Rev, v.Module = Name(p.subject, p.hash, taken), p.rev, p.module
		taken[v.Name] = true
		s.Variants = append(s.Variants, v)
		s.Steps.List = append(s.Steps.List, assay.Step{Variant: v.Name})
	}
	s.SetDefaults()
	return nil
}

// everyNth keeps each every-th item, counted from the first, and the last. When a range
// grows at its end, all but the last stay the same.
func everyNth[T any](items []T, every int) []T {
	if every <= 1 {
		return items
	}
	var kept []T
	for i, item := range items {
		if (i+1)%every == 0 || i == len(items)-1 {
			kept = append(kept, item)
		}
	}
	return kept
}

// checkCount checks the number of kept steps, out of all.
func checkCount(s *assay.Study, kept, all int) error {
	what := "commits"
	if s.Steps.Module != "" {
		what = "versions of " + s.Steps.Module
	}
	w := assay.Warning{Code: assay.CodeSteps}
	switch {
	case kept == 0:
		w.Text = fmt.Sprintf("range %q has no %s", s.Steps.Range, what)
		w.Facts = []string{"a range has what comes after its first end, up to the second"}
		if s.Steps.Module == "" {
			w.Facts = []string{"a range has the commits after its first end up to the second, by first parents"}
			w.Try = "git log --first-parent --oneline " + s.Steps.Range
		}
		if s.Steps.Touching != "" {
			w.Text += fmt.Sprintf(" that change something in %q", s.Steps.Touching)
		}
	case kept > maxListed:
		w.Text = fmt.Sprintf("range %q has %d %s; at most %d can be steps", s.Steps.Range, all, what, maxListed)
		w.Advice = fmt.Sprintf("every = %d in [steps]", (all+maxListed-1)/maxListed)
	default:
		return nil
	}
	return &assay.Error{Warning: w, Exit: assay.ExitUsage}
}

// baseOf returns the study's base, or else the start of the range, under the study's name
// for the base.
func baseOf(s *assay.Study, start point) assay.Variant {
	if len(s.Variants) > 0 {
		return s.Variants[0]
	}
	return assay.Variant{Name: cmp.Or(s.Base, Name(start.subject, "", nil)), Rev: start.rev, Module: start.module}
}

// Rename names steps that have only their revision as name after the subject of its
// commit; subjects has it by the variant's current name. A revision that is a version,
// such as v2.3.1, is a better name than its subject and stays.
func Rename(s *assay.Study, subjects map[string]string) {
	if s.Steps == nil {
		return
	}
	for i := range s.Steps.List {
		step := &s.Steps.List[i]
		subject := subjects[step.Variant]
		at := slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Name == step.Variant && v.Name != s.Base })
		if at < 0 || cleanSubject(subject) == "" || !Unnamed(s.Variants[at]) {
			continue
		}
		v := &s.Variants[at]
		taken := map[string]bool{}
		for _, other := range s.Variants {
			taken[other.Name] = other.Name != v.Name
		}
		v.Name = Name(subject, v.Rev, taken)
		step.Variant = v.Name
	}
}

// Unnamed reports whether the name of a variant is the one that package spec derives from
// its revision.
func Unnamed(v assay.Variant) bool {
	return v.Rev != "" && v.Name == shortRev(v.Rev) && !semver.IsValid(v.Rev)
}

package session

import (
	"context"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/milestone"
	"github.com/seed-1318a441/assay/internal/source"
)

// listSteps makes steps of the commits or versions of a range. Steps with only a revision
// get the subject of their commit as name.
func listSteps(ctx context.Context, s *assay.Study) error {
	if s.Steps == nil {
		return nil
	}
	switch {
	case !s.Unlisted():
		return nameSteps(ctx, s)
	case s.Steps.Module != "":
		versions, err := build.New("").Versions(ctx, s.Dir, s.Source, s.Steps.Module, s.Steps.Range)
		if err != nil {
			return err
		}
		return milestone.ExpandVersions(s, versions)
	}
	commits, err := source.Commits(ctx, source.Dir(s.Dir, s.Source), s.Steps.Range, s.Steps.Touching)
	if err != nil {
		return err
	}
	return milestone.Expand(s, commits)
}

// nameSteps names steps without a name by the subjects of their commits.
func nameSteps(ctx context.Context, s *assay.Study) error {
	var names, revs []string
	for _, v := range s.Variants {
		if milestone.Unnamed(v) {
			names, revs = append(names, v.Name), append(revs, v.Rev)
		}
	}
	if len(revs) == 0 {
		return nil
	}
	commits, err := source.Subjects(ctx, source.Dir(s.Dir, s.Source), revs)
	if err != nil {
		return err
	}
	subjects := map[string]string{}
	for i, c := range commits {
		subjects[names[i]] = c.Subject
	}
	milestone.Rename(s, subjects)
	return nil
}

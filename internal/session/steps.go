package session

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/milestone"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/spec"
)

// readFiles reads what a study keeps in files beside it: the stories of steps,
// the introduction. Links that lead out of the study's folder are not followed.
func readFiles(s *assay.Study) error {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return fmt.Errorf("open the study's folder: %w", err)
	}
	return errors.Join(spec.Files(s, root.FS()), root.Close())
}

// listSteps makes steps of the commits or versions of a range, and calls those
// that have only a revision by the subject of their commit.
func listSteps(ctx context.Context, s *assay.Study) error {
	if s.Steps == nil {
		return nil
	}
	b := build.New("")
	switch {
	case !s.Unlisted():
		return nameSteps(ctx, b, s)
	case s.Steps.Module != "":
		versions, err := b.Versions(ctx, s.Dir, s.Source, s.Steps.Module, s.Steps.Range)
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

// nameSteps calls steps by the subjects of their commits where their authors
// did not name them.
func nameSteps(ctx context.Context, b *build.Builder, s *assay.Study) error {
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

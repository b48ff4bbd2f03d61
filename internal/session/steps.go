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

// readFiles reads the files of a study: the stories of steps, the introduction. It does
// not follow links out of the study's folder.
func readFiles(s *assay.Study) error {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return fmt.Errorf("open the study's folder: %w", err)
	}
	return errors.Join(spec.Files(s, root.FS()), root.Close())
}

// listSteps makes steps of the commits or versions of a range. Steps with only a revision
// get the subject of their commit as name.
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

// nameSteps names steps without a name by the subjects of their commits.
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

package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/search"
	"github.com/seed-1318a441/assay/internal/source"
)

// ReadHistory lists what lies between both ends.
func ReadHistory(ctx context.Context, s *assay.Study, touching string) (h search.History, err error) {
	b := build.New("")
	good, bad := s.Variants[0], s.Variants[1]
	h.Touching = touching
	if good.Module != "" {
		path, from, _ := strings.Cut(good.Module, "@")
		_, to, _ := strings.Cut(bad.Module, "@")
		versions, err := b.Versions(ctx, s.Dir, s.Source, path, from+".."+to)
		if err != nil {
			return h, err
		}
		h.Versions, h.Good = true, assay.Commit{Hash: from}
		for _, v := range versions {
			h.Commits = append(h.Commits, assay.Commit{Hash: v})
		}
	} else {
		first, err := source.Subjects(ctx, s.Dir, []string{good.Rev})
		if err != nil {
			return h, err
		}
		h.Good = first[0]
		if h.Commits, err = source.Commits(ctx, s.Dir, good.Rev+".."+bad.Rev, touching); err != nil {
			return h, err
		}
	}
	if len(h.Commits) == 0 {
		text := fmt.Sprintf("no commit lies between %s and %s", good.Name, bad.Name)
		if touching != "" {
			text += " that touches " + touching
		}
		return h, assay.UsageError(assay.CodeBisect, text, "assay bisect OLDER NEWER: the revision without the change first")
	}
	return h, nil
}

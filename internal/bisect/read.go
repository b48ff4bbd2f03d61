package bisect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/source"
)

// ReadHistory lists what lies between both ends.
func ReadHistory(ctx context.Context, s *assay.Study, touching string) (h History, err error) {
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
		return h, assay.UsageError(assay.CodeBisect, text, "the revision without the change first, then the one with it")
	}
	return h, nil
}

// Budget is the time from the start of a search for a commit to its answer, unless the user
// says otherwise. confidence is shared among all measurements.
const (
	Budget     = 20 * time.Minute
	confidence = 0.95
)

// ReadEnds makes the study of a bisection: the comparison of its two ends.
func ReadEnds(ctx context.Context, line session.Line) (*assay.Study, error) {
	ends := line.Variants
	if len(ends) != 2 {
		return nil, assay.UsageError(assay.CodeBisect, fmt.Sprintf("bisect takes two revisions, GOOD and BAD, and %d are named", len(ends)), "assay bisect HEAD~20 HEAD -- -bench=.")
	}
	s, err := session.ReadLine(ctx, line)
	if err != nil {
		return nil, err
	}
	good, bad := s.Variants[0], s.Variants[1]
	goodModule, _, _ := strings.Cut(good.Module, "@")
	badModule, _, _ := strings.Cut(bad.Module, "@")
	like := bad
	like.Rev, like.Module = good.Rev, good.Module
	switch {
	case good.Rev == "" && good.Module == "", bad.Rev == "" && bad.Module == "", (good.Rev == "") != (bad.Rev == ""), goodModule != badModule:
		return nil, assay.UsageError(assay.CodeBisect, fmt.Sprintf("%s and %s are not two revisions, nor two versions of a module", shell.Join(ends[:1]), shell.Join(ends[1:])), "git log --oneline   lists what there is; a change that is not committed has no history")
	case !good.SameBuild(like) || !good.SameRun(like):
		return nil, assay.UsageError(assay.CodeBisect, "GOOD and BAD differ in more than the revision", "assay compare "+shell.Join(ends))
	}
	s.Decide.Budget, s.Decide.Confidence = Budget, confidence
	return s, nil
}

package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/search"
	"github.com/seed-1318a441/assay/internal/source"
)

// A History is what a bisection searches: the commits after good, the last of which is
// bad. Versions of a module are commits with the version as their hash.
type History struct {
	good     assay.Commit
	commits  []assay.Commit
	touching string
	versions bool
}

// ReadHistory lists the commits or versions between both ends.
func ReadHistory(ctx context.Context, s *assay.Study, touching string) (h History, err error) {
	b := build.New("")
	good, bad := s.Variants[0], s.Variants[1]
	h.touching = touching
	if good.Module != "" {
		path, from, _ := strings.Cut(good.Module, "@")
		_, to, _ := strings.Cut(bad.Module, "@")
		versions, err := b.Versions(ctx, s.Dir, s.Source, path, from+".."+to)
		if err != nil {
			return h, err
		}
		h.versions, h.good = true, assay.Commit{Hash: from}
		for _, v := range versions {
			h.commits = append(h.commits, assay.Commit{Hash: v})
		}
	} else {
		first, err := source.Subjects(ctx, s.Dir, []string{good.Rev})
		if err != nil {
			return h, err
		}
		h.good = first[0]
		if h.commits, err = source.Commits(ctx, s.Dir, good.Rev+".."+bad.Rev, touching); err != nil {
			return h, err
		}
	}
	if len(h.commits) == 0 {
		text := fmt.Sprintf("no commit lies between %s and %s", good.Name, bad.Name)
		if touching != "" {
			text += " that touches " + touching
		}
		return h, assay.UsageError(assay.CodeBisect, text, "assay bisect OLDER NEWER: the revision without the change first")
	}
	return h, nil
}

func (h History) at(i int) assay.Commit {
	if i == search.BeforeFirst {
		return h.good
	}
	return h.commits[i]
}

// short returns the short name of a commit.
func (h History) short(i int) string {
	if c := h.at(i); !h.versions {
		return c.Hash[:min(9, len(c.Hash))]
	}
	return h.at(i).Hash
}

// parent returns the revision that a culprit is compared with. If commits were excluded
// it is the real parent, so that the culprit is not blamed for their changes.
func (h History) parent(ask search.Ask) string {
	if h.touching != "" && ask.Index-ask.Good == 1 {
		return h.at(ask.Index).Hash + "^"
	}
	return h.at(ask.Good).Hash
}

// question returns a key of a bisection: the study, the commits and the machine.
func (h History) question(s *assay.Study, platform, command string) (search.Question, error) {
	fixed := search.Ask{Kind: search.AskEnds, Alpha: s.Decide.Alpha()}.Study(s, search.VariantBad, h.at(len(h.commits)-1).Hash, h.good.Hash, "")
	data, err := json.Marshal([]any{"bisect", design.StudyHash(fixed), h.good.Hash, h.commits, h.touching, platform, s.Decide.Budget})
	if err != nil {
		return search.Question{}, fmt.Errorf("name the bisection: %w", err)
	}
	sum := sha256.Sum256(data)
	return search.Question{Hash: hex.EncodeToString(sum[:]), Command: command, Good: h.good, Bad: h.at(len(h.commits) - 1), Commits: len(h.commits)}, nil
}

// Noun says what the history consists of.
func (h History) Noun() string {
	if h.versions {
		return "version"
	}
	return "commit"
}

// Named returns a commit with its subject.
func (h History) Named(c assay.Commit) string {
	hash := c.Hash
	if !h.versions {
		hash = hash[:min(9, len(hash))]
	}
	return strings.TrimSpace(hash + " " + printable.Brief(c.Subject))
}

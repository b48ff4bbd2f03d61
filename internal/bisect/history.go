package bisect

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A History is what a bisection searches: the commits after Good, the last of
// which is bad. Versions of a module are commits whose hash is the version.
type History struct {
	Good    assay.Commit
	Commits []assay.Commit
	// Touching is the path that the commits changed, "" where none was asked for.
	Touching string
	// Versions says that these are versions of a module.
	Versions bool
}

// At returns the commit of an index.
func (h History) At(i int) assay.Commit {
	if i == BeforeFirst {
		return h.Good
	}
	return h.Commits[i]
}

// Short returns the short name of a commit.
func (h History) Short(i int) string {
	if c := h.At(i); !h.Versions {
		return c.Hash[:min(9, len(c.Hash))]
	}
	return h.At(i).Hash
}

// Parent returns the revision that a culprit is compared with. If commits were excluded
// it is the real parent, so that the culprit is not blamed for their changes.
func (h History) Parent(ask Ask) string {
	if h.Touching != "" && ask.Index-ask.Good == 1 {
		return h.At(ask.Index).Hash + "^"
	}
	return h.At(ask.Good).Hash
}

// Question returns the key of a bisection: the study, the commits and the machine. A larger
// budget continues the same search.
func (h History) Question(s *assay.Study, platform, command string) (Question, error) {
	fixed := Ask{Kind: AskEnds, Alpha: s.Decide.Alpha()}.Study(s, VariantBad, h.At(len(h.Commits)-1).Hash, h.Good.Hash, "")
	q, err := NewQuestion(command, "bisect", design.StudyHash(fixed), h.Good.Hash, h.Commits, h.Touching, platform)
	q.Good, q.Bad, q.Commits = h.Good, h.At(len(h.Commits)-1), len(h.Commits)
	return q, err
}

// Noun says what the history consists of.
func (h History) Noun() string {
	if h.Versions {
		return "version"
	}
	return "commit"
}

// Named returns a commit with its subject.
func (h History) Named(c assay.Commit) string {
	hash := c.Hash
	if !h.Versions {
		hash = hash[:min(9, len(hash))]
	}
	return strings.TrimSpace(hash + " " + printable.Brief(c.Subject))
}

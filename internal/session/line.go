package session

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/search"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec/cmdline"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Line is a question as a command line asks it.
type Line struct {
	cmdline.Line
	// Filter is --filter, which chooses from files of results.
	Filter string
}

// ReadLine makes the study that a line means in the current folder.
func ReadLine(ctx context.Context, line Line) (*assay.Study, error) {
	if line.Filter != "" {
		return nil, assay.UsageError(assay.CodeFlags, "--filter selects rows of result files; -bench selects what to measure", "assay compare "+shell.Join(line.Variants)+" -- -bench=PATTERN")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, assay.NewError(assay.ExitRefused, assay.CodeNoFolder, "the folder that this shell is in is not there any more", []string{printable.OneLine(err)}, "cd ~")
	}
	s, err := cmdline.Parse(cmdline.Env{
		Dir:        dir,
		IsRevision: func(w string) bool { return IsRevision(ctx, w) },
		Revisions: func() []string {
			return append([]string{"HEAD"}, strings.Fields(git(ctx, dir, "for-each-ref", "--format=%(refname:short)"))...)
		},
		IsShallow: func() bool { return git(ctx, dir, "rev-parse", "--is-shallow-repository") == "true" },
	}, line.Line)
	if err != nil {
		return nil, err
	}
	s.Dir, s.Name = dir, cmp.Or(s.Name, filepath.Base(dir))
	return s, nil
}

// IsRevision reports whether a word is a revision of the repository here.
func IsRevision(ctx context.Context, word string) bool {
	return git(ctx, "", "rev-parse", "--verify", "--quiet", "--end-of-options", word+"^{commit}") != ""
}

// git returns what a git command prints, "" outside a repository.
func git(ctx context.Context, dir string, args ...string) string {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Known lists what a variant may name: the toolchains that need no download, and the
// branches and tags of the repository here, the newest first.
func Known(ctx context.Context) (toolchains, revisions []string) {
	refs := git(ctx, "", "for-each-ref", "--count=50", "--sort=-creatordate", "--format=%(refname:short)", "refs/heads", "refs/tags")
	return toolchain.Versions(ctx), strings.Fields(refs)
}

// A bisection makes several comparisons. BisectBudget is the budget of each unless the
// user says otherwise, and bisectConfidence is shared among them.
const (
	BisectBudget     = 5 * time.Minute
	bisectConfidence = 0.95
)

// ReadEnds makes the study of a bisection: the comparison of its two ends.
func ReadEnds(ctx context.Context, line Line) (*assay.Study, error) {
	ends := line.Variants
	if len(ends) != 2 {
		return nil, assay.UsageError(assay.CodeBisect, fmt.Sprintf("bisect takes two revisions, GOOD and BAD, and %d are named", len(ends)), "assay bisect HEAD~20 HEAD -- -bench=PATTERN")
	}
	s, err := ReadLine(ctx, line)
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
		return nil, assay.UsageError(assay.CodeBisect, fmt.Sprintf("%s and %s are not two revisions, nor two versions of a module", shell.Join(ends[:1]), shell.Join(ends[1:])), "git log --oneline, for what there is; a change that is not committed has no history")
	case !good.SameBuild(like) || !good.SameRun(like):
		return nil, assay.UsageError(assay.CodeBisect, "GOOD and BAD differ in more than the revision", "assay compare "+shell.Join(ends))
	}
	s.Decide.Budget, s.Decide.Confidence = BisectBudget, bisectConfidence
	return s, nil
}

// ReadKnob makes the job of a knob's bisection: the study of its one variant.
func ReadKnob(ctx context.Context, line Line, key, scope string) (*KnobJob, error) {
	if len(line.Variants) != 1 {
		return nil, assay.UsageError(assay.CodeBisectKnob, fmt.Sprintf("--knob takes one variant, and %d are named", len(line.Variants)), "assay bisect --knob="+key+" . -- -bench=PATTERN")
	}
	base := line.Variants[0]
	line.Variants = []string{search.VariantOff + ": " + base, search.VariantOn + ": " + base}
	s, err := ReadLine(ctx, line)
	if err != nil {
		return nil, err
	}
	s.Variants = s.Variants[:1]
	s.Decide.Budget, s.Decide.Confidence = BisectBudget, bisectConfidence
	return &KnobJob{Knob: search.Knob{Key: strings.TrimSuffix(key, "hash"), Scope: scope}, Study: s, Dir: s.Dir, Base: base}, nil
}

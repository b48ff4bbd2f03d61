package source

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	// maxCommits is the number of commits that a range may have.
	maxCommits = 10_000
	// maxSubject is the number of characters kept of a commit's subject.
	maxSubject = 200
)

// Commits lists the commits of a range "A..B", oldest first: those after A up to B, by
// first parents; an empty B is HEAD. With touching it keeps those that changed something
// in that path, relative to dir, the absolute folder of the module. Revisions, and errors
// about unknown ones, are as in a variant. A range without a way from A to B, or with
// more than 10,000 commits, is an *assay.Error with exit status 2 [steps].
func Commits(ctx context.Context, dir, rng, touching string) ([]assay.Commit, error) {
	from, to, ok := strings.Cut(rng, "..")
	if !ok || from == "" || strings.HasPrefix(to, ".") {
		return nil, badRange(rng)
	}
	if to == "" {
		to = "HEAD"
	}
	first, err := resolveCommit(ctx, dir, from)
	if err != nil {
		return nil, err
	}
	last, err := resolveCommit(ctx, dir, to)
	if err != nil {
		return nil, err
	}
	if err := connected(ctx, dir, from, to, first, last); err != nil {
		return nil, err
	}
	args := []string{"--first-parent", "--reverse", fmt.Sprint("--max-count=", maxCommits+1), first + ".." + last, "--"}
	if touching != "" {
		args = append(args, touching)
	}
	list, err := readCommits(ctx, dir, args...)
	if err != nil {
		return nil, fmt.Errorf("list commits of %s: %w", rng, err)
	}
	if len(list) > maxCommits {
		return nil, assay.UsageError(assay.CodeSteps, fmt.Sprintf("range %q has more than %d commits", rng, maxCommits), "a range that begins later")
	}
	return list, nil
}

func badRange(rng string) error {
	return assay.UsageError(assay.CodeSteps, fmt.Sprintf("range %q is not written FROM..TO", rng), `range = "v1.0.0..v1.1.0", or "v1.0.0.." up to where you are`)
}

// connected checks that from, which is the commit first, is an ancestor of to.
func connected(ctx context.Context, dir, from, to, first, last string) error {
	if first == last || ancestor(ctx, dir, first, last) {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	text := fmt.Sprintf("there is no way from %q to %q: the first is no ancestor of the second", from, to)
	var facts []string
	try := ""
	depth, shallow := shallowDepth(ctx, dir)
	base, err := git(ctx, dir, nil, "merge-base", first, last)
	switch {
	case ancestor(ctx, dir, last, first):
		facts, try = []string{"it is the other way round"}, tryRange(to, from)
	case shallow:
		facts = []string{"this clone is shallow (depth " + depth + "), as in CI by default: its history is cut off before it reaches " + fmt.Sprintf("%q", from)}
		try = "git fetch --unshallow   " + inCheckout
	case err == nil && base != "":
		facts, try = []string{"they have parted at " + base[:min(12, len(base))]}, tryRange(base[:min(12, len(base))], to)
	}
	return assay.NewError(assay.ExitUsage, assay.CodeSteps, text, facts, try)
}

// tryRange returns a range as written in a study.
func tryRange(from, to string) string { return fmt.Sprintf("range = %q", from+".."+to) }

func ancestor(ctx context.Context, dir, old, young string) bool {
	_, err := git(ctx, dir, nil, "merge-base", "--is-ancestor", old, young)
	return err == nil
}

// Subjects resolves each revision to its commit, in the order given. The error of an
// unknown one is that of a variant. dir is absolute.
func Subjects(ctx context.Context, dir string, revs []string) ([]assay.Commit, error) {
	hashes := make([]string, len(revs))
	for i, r := range revs {
		var err error
		if hashes[i], err = resolveCommit(ctx, dir, r); err != nil {
			return nil, err
		}
	}
	known := map[string]assay.Commit{}
	unique := slices.Compact(slices.Sorted(slices.Values(hashes)))
	// In parts, for a command line has an end: on Windows after 32,767 characters.
	for part := range slices.Chunk(unique, 500) {
		list, err := readCommits(ctx, dir, append(append([]string{"--no-walk=unsorted"}, part...), "--")...)
		if err != nil {
			return nil, fmt.Errorf("read commits: %w", err)
		}
		for _, c := range list {
			known[c.Hash] = c
		}
	}
	out := make([]assay.Commit, len(revs))
	for i, h := range hashes {
		c, ok := known[h]
		if !ok {
			return nil, fmt.Errorf("read commit %.12s of %q: git log does not list it", h, revs[i])
		}
		out[i] = c
	}
	return out, nil
}

var fullHash = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// readCommits runs git log with args. A message is untrusted and may have any size:
// fields end with a zero byte, which no message contains, and the rest of long ones is
// dropped as it comes.
func readCommits(ctx context.Context, dir string, args ...string) ([]assay.Commit, error) {
	// The user's settings must not add to the output; nor is touching a pattern.
	set := []string{"--literal-pathspecs", "-c", "log.showSignature=false", "-c", "log.follow=false", "log", "-z", "--no-color", "--no-patch",
		"--encoding=UTF-8", "--format=tformat:%H%x00%P%x00%s"}
	var fields zeroFields
	if err := gitTo(ctx, dir, nil, &fields, append(set, args...)...); err != nil {
		return nil, err
	}
	var out []assay.Commit
	for f := range slices.Chunk(fields.all, 3) {
		if len(f) != 3 || !fullHash.MatchString(f[0]) {
			return nil, fmt.Errorf("read output of git log: no commit in %.80q", f)
		}
		out = append(out, assay.Commit{Hash: f[0], Parents: len(strings.Fields(f[1])), Subject: printable.Short(f[2], maxSubject)})
	}
	return out, nil
}

// zeroFields collects the fields written to it, each ended by a zero byte, and keeps the
// first maxField bytes of each.
type zeroFields struct {
	all  []string
	last []byte
}

const maxField = 16 << 10

func (z *zeroFields) Write(p []byte) (int, error) {
	for _, c := range p {
		switch {
		case c == 0:
			z.all = append(z.all, string(z.last))
			z.last = z.last[:0]
		case len(z.last) < maxField:
			z.last = append(z.last, c)
		}
	}
	return len(p), nil
}

package source

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// What git prints of a name that it does not know, and of a folder without a repository.
const (
	noSuchName   = "fatal: Needed a single revision"
	noRepository = "fatal: not a git repository (or any"
)

// Unavailable says why a revision that may well exist cannot be had in a folder: git does
// not read the repository [git-refused]; it has no commit, is a shallow clone, or has the
// branch of a remote only [unknown-revision]. After the command of the error, if it has one,
// the revision is called right, if that is not "". The error is nil where git knows the
// revision, there is no repository, or the name is simply none.
func Unavailable(ctx context.Context, dir, rev string) (e *assay.Error, right string) {
	_, err := git(ctx, dir, nil, "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	if err == nil || ctx.Err() != nil {
		return nil, ""
	}
	said := err.Error()
	if _, err := git(ctx, dir, nil, "rev-parse", "--git-dir"); err != nil {
		said = err.Error()
	}
	switch last := printable.LastLine(said); {
	case strings.Contains(said, noRepository):
		return nil, ""
	case errors.Is(err, exec.ErrNotFound):
		return assay.UsageError(assay.CodeGitRefused, fmt.Sprintf("revision %q: the program git is not on the PATH", rev), ""), ""
	case !strings.HasSuffix(last, noSuchName):
		return refused(dir, said), ""
	}
	return lacking(ctx, dir, rev)
}

// exception matches the command that git itself suggests for a repository of another user.
var exception = regexp.MustCompile(`git config --global --add safe\.directory \S.*`)

// refused returns the error for a repository that git does not read, from what git said.
func refused(dir, said string) *assay.Error {
	if i := strings.Index(said, "dubious ownership"); i >= 0 {
		text := fmt.Sprintf("git refuses the repository of %s: it belongs to another user (dubious ownership)", disk.Tilde(dir))
		return assay.NewError(assay.ExitUsage, assay.CodeGitRefused, text,
			[]string{"if you trust it, tell git so; containers and CI often check out as another user"}, printable.Line(exception.FindString(said), 0))
	}
	text, try := fmt.Sprintf("git cannot read the repository of %s", disk.Tilde(dir)), ""
	if strings.Contains(said, "corrupt") {
		text, try = fmt.Sprintf("the git repository of %s is damaged", disk.Tilde(dir)), "git fsck"
	}
	said = said[max(0, strings.LastIndex(said, "fatal: ")):] // without the exit status
	return assay.NewError(assay.ExitUsage, assay.CodeGitRefused, text, []string{printable.LastLine(said)}, try)
}

// lacking is Unavailable for a repository that can be read and does not know the name.
func lacking(ctx context.Context, dir, rev string) (*assay.Error, string) {
	e := assay.UsageError(assay.CodeUnknownRevision, fmt.Sprintf("unknown revision %q in %s", rev, disk.Tilde(dir)), "")
	if first, err := git(ctx, dir, nil, "rev-list", "-n1", "--all"); err == nil && first == "" && !IsRevision(ctx, dir, "HEAD") {
		e.Facts, e.Try = []string{"this git repository has no commit yet"}, "git add -A && git commit -m first"
		return e, ""
	}
	n, ok := parseName(rev)
	if !ok {
		return nil, ""
	}
	remotes := remotesOf(ctx, dir)
	for _, r := range remotes {
		if right := r + "/" + rev; IsRevision(ctx, dir, right) {
			e.Facts = []string{fmt.Sprintf("it is no branch here, but one of the remote: %q", right)}
			return e, right
		}
	}
	depth, shallow := shallowDepth(ctx, dir)
	if !shallow {
		return nil, ""
	}
	e.Facts = []string{"this clone is shallow (depth " + depth + "), as in CI by default"}
	if len(remotes) == 0 {
		e.Facts = append(e.Facts, "it has no remote to fetch more from")
		return e, ""
	}
	try, right := n.fetch(ctx, dir, remotes)
	e.Try, e.Advice = try, inCheckout
	return e, right
}

// inCheckout is what brings the whole history in GitHub's CI.
const inCheckout = "or, in actions/checkout: fetch-depth: 0"

// A name is a revision as it is written: a branch, a tag or a hash, and which ancestor.
type name struct {
	of, ancestor string
	// back is the number of generations to the ancestor, -1 where it is found otherwise.
	back int
}

var (
	nameForm = regexp.MustCompile(`^([^-~^@:?*\[\\\s][^~^@:?*\[\\\s]*|@)(.*)$`)
	upForm   = regexp.MustCompile(`[~^](\d*)`)
	tagForm  = regexp.MustCompile(`^(.+/)?v\d+\.\d`)
	hashForm = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
)

// parseName parses a revision; ok is false for a range and for what names no commit.
func parseName(rev string) (n name, ok bool) {
	m := nameForm.FindStringSubmatch(rev)
	if m == nil || strings.Contains(rev, "..") || strings.HasPrefix(m[2], ":") {
		return name{}, false
	}
	n = name{of: m[1], ancestor: m[2]}
	if upForm.ReplaceAllString(n.ancestor, "") != "" {
		n.back = -1
		return n, true
	}
	for _, up := range upForm.FindAllStringSubmatch(n.ancestor, -1) {
		steps := 1
		if up[0][0] == '~' && up[1] != "" {
			steps, _ = strconv.Atoi(up[1])
		}
		n.back += steps
	}
	return n, true
}

// fetch returns the command that fetches a revision into a shallow clone, and the name that
// the revision has then, "" if it keeps its own. What git fetches into FETCH_HEAD alone has
// no name, so branches and tags are fetched into one.
func (n name) fetch(ctx context.Context, dir string, remotes []string) (command, right string) {
	remote, branch := remotes[0], n.of
	for _, r := range remotes {
		if rest, ok := strings.CutPrefix(n.of, r+"/"); ok && rest != "" {
			remote, branch = r, rest
		}
	}
	from := shell.Quote(remote)
	hash := hashForm.MatchString(n.of)
	switch known := IsRevision(ctx, dir, n.of); {
	case n.back < 0, hash && !fullHash.MatchString(n.of), known && !isFetched(ctx, dir, remote, n.of):
		return "git fetch --unshallow " + from, ""
	case known:
		return fmt.Sprintf("git fetch --deepen=%d %s", n.back, from), ""
	}
	command = fmt.Sprintf("git fetch --depth=%d %s ", n.back+1, from)
	switch tracking := remote + "/" + branch; {
	case hash:
		return command + n.of, ""
	case branch == n.of && tagForm.MatchString(n.of):
		return command + "tag " + shell.Quote(n.of), ""
	case branch == n.of:
		right = tracking + n.ancestor
		fallthrough
	default:
		return command + shell.Quote(branch+":refs/remotes/"+tracking), right
	}
}

// isFetched reports whether a commit is in the history of a branch of the remote: only then
// does git fetch --deepen reach the history before it.
func isFetched(ctx context.Context, dir, remote, rev string) bool {
	in, err := git(ctx, dir, nil, "for-each-ref", "--count=1", "--contains="+rev, "refs/remotes/"+remote)
	return err == nil && in != ""
}

// IsRevision reports whether git knows a word as a commit, in a folder.
func IsRevision(ctx context.Context, dir, word string) bool {
	_, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", word+"^{commit}")
	return err == nil
}

// Refs lists names of commits in a folder, as git for-each-ref with options and patterns
// does: all branches and tags without any. It is empty outside a repository.
func Refs(ctx context.Context, dir string, options ...string) []string {
	refs, _ := git(ctx, dir, nil, append([]string{"for-each-ref", "--format=%(refname:short)"}, options...)...)
	return strings.Fields(refs)
}

// remotesOf lists the remotes of a repository, origin first.
func remotesOf(ctx context.Context, dir string) []string {
	out, _ := git(ctx, dir, nil, "remote")
	all := strings.Fields(out)
	if i := slices.Index(all, "origin"); i > 0 {
		all[0], all[i] = all[i], all[0]
	}
	return all
}

// shallowDepth is the number of commits in the history of a shallow clone.
func shallowDepth(ctx context.Context, dir string) (depth string, shallow bool) {
	if answer, _ := git(ctx, dir, nil, "rev-parse", "--is-shallow-repository"); answer != "true" {
		return "", false
	}
	depth, _ = git(ctx, dir, nil, "rev-list", "--count", "HEAD")
	return depth, true
}

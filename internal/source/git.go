package source

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
)

// resolveCommit returns the full hash of a revision's commit.
func resolveCommit(ctx context.Context, dir, rev string) (string, error) {
	if !disk.IsDir(dir) {
		return "", assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, fmt.Sprintf("revision %q: there is no folder %s", rev, disk.Tilde(dir)),
			[]string{"dir under [source] names the repository; a study may have to make it first"}, "")
	}
	if _, err := git(ctx, dir, nil, "rev-parse", "--git-dir"); err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		text := fmt.Sprintf("revision %q: %s is not in a git repository", rev, disk.Tilde(dir))
		return "", assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, text, []string{printable.LastLine(err.Error())}, "")
	}
	if !strings.HasPrefix(rev, "-") { // else git takes it for an option
		out, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
		if err == nil {
			return out, nil
		}
		if ctx.Err() != nil {
			return "", err
		}
	}
	return "", unknownRevision(ctx, dir, rev)
}

func unknownRevision(ctx context.Context, dir, rev string) error {
	text := fmt.Sprintf("unknown revision %q in %s", rev, disk.Tilde(dir))
	var facts []string
	try := ""
	remote := firstRemote(ctx, dir)
	switch depth, shallow := shallowDepth(ctx, dir); {
	case shallow:
		facts = []string{"this clone is shallow (depth " + depth + "), as in CI by default"}
		try = fetchHint(rev, remote)
	case remote == "":
		facts, try = []string{"it is no branch, tag or commit here"}, "git log --oneline --all -20"
	default:
		if _, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "refs/remotes/"+remote+"/"+rev); err == nil {
			try = remote + "/" + rev
		} else {
			try = "git fetch --tags " + remote
		}
		facts = []string{"it is no branch, tag or commit here"}
	}
	return assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, text, facts, try)
}

// firstRemote is the first remote of a repository, "" if there is none.
func firstRemote(ctx context.Context, dir string) string {
	remotes, _ := git(ctx, dir, nil, "remote")
	first, _, _ := strings.Cut(remotes, "\n")
	return first
}

// shallowDepth is the number of commits in the history of a shallow clone.
func shallowDepth(ctx context.Context, dir string) (depth string, shallow bool) {
	if answer, _ := git(ctx, dir, nil, "rev-parse", "--is-shallow-repository"); answer != "true" {
		return "", false
	}
	depth, _ = git(ctx, dir, nil, "rev-list", "--count", "HEAD")
	return depth, true
}

// fetchHint says how a shallow clone gets a revision. HEAD~3 cannot be fetched by name;
// it needs more depth.
func fetchHint(rev, remote string) string {
	remote = cmp.Or(remote, "origin")
	fetch := "git fetch --depth=1 " + remote + " " + rev
	if strings.ContainsAny(rev, "~^@") {
		fetch = "git fetch --unshallow " + remote
	}
	return fetch + "   or, in actions/checkout: fetch-depth: 0"
}

// TreeObject returns git's name for the tree of a commit, a hash of all its content.
func TreeObject(ctx context.Context, dir, commit string) (string, error) {
	return git(ctx, dir, nil, "rev-parse", commit+"^{tree}")
}

// git runs git in dir, without the variables that a hook sets, and returns its output
// without the last newline.
func git(ctx context.Context, dir string, extra []string, args ...string) (string, error) {
	var out bytes.Buffer
	if err := gitTo(ctx, dir, extra, &out, args...); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// gitTo is git with its output written to w.
func gitTo(ctx context.Context, dir string, extra []string, w io.Writer, args ...string) error {
	env := []string{"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"}
	for _, kv := range os.Environ() {
		switch k, _, _ := strings.Cut(kv, "="); k {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "LC_ALL", "LANG":
		default:
			env = append(env, kv)
		}
	}
	var errs bytes.Buffer
	err := process.Run(ctx, dir, append(env, extra...), w, &errs, "git", args...)
	if err != nil && errs.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return err
}

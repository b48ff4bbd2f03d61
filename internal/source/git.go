package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/shell"
)

// resolveCommit returns the full hash of a revision's commit.
func resolveCommit(ctx context.Context, dir, rev string) (string, error) {
	if !disk.IsDir(dir) {
		return "", assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, fmt.Sprintf("revision %q: there is no folder %s", rev, disk.Tilde(dir)),
			[]string{"dir under [source] names the repository; a study may have to make it first"}, "")
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

// unknownRevision returns the error for a revision of a study that git does not find.
func unknownRevision(ctx context.Context, dir, rev string) error {
	if e, right := Unavailable(ctx, dir, rev); e != nil {
		if right != "" {
			e.Advice = fmt.Sprintf("rev = %q", right)
		}
		return e
	}
	if _, err := git(ctx, dir, nil, "rev-parse", "--git-dir"); err != nil {
		text := fmt.Sprintf("revision %q: %s is not in a git repository", rev, disk.Tilde(dir))
		return assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, text, []string{printable.LastLine(err.Error())}, "")
	}
	text := fmt.Sprintf("unknown revision %q in %s", rev, disk.Tilde(dir))
	try := "git log --oneline --all -20"
	if remotes := remotesOf(ctx, dir); len(remotes) > 0 {
		try = "git fetch --tags " + shell.Quote(remotes[0])
	}
	return assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, text, []string{"it is no branch, tag or commit here"}, try)
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

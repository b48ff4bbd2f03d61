package source

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
)

// revision puts the tree of a commit into the cache and returns the subfolder that
// corresponds to dir.
//
// It is checked out with an index and a work tree outside the repository. "git worktree
// add" would write to .git, where a kill would leave it; "git archive" omits what
// export-ignore names. As in a worktree, filters and line ends apply; but there is no
// .git, so code that asks git about itself fails. Submodules are checked out if their
// commits are here, and empty otherwise.
func (f *Finder) revision(ctx context.Context, dir, rev string) (Tree, error) {
	commit, err := resolveCommit(ctx, dir, rev)
	if err != nil {
		return Tree{}, err
	}
	info, err := git(ctx, dir, nil, "rev-parse", "--absolute-git-dir", "--show-prefix")
	if err != nil {
		return Tree{}, fmt.Errorf("read repository of %s: %w", disk.Tilde(dir), err)
	}
	gitDir, prefix, _ := strings.Cut(info, "\n")
	top, _ := git(ctx, dir, nil, "rev-parse", "--show-toplevel") // a bare repository has none
	have, lacking, err := parts(ctx, gitDir, top, commit, "")
	if err != nil {
		return Tree{}, err
	}
	t, err := f.checkedOut(ctx, have, lacking)
	if err != nil {
		return Tree{}, err
	}
	t.Dir = filepath.Join(t.Root, filepath.FromSlash(strings.TrimSuffix(prefix, "/")))
	if !disk.IsDir(t.Dir) {
		text := fmt.Sprintf("revision %q has no folder %s", rev, strings.TrimSuffix(prefix, "/"))
		return Tree{}, assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, text, []string{"the folder was made or moved after that revision"}, "")
	}
	t.Work = FindWork(t.Dir, t.Root)
	return t, nil
}

// checkedOut puts the tree of a commit, the first part, into the cache. A tree without
// some submodules gets another name of the same length: paths are part of a binary.
func (f *Finder) checkedOut(ctx context.Context, have []part, lacking []Missing) (Tree, error) {
	commit := have[0].commit
	name, t := commit, Tree{Fixed: "git:" + commit, Commit: commit, Lacking: lacking}
	if len(lacking) > 0 {
		for _, l := range lacking {
			t.Fixed += "\x00" + l.Path
		}
		name = fmt.Sprintf("%x", sha256.Sum256([]byte(t.Fixed)))[:len(commit)]
		f.lacks(commit, lacking)
	}
	t.Root = filepath.Join(f.cache.Dir, "src", "git-"+name)
	_, err := f.cache.Ready(cache.Source{Dir: t.Root, What: fmt.Sprintf("revision %.12s", commit),
		Fill: func(made string) error {
			for _, p := range have {
				if err := checkout(ctx, p, made); err != nil {
					return err
				}
			}
			for _, p := range have {
				if err := os.Rename(p.index(made), p.index(t.Root)); err != nil {
					return err
				}
			}
			return nil
		},
		Check: func() (changed []string, err error) {
			for _, p := range have {
				more, err := gitChanges(ctx, p, t.Root)
				if err != nil {
					return nil, err
				}
				changed = append(changed, more...)
			}
			return changed, nil
		},
	})
	return t, err
}

// checkout checks a part out below made.
func checkout(ctx context.Context, p part, made string) error {
	dir := filepath.Join(made, filepath.FromSlash(p.path))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if _, err := git(ctx, dir, p.env(made), append(undisturbed, "read-tree", "--reset", "-u", p.commit)...); err != nil {
		return fmt.Errorf("check out %.12s: %w", p.commit, err)
	}
	return nil
}

// undisturbed are options that keep the user's settings for sparse trees, hooks and
// indexes from omitting files, running code or writing to the repository.
var undisturbed = slices.Clip([]string{"-c", "core.sparseCheckout=false", "-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.fsmonitor=false", "-c", "core.splitIndex=false", "-c", "core.untrackedCache=false",
	"-c", "core.trustctime=true", "-c", "core.checkStat=default"})

// env makes git work on a part below a folder outside the repository.
func (p part) env(tree string) []string {
	return []string{"GIT_DIR=" + p.gitDir, "GIT_WORK_TREE=" + filepath.Join(tree, filepath.FromSlash(p.path)), "GIT_INDEX_FILE=" + p.index(tree)}
}

// index returns the index of a part of a checked-out tree, beside the tree.
func (p part) index(tree string) string {
	if p.path == "" {
		return tree + ".index"
	}
	return tree + ".index-" + cache.KeyOf([]byte(p.path))
}

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
	return fetch + "    or, in actions/checkout: fetch-depth: 0"
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

// gitChanges lists the files of a part of a checked-out tree that differ from its commit
// or are not in it. Git compares, with an index beside the tree: so filters and line ends
// apply, and files unchanged since are not read. Without the index it reads all.
func gitChanges(ctx context.Context, p part, tree string) ([]string, error) {
	env, dir := p.env(tree), filepath.Join(tree, filepath.FromSlash(p.path))
	if !disk.IsDir(dir) {
		return []string{p.path}, nil
	}
	if !disk.IsFile(p.index(tree)) {
		if _, err := git(ctx, dir, env, append(undisturbed, "read-tree", p.commit)...); err != nil {
			return nil, err
		}
		// It exits with 1 where files differ, which is for diff to tell.
		_, _ = git(ctx, dir, env, append(undisturbed, "update-index", "-q", "--refresh")...)
	}
	var changed, others zeroFields
	err := gitTo(ctx, dir, env, &changed, append(undisturbed, "diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--ignore-submodules=all", p.commit, "--")...)
	if err == nil {
		err = gitTo(ctx, dir, env, &others, append(undisturbed, "ls-files", "--others", "-z")...)
	}
	for _, name := range others.all {
		if path.Base(name) != "go.work.sum" { // the go command writes that one
			changed.all = append(changed.all, name)
		}
	}
	for i, name := range changed.all {
		changed.all[i] = path.Join(p.path, name)
	}
	return changed.all, err
}

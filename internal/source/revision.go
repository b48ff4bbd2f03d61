package source

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
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
	if t.Work = FindWork(t.Dir, t.Root); t.Work == "off" {
		f.lacksWork(ctx, dir, top, rev)
	}
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

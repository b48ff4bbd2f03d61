package source

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A part is what is checked out of one repository: the tree of a commit or of one of its
// submodules.
type part struct {
	// gitDir has the objects of the commit.
	gitDir, commit string
	// path is that of the submodule, with slashes; "" for the tree itself.
	path string
}

// A Missing is a submodule whose commit is not here. Assay does not fetch it.
type Missing struct {
	// Path is that of the submodule in the tree, with slashes.
	Path, Commit string
	// top and name are the folder of its repository, "" for none, and its path there.
	top, name string
	// known is true if the submodule's repository is here, but not the commit.
	known bool
}

// parts lists the parts of a commit's tree, and the missing submodules. top is the
// working tree of gitDir, "" for none.
func parts(ctx context.Context, gitDir, top, commit, at string) (have []part, lacking []Missing, err error) {
	have = []part{{gitDir, commit, at}}
	env := []string{"GIT_DIR=" + gitDir}
	// Most trees have no submodules, and this file is how one knows.
	if _, err := git(ctx, gitDir, env, "cat-file", "-e", commit+":.gitmodules"); err != nil {
		return have, nil, context.Cause(ctx)
	}
	names, err := submoduleNames(ctx, gitDir, commit)
	if err != nil {
		return nil, nil, err
	}
	var links zeroFields
	if err := gitTo(ctx, gitDir, env, &links, "ls-tree", "-r", "-z", "--full-tree", commit); err != nil {
		return nil, nil, fmt.Errorf("list submodules of %.12s: %w", commit, err)
	}
	for _, line := range links.all {
		info, name, _ := strings.Cut(line, "\t")
		hash, isLink := strings.CutPrefix(info, "160000 commit ")
		if !isLink || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		sub, err := submoduleDir(ctx, gitDir, top, name, names[name], hash)
		switch {
		case err != nil:
			return nil, nil, err
		case sub == "" || !hasCommit(ctx, sub, hash):
			lacking = append(lacking, Missing{path.Join(at, name), hash, top, name, sub != ""})
			continue
		}
		more, gone, err := parts(ctx, sub, joinTop(top, name), hash, path.Join(at, name))
		if err != nil {
			return nil, nil, err
		}
		have, lacking = append(have, more...), append(lacking, gone...)
	}
	return have, lacking, nil
}

// submoduleNames maps the paths of a commit's submodules to their names, under which git
// keeps their repositories.
func submoduleNames(ctx context.Context, gitDir, commit string) (map[string]string, error) {
	var list zeroFields
	err := gitTo(ctx, gitDir, []string{"GIT_DIR=" + gitDir}, &list, "config", "--blob", commit+":.gitmodules", "-z", "--get-regexp", `^submodule\..*\.path$`)
	if err != nil {
		return nil, context.Cause(ctx) // a file without submodules, or that git does not understand
	}
	out := map[string]string{}
	for _, field := range list.all {
		key, value, _ := strings.Cut(field, "\n")
		out[value] = strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
	}
	return out, nil
}

// submoduleDir returns the repository of a submodule, preferably one with the commit:
// git's own, or that of the folder in the working tree; "" if there is none.
func submoduleDir(ctx context.Context, gitDir, top, path, name, commit string) (string, error) {
	var dirs []string
	if name != "" && filepath.IsLocal(filepath.FromSlash(name)) {
		common, err := git(ctx, gitDir, []string{"GIT_DIR=" + gitDir}, "rev-parse", "--git-common-dir")
		if err != nil {
			return "", fmt.Errorf("find submodule %s: %w", path, err)
		}
		for _, dir := range []string{gitDir, disk.In(gitDir, common)} {
			dirs = append(dirs, filepath.Join(dir, "modules", filepath.FromSlash(name)))
		}
	}
	if here := joinTop(top, path); here != "" {
		if _, err := os.Lstat(filepath.Join(here, ".git")); err == nil {
			if dir, err := git(ctx, here, nil, "rev-parse", "--absolute-git-dir"); err == nil {
				dirs = append(dirs, dir)
			}
		}
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !disk.IsFile(filepath.Join(dir, "HEAD")) })
	for _, dir := range dirs {
		if hasCommit(ctx, dir, commit) {
			return dir, nil
		}
	}
	if len(dirs) > 0 {
		return dirs[0], context.Cause(ctx)
	}
	return "", context.Cause(ctx)
}

func joinTop(top, name string) string {
	if top == "" {
		return ""
	}
	return filepath.Join(top, filepath.FromSlash(name))
}

// hasCommit reports whether a repository has a commit, without fetching it.
func hasCommit(ctx context.Context, gitDir, commit string) bool {
	_, err := git(ctx, gitDir, []string{"GIT_DIR=" + gitDir, "GIT_NO_LAZY_FETCH=1"}, "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

// lacks records what a revision lacks, for Lacking.
func (f *Finder) lacks(commit string, lacking []Missing) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lacking == nil {
		f.lacking = map[string]assay.Warning{}
	}
	for _, l := range lacking {
		w, ok := f.lacking[l.Path]
		if !ok {
			w = l.Warning()
		}
		w.Facts = append(w.Facts, fmt.Sprintf("revision %.12s has its commit %.12s, which is not here", commit, l.Commit))
		f.lacking[l.Path] = w
	}
}

// Warning says what is missing, and how to get it if that is known.
func (l Missing) Warning() assay.Warning {
	w := assay.Warning{Code: assay.CodeSubmodules, Text: "submodule " + l.Path + " is not checked out: its folder is empty in the build"}
	switch {
	case l.known && l.top != "":
		w.Try = shell.Join([]string{"git", "-C", joinTop(l.top, l.name), "fetch", "origin", l.Commit})
	case l.top != "":
		w.Try = shell.Join([]string{"git", "-C", l.top, "submodule", "update", "--init", "--recursive", "--", l.name})
	}
	return w
}

// maxRevisions is the maximum number of revisions named for what they lack.
const maxRevisions = 3

// Lacking warns about missing submodules of revisions, and of a workspace that they lack.
func (f *Finder) Lacking() (out []assay.Warning) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.lacking {
		if more := len(w.Facts) - maxRevisions; more > 0 {
			w.Facts = append(slices.Clone(w.Facts[:maxRevisions]), fmt.Sprintf("and %d revisions more", more))
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, c assay.Warning) int { return strings.Compare(a.Text, c.Text) })
	return out
}

package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/version"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
)

// frozenOnly reports whether patterns mean the suite. A pattern that names a package
// means that package.
func (j job) frozenOnly(patterns []string) bool {
	return len(j.tree.Modules) > 0 && slices.ContainsFunc(patterns, func(p string) bool { return strings.Contains(p, "...") })
}

// reaching adds to ./... patterns the frozen folders, modules, that they would include if
// these were not separate modules.
func reaching(modules, patterns []string) []string {
	out := slices.Clone(patterns)
	for _, p := range patterns {
		prefix, wild, ok := strings.Cut(p, "...")
		if !ok || wild != "" || !strings.HasPrefix(p, "./") {
			continue
		}
		for _, m := range modules {
			if strings.HasPrefix("./"+m+"/", prefix) {
				out = append(out, "./"+m+"/...")
			}
		}
	}
	return out
}

// isFrozen reports whether a package's tests are those of the suite.
func (j job) isFrozen(p listed) bool {
	rel, err := filepath.Rel(j.tree.Dir, p.Dir)
	return err == nil && slices.ContainsFunc(j.tree.Overlay, func(file string) bool {
		return strings.HasSuffix(file, "_test.go") && path.Dir(file) == filepath.ToSlash(rel)
	})
}

// withWorkspace gives a job with frozen folders the go.work for building them. It lies
// outside the tree, with the sums that the patterns' packages need; there is one for each
// list of patterns.
func (mf *modfiles) withWorkspace(ctx context.Context, j job, patterns []string) (job, error) {
	if len(j.tree.Modules) == 0 || len(patterns) == 0 {
		return j, nil
	}
	text, err := workspace(j.tree)
	if err != nil {
		return j, err
	}
	patterns = reaching(j.tree.Modules, patterns)
	h := sha256.New()
	fmt.Fprintf(h, "workspace 1 %q %q %q %q %q\n", j.tree.Fixed, j.tc.Version, text, j.tags(), patterns)
	root, err := mf.place(h, func(made string) error {
		in := j.inWorkspace(made)
		if err := os.WriteFile(in.tree.Work, text, 0o666); err != nil {
			return fmt.Errorf("write go.work: %w", err)
		}
		// The go command writes the sums that the packages take beside the go.work. The
		// build reports packages that do not load.
		_, err := mf.lists.list(ctx, in, patterns, "-deps", "-test")
		return err
	})
	return j.inWorkspace(root), err
}

// inWorkspace returns the job with the go.work in a folder.
func (j job) inWorkspace(dir string) job {
	j.tree.Work = filepath.Join(dir, "go.work")
	j.env = j.tc.BuildEnv(j.tree.Work, j.Variant)
	return j
}

// workspace returns the go.work of a tree: its module with those of its own workspace,
// and the frozen folders.
func workspace(t source.Tree) ([]byte, error) {
	root := disk.FindUp(t.Dir, "go.mod")
	dirs := []string{filepath.Dir(root)}
	w := new(modfile.WorkFile)
	w.Syntax = new(modfile.FileSyntax)
	if t.Work != "off" {
		old, err := modfile.ParseWork(t.Work, disk.Content(t.Work), nil)
		if err != nil {
			return nil, fmt.Errorf("read go.work: %w", err)
		}
		for _, u := range old.Use {
			if dir := disk.In(filepath.Dir(t.Work), filepath.FromSlash(u.Path)); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
		for _, rep := range old.Replace {
			to := rep.New.Path
			if rep.New.Version == "" {
				to = disk.In(filepath.Dir(t.Work), filepath.FromSlash(to))
			}
			if err := w.AddReplace(rep.Old.Path, rep.Old.Version, to, rep.New.Version); err != nil {
				return nil, fmt.Errorf("make go.work: %w", err)
			}
		}
	}
	for _, f := range t.Modules {
		dirs = append(dirs, filepath.Join(t.Dir, filepath.FromSlash(f)))
	}
	lang := "1.18" // the first with workspaces
	for _, dir := range dirs {
		f, err := modfile.Parse("go.mod", disk.Content(filepath.Join(dir, "go.mod")), nil)
		if err != nil {
			continue // the build says what is wrong with it
		}
		if f.Go != nil && version.Compare("go"+f.Go.Version, "go"+lang) > 0 {
			lang = f.Go.Version
		}
		if err := w.AddUse(dir, ""); err != nil {
			return nil, fmt.Errorf("make go.work: %w", err)
		}
		if err := dropLost(w, f, dir); err != nil {
			return nil, err
		}
	}
	if err := w.AddGoStmt(lang); err != nil {
		return nil, fmt.Errorf("make go.work: %w", err)
	}
	w.Cleanup()
	return modfile.Format(w.Syntax), nil
}

// dropLost replaces a module whose replacement is lost (source.IsLost) by its required
// version.
func dropLost(w *modfile.WorkFile, f *modfile.File, dir string) error {
	for _, rep := range f.Replace {
		if !source.IsLost(dir, rep) {
			continue
		}
		for _, q := range f.Require {
			if q.Mod.Path != rep.Old.Path {
				continue
			}
			if err := w.AddReplace(q.Mod.Path, "", q.Mod.Path, q.Mod.Version); err != nil {
				return fmt.Errorf("make go.work: %w", err)
			}
		}
	}
	return nil
}

package build

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A subject is the module that a suite is pointed at: a version, or a tree.
type subject struct {
	path, version string
	// tree and dir, the module's folder in it, are those of a revision or the working
	// tree; both are empty for a version.
	tree source.Tree
	dir  string
}

// suite points a source's suite at the variant and returns the tree in which it is built:
// the suite's own folder, which stays unchanged, with a go.mod in the cache.
//
// The module under test is replaced, even by a version of itself: requiring another
// version would also update modules that need it, and the rest must stay the same.
func (mf *modfiles) suite(ctx context.Context, tc toolchain.Toolchain, r Request) (source.Tree, error) {
	dir := source.ModuleDir(r.Study, r.Source)
	if r.Source.Overlay != "" {
		return source.Tree{}, noSuite("a source has an overlay or a suite, not both", nil)
	}
	key := strings.Join(slices.Concat([]string{"suite", dir, source.Dir(r.Study, r.Source), r.Variant.Rev, r.Variant.Module, tc.GOROOT}, r.tags()), "\x00")
	return mf.suites.Do(key, func() (source.Tree, error) {
		s, err := mf.subject(ctx, r)
		if err != nil {
			return source.Tree{}, err
		}
		mod, err := mf.pointed(ctx, tc, r, dir, s)
		if err != nil {
			return source.Tree{}, err
		}
		t := s.tree // what is fixed of a build is what it is pointed at
		t.Dir, t.Work, t.ModFlags = dir, "off", []string{"-mod=readonly", "-modfile=" + mod}
		return t, nil
	})
}

func noSuite(text string, facts []string) error {
	return assay.NewError(assay.ExitUsage, assay.CodeSuite, text, facts, "")
}

// subject finds a variant's module under test.
func (mf *modfiles) subject(ctx context.Context, r Request) (subject, error) {
	if r.Variant.Module != "" {
		m, err := mf.sources.Download(ctx, r.Variant.Module)
		return subject{path: m.Path, version: m.Version}, err
	}
	t, err := mf.sources.Find(ctx, source.Dir(r.Study, r.Source), r.Variant)
	if err != nil {
		return subject{}, err
	}
	file := disk.FindUp(t.Dir, "go.mod")
	path := source.ModulePath(t.Dir)
	if path == "" || t.Root != "" && !disk.Within(file, t.Root) {
		return subject{}, assay.NewError(assay.ExitBuild, assay.CodeSuite, fmt.Sprintf("variant %q has no go.mod: a suite cannot be pointed at it", r.Variant.Name), nil, "")
	}
	return subject{path: path, tree: t, dir: filepath.Dir(file)}, nil
}

// pointed makes the go.mod of a suite for a subject, or finds it in the cache, and
// returns its path; go.sum is beside it.
func (mf *modfiles) pointed(ctx context.Context, tc toolchain.Toolchain, r Request, dir string, s subject) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", noSuite(fmt.Sprintf("suite %s has no go.mod: it is a module of its own", disk.Tilde(dir)), nil)
	}
	text, err := pointAt(data, r, s)
	if err != nil {
		return "", err
	}
	sums := append(disk.Content(filepath.Join(dir, "go.sum")), '\n')
	if s.dir != "" { // it may know what the suite's does not, such as newer dependencies
		sums = append(sums, disk.Content(filepath.Join(s.dir, "go.sum"))...)
	}
	h := sha256.New()
	fmt.Fprintf(h, "suite 2 %q %q %q %q %q %q %q %q %q\n", dir, tc.Version, s.path, s.version, s.tree.Fixed, s.dir, text, sums, r.tags())
	if s.dir != "" { // what it requires is not in the text
		h.Write(disk.Content(filepath.Join(s.dir, "go.mod")))
	}
	if err := hashGoFiles(h, dir); err != nil {
		return "", fmt.Errorf("read suite: %w", err)
	}
	root, err := mf.place(h, func(made string) error {
		if err := writeModfile(made, text, bytes.TrimLeft(sums, "\n")); err != nil {
			return err
		}
		return mf.completeSuite(ctx, job{Request: r, tc: tc, tree: source.Tree{Dir: dir, Work: "off"}}, dir, made, text)
	})
	return filepath.Join(root, "go.mod"), err
}

// hashGoFiles hashes the Go files below a folder: their imports decide which sums the
// build needs.
func hashGoFiles(h io.Writer, dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(name) == ".go" {
			hashFile(h, name)
		}
		return err
	})
}

// pointAt returns the go.mod of a suite with the required module replaced by the subject.
// For a tree it adopts the replacements of the tree's go.mod, which the go command
// applies in a main module only.
func pointAt(data []byte, r Request, s subject) ([]byte, error) {
	f, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, noSuite("go.mod of the suite cannot be read", []string{printable.LastLine(err.Error())})
	}
	if err := requires(f, r, s.path); err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, rep := range slices.Clone(f.Replace) {
		own[rep.Old.Path] = true
		if rep.Old.Path == s.path {
			if err := f.DropReplace(rep.Old.Path, rep.Old.Version); err != nil {
				return nil, fmt.Errorf("replace %s in suite: %w", s.path, err)
			}
		}
	}
	if err := f.AddReplace(s.path, "", cmp.Or(s.dir, s.path), s.version); err != nil {
		return nil, fmt.Errorf("replace %s in suite: %w", s.path, err)
	}
	if s.dir != "" {
		if err := takeReplaces(f, s.dir, own); err != nil {
			return nil, err
		}
	}
	f.Cleanup()
	return f.Format()
}

// takeReplaces adds the replacements of the go.mod in dir that the suite lacks.
func takeReplaces(f *modfile.File, dir string, own map[string]bool) error {
	g, err := modfile.Parse("go.mod", disk.Content(filepath.Join(dir, "go.mod")), nil)
	if err != nil {
		return nil // the build says what is wrong with it
	}
	for _, rep := range g.Replace {
		if own[rep.Old.Path] || rep.Old.Path == f.Module.Mod.Path {
			continue
		}
		to := rep.New.Path
		if rep.New.Version == "" && !filepath.IsAbs(to) {
			to = filepath.Join(dir, filepath.FromSlash(to))
		}
		if err := f.AddReplace(rep.Old.Path, rep.Old.Version, to, rep.New.Version); err != nil {
			return fmt.Errorf("replace %s in suite: %w", rep.Old.Path, err)
		}
	}
	return nil
}

// requires checks that the suite requires the module.
func requires(f *modfile.File, r Request, path string) error {
	var names []string
	for _, q := range f.Require {
		if q.Mod.Path == path {
			return nil
		}
		if !q.Indirect {
			names = append(names, q.Mod.Path)
		}
	}
	fact := "it requires no module at all"
	if len(names) > 0 {
		fact = "it requires " + strings.Join(names[:min(5, len(names))], ", ")
	}
	try := "in the suite: go get " + path
	if f.Module != nil && f.Module.Mod.Path == path {
		fact, try = "it is itself called "+path, "in the suite: go mod edit -module="+path+"-suite"
	}
	for _, n := range names {
		if a, _, ok := module.SplitPathVersion(n); ok {
			if p, _, _ := module.SplitPathVersion(path); a == p {
				try = "a suite for this major version, or variants of " + n
			}
		}
	}
	return assay.NewError(assay.ExitBuild, assay.CodeSuite, fmt.Sprintf("variant %q is of module %s, which the suite does not require", r.Variant.Name, path), []string{fact}, try)
}

// completeSuite is complete for a suite, whose go.mod is text.
func (mf *modfiles) completeSuite(ctx context.Context, j job, dir, made string, text []byte) error {
	chatter, err := mf.complete(ctx, j, dir, made, []string{"./..."})
	if err != nil || !strangers(chatter) {
		return err
	}
	// All that is needed is here by now. Without a proxy what is missing stays so.
	if err := os.WriteFile(filepath.Join(made, "go.mod"), text, 0o666); err != nil {
		return fmt.Errorf("write go.mod of suite: %w", err)
	}
	_, err = mf.complete(ctx, j, dir, made, []string{"./..."}, "GOPROXY=off")
	return err
}

// strangers reports whether the go command has found a package, which neither the variant
// nor its required modules contain, in the latest version of another module. A package
// that an old version lacks may have become its own module, and an old step must not be
// built with that.
func strangers(chatter string) bool {
	return strings.Contains("\n"+chatter, "\ngo: found ")
}

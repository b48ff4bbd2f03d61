package overlay

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// suite returns the tree of a variant with folders of another version of its module laid
// over it, to build the benchmarks of one release against every other. Each folder
// becomes a module inside the variant's, so that it has the language version of the
// suite's go.mod, and the code under test its own. A go.work outside the tree joins them.
// Nothing else of the variant changes.
func (p *Placer) suite(ctx context.Context, r Request, from assay.Variant) (source.Tree, error) {
	bare, err := p.sources.Find(ctx, source.Dir(r.Study, r.Source), r.Variant)
	if err != nil {
		return source.Tree{}, err
	}
	s, err := p.sources.Find(ctx, source.Dir(r.Study, r.Source), from)
	if err != nil {
		return source.Tree{}, err
	}
	mod := source.ModulePath(s.Dir)
	if got := source.ModulePath(bare.Dir); got != mod {
		return source.Tree{}, assay.NewError(assay.ExitBuild, assay.CodeSuite, fmt.Sprintf("variant %q is of module %s, and the suite %s of %s", r.Variant.Name, got, r.Source.Suite, mod),
			[]string{"its benchmarks import that module"}, "a suite of the same module")
	}
	key := strings.Join(slices.Concat([]string{"frozen", s.Dir, r.Bench}, r.Source.Folders, []string{"hide"}, r.Source.Hide), "\x00")
	l, err := p.layers.Do(key, func() (layer, error) { return freeze(r, s.Dir) })
	if err != nil {
		return source.Tree{}, err
	}
	t, err := p.over(ctx, r, bare, l)
	if err != nil {
		return source.Tree{}, err
	}
	t.Incomplete, t.Modules = false, l.modules
	t.Suite, err = suiteName(ctx, r, s)
	return t, err
}

// suiteName names a suite with the hash of its content: the h1 of a module, or git's tree
// object.
func suiteName(ctx context.Context, r Request, s source.Tree) (string, error) {
	if s.Commit == "" {
		return r.Source.Suite + " " + s.Sum, nil
	}
	object, err := source.TreeObject(ctx, source.Dir(r.Study, r.Source), s.Commit)
	if err != nil {
		return "", fmt.Errorf("name suite: %w", err)
	}
	return fmt.Sprintf("%s %s tree:%s", r.Source.Suite, s.Commit, object), nil
}

// freeze reads the layer of a suite in its module's folder: the named folders, or those
// with benchmarks.
func freeze(r Request, dir string) (layer, error) {
	l := layer{dir: dir, made: map[string][]byte{}, hide: slices.Clone(r.Source.Hide)}
	var err error
	if folders := r.Source.Folders; len(folders) > 0 {
		for _, f := range folders {
			if !disk.IsDir(filepath.Join(dir, filepath.FromSlash(f))) {
				return l, assay.UsageError(assay.CodeSuite, fmt.Sprintf("suite %s has no folder %s", r.Source.Suite, f), "")
			}
			l.modules = append(l.modules, path.Clean(f))
		}
	} else if err = l.find(r); err != nil {
		return l, err
	}
	data := disk.Content(filepath.Join(dir, "go.mod"))
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil || mod.Module == nil {
		return l, assay.UsageError(assay.CodeSuite, "go.mod of the suite cannot be read", "")
	}
	for _, f := range l.modules {
		if err := l.addFolder(f, mod); err != nil {
			return l, err
		}
	}
	if len(l.files) == 0 {
		return l, assay.NewError(assay.ExitUsage, assay.CodeSuite, "suite "+r.Source.Suite+" has no benchmark", []string{"of test packages, or of folders that hold nothing else"}, "overlay = [FOLDER...]")
	}
	slices.Sort(l.files)
	l.files = slices.Compact(l.files) // one folder may lie in another
	slices.Sort(l.hide)
	return l, l.hashFiles()
}

// addFolder adds a whole folder as a module, in place of the variant's.
func (l *layer) addFolder(folder string, suite *modfile.File) error {
	l.hide = append(l.hide, literal(folder))
	var imports []string
	err := filepath.WalkDir(filepath.Join(l.dir, filepath.FromSlash(folder)), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(l.dir, name)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		l.files = append(l.files, filepath.ToSlash(rel))
		if strings.HasSuffix(name, ".go") {
			imports = append(imports, testfile.Imports(name)...)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read suite: %w", err)
	}
	mod := path.Join(folder, "go.mod")
	if slices.Contains(l.files, mod) {
		return nil // a module already
	}
	own := new(modfile.File)
	err = own.AddModuleStmt(path.Join(suite.Module.Mod.Path, folder))
	if err == nil && suite.Go != nil {
		err = own.AddGoStmt(suite.Go.Version)
	}
	if err != nil {
		return fmt.Errorf("make go.mod of suite: %w", err)
	}
	for _, q := range suite.Require {
		if slices.ContainsFunc(imports, func(p string) bool { return disk.Within(p, q.Mod.Path) }) {
			own.AddNewRequire(q.Mod.Path, q.Mod.Version, q.Indirect)
		}
	}
	text, err := own.Format()
	if err != nil {
		return fmt.Errorf("make go.mod of suite: %w", err)
	}
	l.add(mod, text)
	if sums := disk.Content(filepath.Join(l.dir, "go.sum")); len(own.Require) > 0 && len(sums) > 0 {
		l.add(path.Join(folder, "go.sum"), sums)
	}
	return nil
}

// add adds a generated file.
func (l *layer) add(name string, content []byte) {
	l.made[name] = content
	l.files = append(l.files, name)
}

// literal returns the pattern that only this path matches.
func literal(name string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(name)
}

// A goFolder is the content of a folder of a suite.
type goFolder struct {
	tests map[string][]byte // by path
	// code is true if there are other Go files.
	code bool
	// imports are those of the tests, uses those of the code.
	imports, uses []string
	// external are the benchmarks of the external test package, by function.
	external map[string]bool
	bench    bool
}

// find selects the folders of a suite that names none. A folder with only tests is taken
// whole, together with packages that only tests import, such as assertions. Of other
// folders it takes what the benchmarks in the external test package need.
func (l *layer) find(r Request) error {
	folders, err := goFolders(l.dir)
	if err != nil {
		return fmt.Errorf("read suite: %w", err)
	}
	wanted := testfile.Matcher(r.Bench)
	var imports []string
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		f := folders[name]
		switch {
		case f.bench && !f.code && name != ".":
			l.modules, imports = append(l.modules, name), append(imports, f.imports...)
		case len(f.external) > 0:
			needed := testfile.Prune(f.tests, func(function string) bool { return f.external[function] && wanted(function) })
			if len(needed) == 0 {
				continue
			}
			for file, source := range needed {
				l.add(file, source)
			}
			l.hide = append(l.hide, path.Join(literal(name), "*_test.go"))
			imports = append(imports, f.imports...)
		}
	}
	l.addHelpers(folders, imports)
	return nil
}

// addHelpers adds the suite's packages that only its benchmarks import.
func (l *layer) addHelpers(folders map[string]*goFolder, imports []string) {
	mod := source.ModulePath(l.dir)
	users := map[string][]string{} // the folders whose code imports a package
	for name, f := range folders {
		for _, p := range f.uses {
			users[p] = append(users[p], name)
		}
	}
	for len(imports) > 0 {
		p := imports[0]
		imports = imports[1:]
		name, inside := strings.CutPrefix(p, mod+"/")
		f := folders[name]
		others := func(user string) bool { return !slices.Contains(l.modules, user) }
		if !inside || f == nil || slices.Contains(l.modules, name) || slices.ContainsFunc(users[p], others) {
			continue
		}
		l.modules, imports = append(l.modules, name), append(imports, f.uses...)
	}
}

// goFolders reads the Go files of a module by folder, with slashes.
func goFolders(dir string) (map[string]*goFolder, error) {
	out := map[string]*goFolder{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			nested := name != dir && disk.IsFile(filepath.Join(name, "go.mod"))
			if nested || name != dir && (base[0] == '.' || base[0] == '_' || base == "testdata" || base == "vendor") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		f := out[path.Dir(rel)]
		if f == nil {
			f = &goFolder{tests: map[string][]byte{}, external: map[string]bool{}}
			out[path.Dir(rel)] = f
		}
		return f.read(rel, name)
	})
	return out, err
}

func (f *goFolder) read(rel, name string) error {
	if !strings.HasSuffix(rel, "_test.go") {
		f.code, f.uses = true, append(f.uses, testfile.Imports(name)...)
		return nil
	}
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f.tests[rel], f.imports = source, append(f.imports, testfile.Imports(name)...)
	found := testfile.Benchmarks(source)
	f.bench = f.bench || len(found) > 0
	clause, err := parser.ParseFile(token.NewFileSet(), name, source, parser.PackageClauseOnly)
	if err != nil || !strings.HasSuffix(clause.Name.Name, "_test") {
		return nil
	}
	for _, name := range found {
		f.external[name] = true
	}
	return nil
}

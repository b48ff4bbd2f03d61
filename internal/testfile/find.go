package testfile

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Folder is a package's folder, as ./path, and its benchmark functions in the order of
// their files.
type Folder struct {
	Path       string
	Benchmarks []string
}

// Find lists the benchmarks below dir that the package patterns and a -bench pattern
// select, by folder. It reads test files and runs nothing, not even the go command.
// Without a pattern it takes the folder itself, or all below it if that has none. Patterns
// that are no ./relative path are in other.
func Find(dir string, patterns, tags []string, bench string) (found []Folder, other []string) {
	ctx := build.Default
	ctx.BuildTags = tags
	f := finder{dir: dir, ctx: ctx, matches: Matcher(bench), seen: map[string]bool{}}
	if len(patterns) == 0 {
		if f.folders("."); len(f.found) == 0 {
			f.seen = map[string]bool{}
			f.folders("./...")
		}
		return f.found, nil
	}
	for _, p := range patterns {
		if p != "." && p != "./" && !strings.HasPrefix(p, "./") || !filepath.IsLocal(filepath.FromSlash(p)) {
			other = append(other, p)
			continue
		}
		f.folders(p)
	}
	slices.SortFunc(f.found, func(a, b Folder) int { return strings.Compare(a.Path, b.Path) })
	return f.found, other
}

type finder struct {
	dir     string
	ctx     build.Context
	matches func(function string) bool
	found   []Folder
	seen    map[string]bool
}

// folders adds the folders that a pattern matches. As for the go command it passes over
// nested modules, unless the pattern begins in one or a workspace has them.
func (f *finder) folders(pattern string) {
	fixed, _, wild := strings.Cut(pattern, "...")
	if !wild {
		f.folder(path.Clean(fixed))
		return
	}
	start := path.Clean(path.Dir(fixed)) // of "./co..." the folder is "."
	re := patternExpr(pattern)
	_, err := os.Stat(filepath.Join(f.dir, "go.work"))
	workspace := err == nil
	root := filepath.Join(f.dir, filepath.FromSlash(start))
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // what cannot be read has nothing to list
		}
		rel, err := filepath.Rel(f.dir, name)
		if err != nil {
			return nil
		}
		if base := d.Name(); name != root {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if base[0] == '.' || base[0] == '_' || base == "testdata" || base == "vendor" || err == nil && !workspace {
				return fs.SkipDir
			}
		}
		if rel = filepath.ToSlash(rel); re.MatchString(dotted(rel)) {
			f.folder(rel)
		}
		return nil
	})
}

// patternExpr is a package pattern as an expression. "..." is any text, and "/..." at the
// end is nothing as well.
func patternExpr(pattern string) *regexp.Regexp {
	expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if rest, ok := strings.CutSuffix(expr, "/.*"); ok {
		expr = rest + "(/.*)?"
	}
	return regexp.MustCompile("^" + expr + "$")
}

// folder adds the benchmarks of one folder.
func (f *finder) folder(rel string) {
	if f.seen[rel] {
		return
	}
	f.seen[rel] = true
	dir := filepath.Join(f.dir, filepath.FromSlash(rel))
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); !strings.HasSuffix(e.Name(), "_test.go") || err != nil || !info.Mode().IsRegular() {
			continue // a stranger's tree may have a link to a device, which never ends
		}
		if fits, err := f.ctx.MatchFile(dir, e.Name()); err != nil || !fits {
			continue
		}
		source, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		names = append(names, slices.DeleteFunc(Benchmarks(source), func(n string) bool { return !f.matches(n) })...)
	}
	if len(names) > 0 {
		f.found = append(f.found, Folder{Path: dotted(rel), Benchmarks: names})
	}
}

// dotted returns a path as a package pattern: "codec" is "./codec".
func dotted(rel string) string {
	if rel == "." {
		return rel
	}
	return "./" + rel
}

package source

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// NestedModule finds the module below dir, an absolute folder, that contains all package
// patterns if dir itself is not in that module: go test in dir does not know its
// packages. sub is the module's folder relative to dir, and inside are the patterns
// relative to it. ok is false if there is nothing to find: a pattern that is not a
// ./relative path, a workspace, patterns of several modules.
func NestedModule(dir string, patterns []string) (sub string, inside []string, ok bool) {
	if work := toolchain.UserSettings()["GOWORK"]; len(patterns) == 0 || work != "off" && (work != "" || FindWork(dir, "") != "off") {
		return "", nil, false
	}
	for _, p := range patterns {
		if !strings.HasPrefix(p, "./") {
			return "", nil, false
		}
		folder, wild, isWild := strings.Cut(strings.TrimPrefix(p, "./"), "...")
		mod := moduleAbove(dir, path.Clean(folder))
		if mod == "" || sub != "" && mod != sub {
			return "", nil, false
		}
		sub = mod
		rest := "." + strings.TrimPrefix(path.Clean(folder), mod)
		if isWild {
			rest = strings.TrimSuffix(rest, "/") + strings.TrimPrefix(folder, path.Clean(folder)) + "..." + wild
		}
		inside = append(inside, rest)
	}
	return filepath.FromSlash(sub), inside, true
}

// moduleAbove returns the folder of the closest go.mod in or above a folder, but below
// dir; "" if there is none.
func moduleAbove(dir, folder string) string {
	for filepath.IsLocal(filepath.FromSlash(folder)) && folder != "." {
		if disk.IsFile(filepath.Join(dir, filepath.FromSlash(folder), "go.mod")) {
			return folder
		}
		folder = path.Dir(folder)
	}
	return ""
}

// Limits of the search for modules below a folder.
const (
	moduleDepth = 3
	maxFolders  = 2000
)

// ModulesBelow lists the folders below dir that have a go.mod, relative to it.
func ModulesBelow(dir string) (out []string) {
	seen := 0
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // what cannot be read has nothing to offer
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil || rel == "." {
			return nil
		}
		base := d.Name()
		if seen++; seen > maxFolders {
			return fs.SkipAll
		}
		if base[0] == '.' || base[0] == '_' || base == "vendor" || base == "node_modules" || base == "testdata" ||
			strings.Count(rel, string(os.PathSeparator)) >= moduleDepth {
			return fs.SkipDir
		}
		if disk.IsFile(filepath.Join(name, "go.mod")) {
			out = append(out, rel)
		}
		return nil
	})
	return out
}

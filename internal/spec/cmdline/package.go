package cmdline

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// folders lists the folders beside the one that a word names.
func (env Env) folders(word string) []string {
	if env.Folders == nil {
		return nil
	}
	return env.Folders(path.Dir(word))
}

// isFolder reports whether a word names a folder.
func (env Env) isFolder(word string) bool {
	return slices.Contains(env.folders(word), path.Base(word))
}

// isPackage reports whether a word among the variants can only be a package.
func (l compareLine) isPackage(word string) bool {
	return !l.hasCommands() && (isPackagePattern(word) || l.env.isFolder(word))
}

// packageBeforeDashes returns the error for a package among the variants, with a line that
// has all of them behind the dashes.
func (l compareLine) packageBeforeDashes(word string) error {
	var variants []string
	right := l
	right.Dashed = slices.Clone(l.Dashed)
	for _, v := range l.Variants {
		switch {
		case !l.isPackage(v):
			variants = append(variants, v)
		case isPackagePattern(v):
			right.Dashed = append(right.Dashed, v)
		default: // without "./" the go command would look for it in the standard library
			right.Dashed = append(right.Dashed, "./"+v)
		}
	}
	right.Variants = variants
	if len(variants) < 2 {
		right.Variants = right.twoVariants()
	}
	return usage(assay.CodeNeedsDashes, fmt.Sprintf("%s is a package, not a variant; packages go after --", word), right.try(right.Variants))
}

// benchmarkName matches what no package is called that the go command finds without "./".
var benchmarkName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_]*$`)

// checkPackage refuses the i-th word after the dashes if it cannot be a package: the name
// of a benchmark, or a folder that is missing from the tree that will be measured.
func (l compareLine) checkPackage(i int) error {
	word := l.Dashed[i]
	right := l
	right.Dashed = slices.Clone(l.Dashed)
	switch near := l.nearFolder(word); {
	case benchmarkName.MatchString(word) && !l.hasBench():
		right.Dashed[i] = "-bench=" + word
		return usage(assay.CodeNoPackage, fmt.Sprintf("%s is no package; the pattern of benchmarks is -bench", word), right.try(l.Variants))
	case near != "":
		right.Dashed[i] = near
		return usage(assay.CodeNoPackage, fmt.Sprintf("there is no package %s here; did you mean %s?", word, near), right.try(l.Variants))
	}
	return nil
}

// hasBench reports whether the line has a pattern of benchmarks.
func (l compareLine) hasBench() bool {
	return slices.ContainsFunc(l.Dashed, func(w string) bool {
		return strings.HasPrefix(strings.TrimLeft(w, "-"), "bench") && strings.HasPrefix(w, "-")
	})
}

// nearFolder returns the package that a word may mean whose folder is not here, "" if the
// word is right, or if a revision or an overlay may have the folder.
func (l compareLine) nearFolder(word string) string {
	if !strings.HasPrefix(word, "./") || strings.Contains(word, "...") || l.Overlay != "" || !l.ofTree || path.Clean(word) == "." || l.env.isFolder(word) {
		return ""
	}
	if near := printable.NearestName(path.Base(word), l.env.folders(word)); near != "" {
		return "./" + path.Join(path.Dir(word), near)
	}
	return ""
}

package source

import (
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/seed-1318a441/assay/internal/disk"
)

// IsLost reports whether a replacement in the go.mod of dir is a folder that is no module
// here. In a published module such lines are left over from its author's disk: the go
// command ignores them where the module is a dependency.
func IsLost(dir string, r *modfile.Replace) bool {
	return r.New.Version == "" && !disk.IsFile(filepath.Join(disk.In(dir, filepath.FromSlash(r.New.Path)), "go.mod"))
}

// WithoutLost returns the text of the go.mod of dir without the lost replacements, so that
// the required versions are built. It returns text that it cannot read as it is: the go
// command says what is wrong with it.
func WithoutLost(dir string, text []byte) []byte {
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return text
	}
	lost := slices.DeleteFunc(slices.Clone(f.Replace), func(r *modfile.Replace) bool { return !IsLost(dir, r) })
	if len(lost) == 0 {
		return text
	}
	for _, r := range lost {
		if f.DropReplace(r.Old.Path, r.Old.Version) != nil {
			return text
		}
	}
	f.Cleanup()
	out, err := f.Format()
	if err != nil {
		return text
	}
	return out
}

package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Source is a folder of the cache with source code: where it is, how it is made, and
// how it is checked before a build uses it, since a benchmark may have written to it.
type Source struct {
	// Dir is its place.
	Dir string
	// What names it for people: "revision 3f2c9aa".
	What string
	// Fill makes it in a folder that is then renamed to Dir.
	Fill func(made string) error
	// Check lists the changed files. disk.ErrNoSeal means that it cannot be checked.
	Check func() (changed []string, err error)
}

// Ready returns the folder of a source. It makes the source if it is missing or has
// changed. It checks each source once in the life of a Cache.
func (c *Cache) Ready(s Source) (string, error) {
	_, err := c.checked.Do(s.Dir, func() (struct{}, error) {
		if disk.IsDir(s.Dir) {
			changed, err := s.Check()
			if err == nil && len(changed) == 0 {
				c.Touch(s.Dir)
				return struct{}{}, nil
			}
			if err := c.throwAway(s.Dir); err != nil {
				return struct{}{}, fmt.Errorf("throw away a changed source: %w", err)
			}
			if !errors.Is(err, disk.ErrNoSeal) {
				c.Alert(changedSource(s.What, changed, err))
			}
		}
		if err := os.MkdirAll(filepath.Dir(s.Dir), 0o777); err != nil {
			return struct{}{}, fmt.Errorf("make cache folder: %w", err)
		}
		_, err := c.Place(s.Dir, s.Fill)
		return struct{}{}, err
	})
	return s.Dir, err
}

func changedSource(what string, changed []string, err error) assay.Warning {
	w := assay.Warning{Code: assay.CodeCacheChanged, Text: "the cached source of " + what + " had been changed; it was made again",
		Facts: []string{"earlier measurements with it may be wrong: a benchmark that wrote into its folder is the usual cause"}}
	if err != nil {
		w.Facts = append(w.Facts, "it could not be checked: "+printable.LastLine(err.Error()))
	}
	if len(changed) > 0 {
		w.Facts = append(w.Facts, "changed: "+printable.Few(changed, 3))
	}
	return w
}

// throwAway removes a folder from the cache in one step.
func (c *Cache) throwAway(dir string) error {
	tmp, err := c.TempDir("gone-")
	if err != nil {
		return err
	}
	defer disk.RemoveAll(tmp)
	return os.Rename(dir, filepath.Join(tmp, "gone"))
}

// Sealed returns a Source that is checked against its seal, and if h1 is not "" against
// the hash of a module, which excludes the files in leave.
func Sealed(dir, what string, fill func(made string) error, at, h1 string, leave ...string) Source {
	hashed := func(s disk.Seal) error {
		if got := s.H1(at, leave...); h1 != "" && got != h1 {
			return fmt.Errorf("its hash is %s, and that of the module %s", got, h1)
		}
		return nil
	}
	return Source{Dir: dir, What: what,
		Fill: func(made string) error {
			if err := fill(made); err != nil {
				return err
			}
			s, err := disk.SealOf(made, disk.Seal{})
			if err != nil {
				return fmt.Errorf("seal %s: %w", what, err)
			}
			if err := hashed(s); err != nil {
				return assay.NewError(assay.ExitUsage, assay.CodeNoModule, what+" in the module cache is not as it was published", []string{err.Error()}, "go clean -modcache")
			}
			return s.Write(dir)
		},
		Check: func() ([]string, error) {
			was, err := disk.ReadSeal(dir)
			if err != nil {
				return nil, err
			}
			now, err := disk.SealOf(dir, was)
			if err != nil {
				return nil, err
			}
			if changed := now.Changes(was); len(changed) > 0 {
				return changed, nil
			}
			if err := hashed(now); err != nil {
				return nil, err
			}
			return nil, now.Write(dir) // as from here it is known without reading it
		}}
}

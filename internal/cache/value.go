package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/seed-1318a441/assay/internal/disk"
)

// plainName matches names of artifacts and values, which become file names.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// Load reads a value that Store has kept with an artifact into v and reports whether it
// was there. A damaged one counts as absent.
func (c *Cache) Load(id, name string, v any) bool {
	return plainName.MatchString(id) && plainName.MatchString(name) && disk.ReadJSON(c.valueFile(id, name), v)
}

// Store keeps a small value with the artifact id, as JSON, under a name such as
// "calibration"; it replaces an older one. A value that also holds for relinked artifacts
// is stored under the ID that Binary returns.
func (c *Cache) Store(id, name string, v any) error {
	if !plainName.MatchString(id) || !plainName.MatchString(name) {
		return fmt.Errorf("store value %q of artifact %q: a name has letters, digits, dots and dashes only", name, id)
	}
	if err := os.MkdirAll(filepath.Dir(c.valueFile(id, name)), 0o777); err != nil {
		return fmt.Errorf("store value %q: %w", name, err)
	}
	return disk.WriteJSON(c.valueFile(id, name), v)
}

// valueFile lies outside the artifact's folder, which is renamed into place and must not
// exist before.
func (c *Cache) valueFile(id, name string) string {
	return filepath.Join(c.Dir, "value", id, name+".json")
}

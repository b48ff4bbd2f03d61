package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/seed-1318a441/assay/internal/disk"
)

// plainName is what an artifact or a value may be called: it becomes a file.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// Load reads a value that Store has put beside an artifact into v and reports
// whether it was there. One that is damaged counts as absent.
func (c *Cache) Load(id, name string, v any) bool {
	return plainName.MatchString(id) && plainName.MatchString(name) && disk.ReadJSON(c.valueFile(id, name), v)
}

// Store keeps a small value, as JSON, beside the artifact id under a name such
// as "calibration"; it replaces an older one. What is true of a relinked
// artifact as well is stored under the ID that Binary gave.
func (c *Cache) Store(id, name string, v any) error {
	if !plainName.MatchString(id) || !plainName.MatchString(name) {
		return fmt.Errorf("store value %q of artifact %q: a name has letters, digits, dots and dashes only", name, id)
	}
	if err := os.MkdirAll(filepath.Dir(c.valueFile(id, name)), 0o777); err != nil {
		return fmt.Errorf("store value %q: %w", name, err)
	}
	return disk.WriteJSON(c.valueFile(id, name), v)
}

// valueFile lies outside the artifact's folder: that one is renamed into place
// whole, and must not exist before.
func (c *Cache) valueFile(id, name string) string {
	return filepath.Join(c.Dir, "value", id, name+".json")
}

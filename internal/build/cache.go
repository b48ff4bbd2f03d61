package build

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// plainName is what an artifact or a value may be called: it becomes a file.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// Load reads a value that Store has put beside an artifact into v and reports
// whether it was there. One that is damaged counts as absent.
func (b *Builder) Load(id, name string, v any) bool {
	return plainName.MatchString(id) && plainName.MatchString(name) && readJSON(b.valueFile(id, name), v)
}

// Store keeps a small value, as JSON, beside the artifact id under a name such
// as "calibration"; it replaces an older one. What is true of a relinked
// artifact as well is stored under the ID that Binary gave.
func (b *Builder) Store(id, name string, v any) error {
	if !plainName.MatchString(id) || !plainName.MatchString(name) {
		return fmt.Errorf("store value %q of artifact %q: a name has letters, digits, dots and dashes only", name, id)
	}
	if err := os.MkdirAll(filepath.Dir(b.valueFile(id, name)), 0o777); err != nil {
		return fmt.Errorf("store value %q: %w", name, err)
	}
	return writeJSON(b.valueFile(id, name), v)
}

// valueFile lies outside the artifact's folder: that one is renamed into place
// whole, and must not exist before.
func (b *Builder) valueFile(id, name string) string {
	return filepath.Join(b.Cache, "value", id, name+".json")
}

func readJSON(name string, v any) bool {
	data, err := os.ReadFile(name)
	return err == nil && json.Unmarshal(data, v) == nil
}

func writeJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return writeFile(name, append(data, '\n'))
}

// writeFile writes a file in one step, as far as any reader can tell.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	defer os.Remove(f.Name()) // gone already when all went well
	f.Chmod(0o644)            // a cache may be shared; where this fails it is not
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return nil
}

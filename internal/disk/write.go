package disk

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// ReadJSON reads a file into v and reports whether that succeeded.
func ReadJSON(name string, v any) bool {
	data, err := os.ReadFile(name)
	return err == nil && json.Unmarshal(data, v) == nil
}

// WriteJSON writes v to a file as WriteFile does, indented.
func WriteJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return WriteFile(name, append(data, '\n'))
}

// WriteFile writes a file atomically. Everyone may read it, if the file system allows
// that.
func WriteFile(name string, data []byte) error {
	return write(name, data, func(f *os.File) error {
		f.Chmod(0o644) // a cache may be shared; where this fails it is not
		return nil
	})
}

// WritePrivate writes a file that only its owner can read, atomically and synced.
func WritePrivate(name string, data []byte) error { // CreateTemp makes it so
	return write(name, data, (*os.File).Sync)
}

// A folder whose IgnoreFile has the content IgnoreAll keeps itself out of git.
const (
	IgnoreFile = ".gitignore"
	IgnoreAll  = "*\n"
)

// MakePrivate makes a folder that only this user may read. A new one keeps itself out of
// git: its files are for nobody else, neither in a repository nor on other machines.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return err
	}
	return WritePrivate(filepath.Join(dir, IgnoreFile), []byte(IgnoreAll))
}

// write writes a file atomically. last is called with it before it gets its name.
func write(name string, data []byte, last func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	defer os.Remove(f.Name()) // gone already when all went well
	if _, err = f.Write(data); err == nil {
		err = last(f)
	}
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

// Package disk has operations on files and folders that the standard library lacks: what
// a path is, what lies above it, where the user's settings are, files that appear whole.
package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// IsFile reports whether name is a plain file, or a link to one.
func IsFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// IsDir reports whether name is a folder, or a link to one.
func IsDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// FindUp returns the file called name in dir or the closest folder above, or "".
func FindUp(dir, name string) string {
	for {
		if f := filepath.Join(dir, name); IsFile(f) {
			return f
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Within reports whether a path is dir or lies in it. Nothing lies in "".
func Within(path, dir string) bool {
	below, ok := strings.CutPrefix(path, dir)
	return dir != "" && ok && (below == "" || os.IsPathSeparator(below[0]))
}

// In makes a name relative to dir absolute.
func In(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// Tilde shortens a path below the user's home folder as a shell prompt does.
func Tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" || !Within(path, home) {
		return path
	}
	return "~" + path[len(home):]
}

// Content returns what a file holds, nil if it cannot be read.
func Content(name string) []byte {
	data, _ := os.ReadFile(name)
	return data
}

// Digest returns the SHA-256 of a file's content, in hex.
func Digest(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", filepath.Base(name), err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// RemoveAll is os.RemoveAll that also removes read-only folders.
func RemoveAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

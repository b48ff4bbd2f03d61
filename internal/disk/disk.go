// Package disk asks and does with files and folders what the standard library has no
// one function for: what a path is, what lies above it, files that appear whole.
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

// IsFile reports whether a name is that of a plain file, or of a link to one.
func IsFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// IsDir reports whether a name is that of a folder, or of a link to one.
func IsDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// FindUp returns the file of a name in dir or the closest folder above, or "".
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

// In makes a name that is written relative to dir absolute, as dir is.
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

// Content is what a file holds, nothing of one that cannot be read.
func Content(name string) []byte {
	data, _ := os.ReadFile(name)
	return data
}

// Digest is the SHA-256 of a file's content, in hex.
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

// RemoveAll is os.RemoveAll that also removes folders that a program made unwritable.
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

// Package cache is the folder in which assay keeps what it can make again: binaries,
// sources, values and logs.
//
//	artifact/ID/   a binary, what is known of it, its log, how it was linked
//	src/           the tree of a commit, a copy of a module version, either with
//	               an overlay laid over it; nothing writes to them, and they are
//	               checked before a build uses them (source.go)
//	mod/           go.mod and go.sum that point a suite at a version, or have what
//	               those of a tree lack
//	value/         small values that belong to an artifact (value.go)
//	log/           logs of builds that failed
//	agent/         executables of assay for the platforms of other machines (package ssh)
//	tmp/           unfinished work, by owner; what a dead one left is removed
//	linker/        linkers for machines of another system or processor
//	blob/          files that a lab elsewhere has sent, with a limit of their own
//	               (package blob)
//	alive/         locks of the processes that work in tmp (owner.go)
//	used/          when entries were last used; the least recent go first (prune.go)
//
// Everything is made in tmp and renamed into place, so two processes may share
// a cache and either may be killed at any moment.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"sync"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
)

// A Cache is the folder. Its methods may be called in parallel.
type Cache struct {
	// Dir is the folder, made when needed.
	Dir string
	// Warn receives what was wrong in the cache and has been repaired; it may be nil. It
	// may be called in parallel.
	Warn func(assay.Warning)

	swept   sync.Once
	checked memo.Map[struct{}] // folders of src that are as they should be
}

// New returns the cache in a folder; "" is the folder "assay" in the user's cache folder.
func New(dir string) *Cache {
	if dir != "" {
		return &Cache{Dir: dir}
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return &Cache{Dir: filepath.Join(dir, "assay")}
}

// Key names content in the cache: the first 128 bits of its hash, in hex.
func Key(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// KeyOf returns the Key of the SHA-256 of data.
func KeyOf(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:16])
}

// Alert passes a warning on to Warn.
func (c *Cache) Alert(w assay.Warning) {
	if c.Warn != nil {
		c.Warn(w)
	}
}

// Place makes a folder of the cache, unless it exists, by filling a temporary one and
// renaming it: so it is always whole, and two processes may make it at the same time.
func (c *Cache) Place(dst string, fill func(dir string) error) (string, error) {
	if disk.IsDir(dst) {
		return dst, nil
	}
	tmp, err := c.TempDir("src-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "tree")
	if err := os.Mkdir(made, 0o777); err != nil {
		return "", fmt.Errorf("make source folder: %w", err)
	}
	if err := fill(made); err != nil {
		return "", err
	}
	return dst, Put(made, dst)
}

// Put renames a folder to dst. An existing one is as good, since names in the cache stand
// for contents.
func Put(made, dst string) error {
	if err := os.MkdirAll(filepath.Dir(dst), 0o777); err != nil {
		return fmt.Errorf("make cache folder: %w", err)
	}
	err := os.Rename(made, dst)
	if err != nil && disk.IsDir(dst) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("move into cache: %w", err)
	}
	return nil
}

// TempDir makes a folder for unfinished work inside the cache. The next process clears
// what a killed one leaves.
func (c *Cache) TempDir(prefix string) (string, error) {
	owner, err := c.owner()
	if err != nil {
		return "", err
	}
	tmp := filepath.Join(c.Dir, "tmp")
	if err := os.MkdirAll(tmp, 0o777); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	dir, err := os.MkdirTemp(tmp, owner+"."+prefix)
	if err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	return dir, nil
}

// KeepLog writes the output of a failed command to a file of the cache and returns its
// name.
func (c *Cache) KeepLog(output []byte) (string, error) {
	dir := filepath.Join(c.Dir, "log")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("make log folder: %w", err)
	}
	// Named by content: the same failure again does not fill the disk.
	log := filepath.Join(dir, KeyOf(output)+".log")
	return log, disk.WriteFile(log, output)
}

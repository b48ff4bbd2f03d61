package cache

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
)

// Limit is the size of the cache, in bytes, above which a measurement first removes the
// least recently used entries.
const Limit = 10 << 30

// pruneEvery is the interval of such checks.
const pruneEvery = 24 * time.Hour

// kinds are the folders of the cache whose entries can be made again.
var kinds = []string{"artifact", "src", "mod", "goroot", "linker", "log", "value", "agent"}

// oldKinds are folders of older versions, which nothing reads any more.
var oldKinds = []string{
	"gate",  // findings of gates, which are values now
	"clock", // overlays of package testing, for Go benchmarks in turns
}

// An Entry is a binary, a source, or something that belongs to one.
type Entry struct {
	// Kind is a folder of the cache, Name the entry in it.
	Kind, Name string
	Bytes      int64
	// Used is when it was last used or made.
	Used time.Time
}

// Entries lists the cache, the least recently used first.
func (c *Cache) Entries() (out []Entry, err error) {
	for _, kind := range slices.Concat(kinds, oldKinds) {
		entries, err := os.ReadDir(filepath.Join(c.Dir, kind))
		if err != nil && !os.IsNotExist(err) {
			return nil, fmt.Errorf("read cache: %w", err)
		}
		for _, e := range entries {
			out = append(out, c.entry(kind, e))
		}
	}
	slices.SortFunc(out, func(x, y Entry) int {
		return cmp.Or(x.Used.Compare(y.Used), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Name, y.Name))
	})
	return out, nil
}

func (c *Cache) entry(kind string, d fs.DirEntry) Entry {
	e := Entry{Kind: kind, Name: d.Name()}
	dir := filepath.Join(c.Dir, kind, d.Name())
	for _, name := range []string{dir, c.usedFile(kind, d.Name())} {
		if info, err := os.Lstat(name); err == nil && info.ModTime().After(e.Used) {
			e.Used = info.ModTime()
		}
	}
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // what vanishes takes no room
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				e.Bytes += info.Size()
			}
		}
		return nil
	})
	return e
}

// usedFile is the file whose time is that of the last use of an entry. It lies beside the
// entry: touching a source would change its seal.
func (c *Cache) usedFile(kind, name string) string {
	return filepath.Join(c.Dir, "used", kind+"."+name)
}

// Touch notes that an entry of the cache is in use. It is best effort.
func (c *Cache) Touch(dir string) {
	rel, err := filepath.Rel(c.Dir, dir)
	kind, name, ok := strings.Cut(filepath.ToSlash(rel), "/")
	if err != nil || !ok || !slices.Contains(kinds, kind) {
		return
	}
	name, _, _ = strings.Cut(name, "/")
	file, now := c.usedFile(kind, name), time.Now()
	if os.Chtimes(file, now, now) == nil {
		return
	}
	if os.MkdirAll(filepath.Dir(file), 0o777) == nil {
		os.WriteFile(file, nil, 0o666)
	}
}

// Prune removes the least recently used entries until the cache has at most limit bytes,
// and all that only older versions read. It returns how many bytes it freed. Nobody may
// build or measure meanwhile.
func (c *Cache) Prune(limit int64) (freed int64, err error) {
	entries, err := c.Entries()
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, e := range entries {
		sum += e.Bytes
	}
	for _, e := range entries {
		if sum-freed <= limit && !slices.Contains(oldKinds, e.Kind) {
			continue
		}
		if err := disk.RemoveAll(filepath.Join(c.Dir, e.Kind, e.Name)); err != nil {
			return freed, fmt.Errorf("prune cache: %w", err)
		}
		os.Remove(c.usedFile(e.Kind, e.Name))
		freed += e.Bytes
	}
	return freed, nil
}

// PruneDaily prunes the cache to Limit, once a day. It is best effort, like Sweep.
func (c *Cache) PruneDaily() {
	file := filepath.Join(c.Dir, "used", "pruned")
	if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) < pruneEvery {
		return
	}
	if os.MkdirAll(filepath.Dir(file), 0o777) != nil || os.WriteFile(file, nil, 0o666) != nil {
		return
	}
	c.Prune(Limit)
}

package cache

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/seed-1318a441/assay/internal/disk"
)

// Unfinished work lies in tmp, in folders that begin with the name of their owner, a
// process. An owner holds the lock of alive/NAME as long as it lives, however it ends: so
// what a killed process left is told from what one that runs for days still needs.

// owners are those of this process, by cache.
var owners struct {
	sync.Mutex
	name map[string]string
	lock []*flock.Flock // held to the end
}

// nameLen is the number of characters of an owner's name.
const nameLen = 16

// owner returns the name under which this process works in the cache.
func (c *Cache) owner() (string, error) {
	owners.Lock()
	defer owners.Unlock()
	if name := owners.name[c.Dir]; name != "" && disk.IsFile(c.aliveFile(name)) {
		return name, nil
	}
	if err := os.MkdirAll(filepath.Join(c.Dir, "alive"), 0o777); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	for range 100 {
		var id [nameLen / 2]byte
		rand.Read(id[:])
		name := hex.EncodeToString(id[:])
		lock := flock.New(c.aliveFile(name))
		ok, err := lock.TryLock()
		if err != nil {
			return "", fmt.Errorf("lock cache: %w", err)
		}
		// One that sweeps may have taken it before it was locked, and removed it.
		if !ok || !disk.IsFile(c.aliveFile(name)) {
			lock.Close()
			continue
		}
		if owners.name == nil {
			owners.name = map[string]string{}
		}
		owners.name[c.Dir], owners.lock = name, append(owners.lock, lock)
		return name, nil
	}
	return "", errors.New("lock cache: every name was taken")
}

func (c *Cache) aliveFile(name string) string { return filepath.Join(c.Dir, "alive", name) }

// stale is the age at which a folder without an owner, as made by older versions, must
// belong to a dead process.
const stale = 24 * time.Hour

// Sweep clears, once, what killed processes left behind. TempDir needs no Sweep.
func (c *Cache) Sweep() { c.swept.Do(c.removeStale) }

// removeStale clears what killed processes left. It is best effort: the build that needs
// the cache reports if it cannot be read.
func (c *Cache) removeStale() {
	owners.Lock()
	own := owners.name[c.Dir]
	owners.Unlock()
	dead := map[string]bool{}
	names, _ := os.ReadDir(filepath.Join(c.Dir, "alive"))
	for _, e := range names {
		if e.Name() == own {
			continue
		}
		lock := flock.New(c.aliveFile(e.Name()))
		if ok, err := lock.TryLock(); ok && err == nil {
			dead[e.Name()] = true
			defer func() { os.Remove(lock.Path()); lock.Close() }()
		}
	}
	tmp := filepath.Join(c.Dir, "tmp")
	entries, err := os.ReadDir(tmp)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, e := range entries {
		name, _, owned := strings.Cut(e.Name(), ".")
		owned = owned && len(name) == nameLen
		info, err := e.Info()
		old := err == nil && time.Since(info.ModTime()) > stale
		if owned && (dead[name] || old && name != own && !disk.IsFile(c.aliveFile(name))) || !owned && old {
			disk.RemoveAll(filepath.Join(tmp, e.Name()))
		}
	}
}

// Package blob stores files under the SHA-256 of their content. What a machine elsewhere
// needs for its trials travels there once: linkers, archives of packages, trees.
//
//	ab/abcdef…     a file, as it is: never written to, executable
//	tmp/           files that are being received
//
// A file appears whole, so several processes may share a store, and each may be killed at
// any moment. Put checks the content, every use the size; Check reads the content again.
// The package does not know what a file is for, and sends nothing.
package blob

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
)

// Limit is the size of a store, in bytes, that Sweep is meant to keep it to.
const Limit = 10 << 30

// inUse is how long after its last use a file may be needed by a run.
const inUse = 24 * time.Hour

// touchEvery is how precisely a store notes when a file was last used.
const touchEvery = time.Minute

// ErrContent means that data is not what its sum and size say.
var ErrContent = errors.New("the content is another")

// A Store is a folder of files. Its methods may be called in parallel.
type Store struct {
	dir string

	mu      sync.Mutex
	touched map[string]time.Time // by sum
}

// Open returns the store in a folder, which is made if it is missing.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o777); err != nil {
		return nil, fmt.Errorf("make store of files: %w", err)
	}
	return &Store{dir: dir, touched: map[string]time.Time{}}, nil
}

// IsSum reports whether s has the form of a SHA-256: 64 lower-case hex digits.
func IsSum(s string) bool {
	return len(s) == 2*sha256.Size && !slices.ContainsFunc([]byte(s), func(c byte) bool { return (c < '0' || c > '9') && (c < 'a' || c > 'f') })
}

// Has reports whether the store has a file of that sum and size, in bytes. A file of
// another size is damaged: it is thrown away.
func (s *Store) Has(sum string, size int64) bool {
	if !IsSum(sum) {
		return false
	}
	st, err := os.Lstat(s.file(sum))
	if err != nil {
		return false
	}
	if !st.Mode().IsRegular() || st.Size() != size {
		os.RemoveAll(s.file(sum))
		return false
	}
	s.touch(sum)
	return true
}

// Path returns where the file of a sum is, or will be once it is put; "" if sum is none.
// Nobody may write to the file.
func (s *Store) Path(sum string) string {
	if !IsSum(sum) {
		return ""
	}
	s.touch(sum)
	return s.file(sum)
}

func (s *Store) file(sum string) string { return filepath.Join(s.dir, sum[:2], sum) }

// touch notes that a file is in use: the time of a file is that of its last use. It is
// best effort.
func (s *Store) touch(sum string) {
	now := time.Now()
	s.mu.Lock()
	recent := now.Sub(s.touched[sum]) < touchEvery
	if !recent {
		s.touched[sum] = now
	}
	s.mu.Unlock()
	if !recent {
		os.Chtimes(s.file(sum), now, now)
	}
}

// Put stores a file of size bytes, which r has as Compress writes it. The error is
// ErrContent if r has anything else. Put reads r to its end, also when the file is there
// already, unless it fails.
func (s *Store) Put(sum string, size int64, r io.Reader) error {
	if !IsSum(sum) || size < 0 {
		return fmt.Errorf("store file %.80q of %d bytes: not a SHA-256 and a size", sum, size)
	}
	if s.Has(sum, size) {
		_, err := io.Copy(io.Discard, r)
		return err
	}
	if err := s.receive(sum, size, r); err != nil {
		return fmt.Errorf("store file %.12s of %d bytes: %w", sum, size, err)
	}
	return nil
}

func (s *Store) receive(sum string, size int64, r io.Reader) error {
	f, err := os.CreateTemp(filepath.Join(s.dir, "tmp"), "")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already if all went well
	defer f.Close()
	plain := Decompress(r, size)
	defer plain.Close()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(f, h), plain); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != sum {
		return fmt.Errorf("%w: its SHA-256 is %.12x", ErrContent, h.Sum(nil))
	}
	// All are executable: who puts a linker need not say so.
	if err := cmp.Or(f.Chmod(0o555), f.Close(), os.MkdirAll(filepath.Dir(s.file(sum)), 0o777)); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), s.file(sum)); err != nil && !disk.IsFile(s.file(sum)) { // another process was faster
		return err
	}
	return nil
}

// Check reads a file again and reports whether it is what its sum says. It throws a
// damaged one away.
func (s *Store) Check(sum string) bool {
	if !IsSum(sum) {
		return false
	}
	got, err := disk.Digest(s.file(sum))
	if err == nil && got != sum {
		os.Remove(s.file(sum))
	}
	return got == sum
}

// Sweep removes the files used least recently until the store has at most limit bytes, and
// returns how many it freed. Files used within a day stay: another process may need them.
// It also clears what killed processes left.
func (s *Store) Sweep(limit int64) (freed int64, err error) {
	type blob struct {
		name string
		info fs.FileInfo
	}
	var all []blob
	var sum int64
	err = filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() { // another process sweeps too
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		switch {
		case err != nil:
		case time.Since(info.ModTime()) < inUse:
			sum += info.Size()
		case filepath.Base(filepath.Dir(name)) == "tmp":
			os.Remove(name)
		default:
			sum += info.Size()
			all = append(all, blob{name, info})
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("sweep store of files: %w", err)
	}
	slices.SortFunc(all, func(x, y blob) int {
		return cmp.Or(x.info.ModTime().Compare(y.info.ModTime()), cmp.Compare(x.name, y.name))
	})
	for _, b := range all {
		if sum-freed <= limit {
			break
		}
		if err := os.Remove(b.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return freed, fmt.Errorf("sweep store of files: %w", err)
		}
		freed += b.info.Size()
	}
	return freed, nil
}

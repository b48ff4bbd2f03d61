package record

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// originFile marks a run as made by the user who has the key. It has no effect elsewhere.
const originFile = "origin"

// keyLen is the length of a key, in bytes.
const keyLen = 32

// Key reads the secret by which a user's assay recognises its own runs, and draws it the
// first time. It creates the folder, which belongs to the user.
func Key(dir string) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	name := filepath.Join(dir, "key")
	key, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		key = make([]byte, keyLen)
		rand.Read(key)
		err = writeKey(dir, name, key)
		if errors.Is(err, fs.ErrExist) { // another assay was faster
			key, err = os.ReadFile(name)
		}
	}
	if err == nil && len(key) != keyLen {
		err = fmt.Errorf("%s has %d bytes, not %d: remove it, and runs made so far need --trust", name, len(key), keyLen)
	}
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	return key, nil
}

// writeKey creates the file unless it exists, completely or not at all.
func writeKey(dir, name string, key []byte) error {
	f, err := os.CreateTemp(dir, ".key.*") // nobody else may read it
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(key)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), name)
}

// Sign marks the run as made by the owner of the key.
func (r *Record) Sign(key []byte) error {
	return r.folder.replace(originFile, []byte(r.run.signature(key)+"\n"))
}

// Signed reports whether the owner of the key made the run.
func (r *Run) Signed(key []byte) bool {
	if r.fsys == nil || len(key) == 0 {
		return false
	}
	found, err := readFile(r.fsys, originFile)
	return err == nil && hmac.Equal(found, []byte(r.signature(key)+"\n"))
}

// signature binds the key to the plan.
func (r *Run) signature(key []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("assay run " + r.planSum))
	return hex.EncodeToString(h.Sum(nil))
}

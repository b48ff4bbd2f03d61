package disk

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Seal is the content of a folder when it was made: the hash of every file, and enough
// of its state to see without reading it that it has not been written to since. It is
// stored beside the folder.
type Seal struct {
	Files []SealedFile `json:"files"` // by name
}

// A SealedFile is one file of a Seal. For a link, Hash is that of its target.
type SealedFile struct {
	Name string      `json:"name"` // with slashes
	Mode fs.FileMode `json:"mode"`
	Size int64       `json:"size"`
	// Written and Changed are times in nanoseconds: of the last change of the content,
	// and of the content or its attributes, which no program can set; 0 if the system has
	// none.
	Written int64  `json:"written"`
	Changed int64  `json:"changed,omitempty"`
	Hash    string `json:"hash"` // hex SHA-256
}

// SealOf seals a folder. It reuses the hashes of a former Seal for files with unchanged
// state.
func SealOf(dir string, former Seal) (Seal, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Seal{}, err
	}
	defer root.Close()
	known := make(map[string]SealedFile, len(former.Files))
	for _, f := range former.Files {
		known[f.Name] = f
	}
	var s Seal
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := StateOf(name, info)
		if k := known[name]; f.sameState(k) {
			f.Hash = k.Hash
		} else if f.Hash, err = contentHash(root, f); err != nil {
			return err
		}
		s.Files = append(s.Files, f)
		return nil
	})
	slices.SortFunc(s.Files, func(a, b SealedFile) int { return strings.Compare(a.Name, b.Name) })
	return s, err
}

// StateOf returns a SealedFile without its hash.
func StateOf(name string, info fs.FileInfo) SealedFile {
	return SealedFile{Name: name, Mode: info.Mode(), Size: info.Size(), Written: info.ModTime().UnixNano(), Changed: changeTime(info)}
}

func (f SealedFile) sameState(g SealedFile) bool {
	g.Hash = f.Hash
	return f == g
}

// contentHash hashes a file, or the target of a link. Anything else, such as a pipe, has
// no content.
func contentHash(root *os.Root, f SealedFile) (string, error) {
	h := sha256.New()
	switch {
	case f.Mode.IsRegular():
		in, err := root.Open(filepath.FromSlash(f.Name))
		if err != nil {
			return "", err
		}
		defer in.Close()
		if _, err := io.Copy(h, in); err != nil {
			return "", err
		}
	case f.Mode&fs.ModeSymlink != 0:
		to, err := root.Readlink(filepath.FromSlash(f.Name))
		if err != nil {
			return "", err
		}
		io.WriteString(h, to)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// H1 returns the hash of a module with these files as in go.sum (package dirhash); at is
// path@version. Files in leave are not part of the module.
func (s Seal) H1(at string, leave ...string) string {
	h := sha256.New()
	for _, f := range s.Files {
		if !slices.Contains(leave, f.Name) {
			fmt.Fprintf(h, "%s  %s/%s\n", f.Hash, at, f.Name)
		}
	}
	return "h1:" + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// Changes lists the files that differ between was and s. Whether a file is executable
// counts, other permissions do not.
func (s Seal) Changes(was Seal) []string {
	before := map[string]SealedFile{}
	for _, f := range was.Files {
		before[f.Name] = f
	}
	var out []string
	for _, f := range s.Files {
		b, ok := before[f.Name]
		delete(before, f.Name)
		if !ok || b.Hash != f.Hash || b.Mode.Type() != f.Mode.Type() || b.Mode&0o100 != f.Mode&0o100 {
			out = append(out, f.Name)
		}
	}
	for name := range before {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func sealFile(dir string) string { return dir + ".seal" }

// ErrNoSeal means that a folder has no readable seal.
var ErrNoSeal = errors.New("it has no seal")

// ReadSeal reads the seal of a folder.
func ReadSeal(dir string) (Seal, error) {
	var s Seal
	if !ReadJSON(sealFile(dir), &s) {
		return s, ErrNoSeal
	}
	return s, nil
}

// Write stores the seal of a folder beside it.
func (s Seal) Write(dir string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("seal %s: %w", filepath.Base(dir), err)
	}
	return WriteFile(sealFile(dir), data)
}

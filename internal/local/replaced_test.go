package local

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
)

// A trial that replaces the executable of the others, or writes into it, ends the run.
func TestReplacedBinary(t *testing.T) {
	for name, c := range map[string]struct {
		touch func(path string) error
		fails bool
	}{
		"nothing": {func(string) error { return nil }, false},
		"touched": {func(path string) error { return os.Chmod(path, 0o750) }, false},
		"replaced": {func(path string) error {
			return errors.Join(os.WriteFile(path+"x", []byte("evil"), 0o755), os.Rename(path+"x", path))
		}, true},
		"written": {func(path string) error {
			info, err := os.Stat(path)
			return errors.Join(err, os.WriteFile(path, []byte("evil"), 0o755), os.Chtimes(path, info.ModTime(), info.ModTime()))
		}, true},
		"removed": {os.Remove, true},
	} {
		path := filepath.Join(t.TempDir(), "x.test")
		if err := os.WriteFile(path, []byte("good"), 0o755); err != nil {
			t.Fatal(err)
		}
		sum, err := disk.Digest(path)
		if err != nil {
			t.Fatal(err)
		}
		m, a := &Machine{files: map[string]holding{}}, lab.Artifact{ID: "x", Package: "example.com/x"}
		m.hold("x", holding{Artifact: build.Artifact{Path: path, SHA256: sum}, stamp: stampOf(path)})
		if err := c.touch(path); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := m.lookup(a)
			e, ok := errors.AsType[*assay.Error](err)
			if ok != c.fails || ok && e.Code != assay.CodeBinaryChanged {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

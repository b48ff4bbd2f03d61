package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A sealed source is made once; one that was changed since is made again, and its user hears
// which file it was. A Cache checks it once.
func TestSealedSource(t *testing.T) {
	dir := t.TempDir()
	fills := 0
	source := func(c *Cache) Source {
		return Sealed(filepath.Join(c.Dir, "tree", "x"), "revision 3f2c9aa", func(made string) error {
			fills++
			return os.WriteFile(filepath.Join(made, "a.go"), []byte("package a\n"), 0o666)
		}, "", "")
	}
	ready := func() (file string, warned []assay.Warning) {
		t.Helper()
		c := New(dir) // another process
		c.Warn = func(w assay.Warning) { warned = append(warned, w) }
		for range 2 {
			at, err := c.Ready(source(c))
			if err != nil {
				t.Fatal(err)
			}
			file = filepath.Join(at, "a.go")
		}
		return file, warned
	}
	file, warned := ready()
	if _, again := ready(); fills != 1 || len(warned)+len(again) > 0 {
		t.Errorf("filled %d times, warned %v", fills, append(warned, again...))
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, warned = ready()
	text, err := os.ReadFile(file)
	if fills != 2 || string(text) != "package a\n" || err != nil {
		t.Errorf("filled %d times, it has %q, %v", fills, text, err)
	}
	if len(warned) != 1 || warned[0].Code != assay.CodeCacheChanged || !strings.Contains(strings.Join(warned[0].Facts, " "), "a.go") {
		t.Errorf("warned %+v", warned)
	}
}

// A source that cannot be made leaves nothing behind.
func TestSourceThatFails(t *testing.T) {
	c := New(t.TempDir())
	broken := errors.New("no such revision")
	at := filepath.Join(c.Dir, "tree", "x")
	if _, err := c.Ready(Sealed(at, "revision 1", func(made string) error {
		_ = os.WriteFile(filepath.Join(made, "half"), nil, 0o666)
		return broken
	}, "", "")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(at); err == nil {
		t.Error("half of it is there")
	}
	// What a module's hash does not fit is not as it was published.
	_, err := c.Ready(Sealed(filepath.Join(c.Dir, "tree", "y"), "module y", func(string) error { return nil }, "y@v1", "h1:other"))
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoModule {
		t.Errorf("got %v, want that the module is not as it was published", err)
	}
}

// Logs of the same failure are one file.
func TestKeepLog(t *testing.T) {
	c := New(t.TempDir())
	a, err := c.KeepLog([]byte("ld: killed\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.KeepLog([]byte("ld: killed\n"))
	other, otherErr := c.KeepLog([]byte("another\n"))
	if err != nil || otherErr != nil || a != b || a == other {
		t.Errorf("got %s, %s, %s, %v, %v", a, b, other, err, otherErr)
	}
	if text, err := os.ReadFile(a); string(text) != "ld: killed\n" {
		t.Errorf("got %q, %v", text, err)
	}
}

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

// What was used least recently goes first, until the rest fits; what a use touched stays.
func TestPrune(t *testing.T) {
	c := New(t.TempDir())
	kb := strings.Repeat("x", 1000)
	disktest.Write(t, c.Dir, map[string]string{"artifact/a/x.test": kb, "src/b/deep/x.go": kb, "artifact/c/x.test": kb, "value/d/v.json": kb, "tmp/e/x": kb})
	for i, name := range []string{"artifact/a", "src/b", "artifact/c", "value/d"} {
		then := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(filepath.Join(c.Dir, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	c.Touch(filepath.Join(c.Dir, "artifact", "a"))
	entries, err := c.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, e := range entries {
		if order = append(order, e.Name); e.Bytes != 1000 {
			t.Errorf("%+v has not 1,000 bytes", e)
		}
	}
	if got := strings.Join(order, " "); got != "b c d a" {
		t.Errorf("least recently used first: %s, want b c d a", got)
	}
	freed, err := c.Prune(2500)
	if err != nil || freed != 2000 || disk.IsDir(filepath.Join(c.Dir, "src", "b")) || disk.IsDir(filepath.Join(c.Dir, "artifact", "c")) ||
		!disk.IsDir(filepath.Join(c.Dir, "artifact", "a")) || !disk.IsDir(filepath.Join(c.Dir, "tmp", "e")) {
		t.Errorf("freed %d, %v", freed, err)
	}
}

// What only older versions read is removed while there is room, too.
func TestPruneOldKinds(t *testing.T) {
	c := New(t.TempDir())
	disktest.Write(t, c.Dir, map[string]string{"value/d/v.json": "{}", "gate/gate/x.json": "{}"})
	freed, err := c.Prune(Limit)
	if err != nil || freed != 2 || disk.IsDir(filepath.Join(c.Dir, "gate", "gate")) || !disk.IsDir(filepath.Join(c.Dir, "value", "d")) {
		t.Errorf("freed %d, %v", freed, err)
	}
}

package cache

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

// What a process left that is dead goes at once; what one of days still works in stays,
// and so does what may be of an older version, for a day.
func TestRemoveStale(t *testing.T) {
	c := New(t.TempDir())
	own, err := c.TempDir("links-")
	if err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-stale - time.Hour)
	dead := strings.Repeat("d", nameLen)
	disktest.Write(t, c.Dir, map[string]string{"alive/" + dead: "", "tmp/" + dead + ".links-1/x": "", "tmp/bin-1/x": "", "tmp/bin-2/x": ""})
	for _, dir := range []string{own, filepath.Join(c.Dir, "tmp", "bin-1")} {
		if err := os.Chtimes(dir, then, then); err != nil {
			t.Fatal(err)
		}
	}
	New(c.Dir).removeStale()
	entries, err := os.ReadDir(filepath.Join(c.Dir, "tmp"))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	// The own folder's name is drawn: either may come first.
	want := []string{filepath.Base(own), "bin-2"}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	if disk.IsFile(c.aliveFile(dead)) || !disk.IsFile(c.aliveFile(filepath.Base(own)[:nameLen])) {
		t.Error("the locks left are not those of who is alive")
	}
}

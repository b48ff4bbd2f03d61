package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a dead process left goes: its folders, by its lock that nobody holds, and old folders
// of no process. Those of living ones stay, and what another kind of name has and is new.
func TestSweepTellsTheDeadFromTheLiving(t *testing.T) {
	c := New(t.TempDir())
	mine, err := c.TempDir("work")
	if err != nil {
		t.Fatal(err)
	}
	tmp, alive := filepath.Dir(mine), filepath.Join(c.Dir, "alive")
	dead := strings.Repeat("d", nameLen)
	old := time.Now().Add(-2 * stale)
	for name, at := range map[string]time.Time{dead + ".work-1": time.Now(), "stranger": time.Now(), "old": old, strings.Repeat("e", nameLen) + ".gone-2": old} {
		dir := filepath.Join(tmp, name)
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(alive, dead), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c.Sweep()
	left, err := os.ReadDir(tmp)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), filepath.Base(mine)+" stranger"; got != want && got != "stranger "+filepath.Base(mine) {
		t.Errorf("left are %q, want %q", got, want)
	}
	if _, err := os.Stat(filepath.Join(alive, dead)); err == nil {
		t.Error("the lock of a dead process is left")
	}
}

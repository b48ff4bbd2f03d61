package session

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/host"
)

// ownFolders gives the test a cache and a lock of its own.
func ownFolders(t *testing.T) (cacheDir string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if runtime.GOOS == "darwin" { // where the cache is below it
		t.Setenv("HOME", t.TempDir())
	}
	t.Setenv(host.LockVariable, t.TempDir())
	return cache.New("").Dir
}

// ownConfig gives the test a folder of settings of its own, in which the go command keeps no
// telemetry: it would write there after the test.
func ownConfig(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	disktest.Write(t, dir, map[string]string{"go/telemetry/mode": "off"})
	t.Setenv("XDG_CONFIG_HOME", dir)
	return dir
}

// fillCache puts entries of a number of bytes into the cache, each used so many hours ago.
func fillCache(t *testing.T, dir string, entries map[string]struct{ bytes, hours int }) {
	t.Helper()
	for name, e := range entries {
		disktest.Write(t, dir, map[string]string{name + "/x": strings.Repeat("x", e.bytes)})
		used := time.Now().Add(-time.Duration(e.hours)*time.Hour - time.Minute)
		if err := os.Chtimes(filepath.Join(dir, name), used, used); err != nil {
			t.Fatal(err)
		}
	}
}

// The table of the cache has a line for each kind, the one that waits longest first, and
// what all take together.
func TestCacheLines(t *testing.T) {
	dir := ownFolders(t)
	fillCache(t, dir, map[string]struct{ bytes, hours int }{"artifact/a": {1024, 5}, "artifact/b": {2048, 1}, "src/c": {512, 20}})
	lines, err := CacheLines()
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, line := range lines {
		got = append(got, strings.Fields(line))
	}
	want := [][]string{
		strings.Fields("kind entries size least recent use"),
		strings.Fields("src 1 512 B 20 h ago"),
		strings.Fields("artifact 2 3 KiB 5 h ago"),
		strings.Fields("all 3 3.5 KiB"),
		{dir},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant %q", strings.Join(lines, "\n"), want)
	}
}

// An empty cache has nothing in it, and says where it would be.
func TestEmptyCache(t *testing.T) {
	dir := ownFolders(t)
	lines, err := CacheLines()
	if err != nil || len(lines) != 3 || !reflect.DeepEqual(strings.Fields(lines[1]), strings.Fields("all 0 0 B")) || lines[2] != dir {
		t.Errorf("got %q, %v, want nothing in %s", lines, err, dir)
	}
}

// Pruning removes what was used least recently until the rest fits, and says how much that
// was. It is refused while another assay measures.
func TestPruneCache(t *testing.T) {
	dir := ownFolders(t)
	fillCache(t, dir, map[string]struct{ bytes, hours int }{"artifact/old": {1024, 9}, "src/older": {1024, 10}, "artifact/new": {2048, 1}})
	leave, err := host.Occupy(t.Context(), host.Occupant{PID: 7, Command: "assay run"}, func(host.Occupant) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = PruneCache(ctx, 0)
	if text := errortest.Want(t, err, assay.CodeMachineBusy, assay.ExitRefused); !strings.Contains(text, "process 7") ||
		!disk.IsFile(filepath.Join(dir, "src", "older", "x")) {
		t.Errorf("got %s, want process 7 named and nothing removed", text)
	}
	if err := leave(); err != nil {
		t.Fatal(err)
	}
	freed, err := PruneCache(ctx, 3072)
	if err != nil || freed != "1 KiB" || disk.IsFile(filepath.Join(dir, "src", "older", "x")) || !disk.IsFile(filepath.Join(dir, "artifact", "old", "x")) {
		t.Errorf("got %s, %v, want the oldest KiB gone alone", freed, err)
	}
	if freed, err = PruneCache(ctx, 0); err != nil || freed != "3 KiB" {
		t.Errorf("got %s, %v, want all of it gone", freed, err)
	}
}

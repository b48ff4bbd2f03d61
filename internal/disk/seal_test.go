package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

// A file whose state is that of the seal is not read.
func TestSealReadsLittle(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"a": "1", "b/c": "2"})
	if runtime.GOOS != "windows" {
		if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
	}
	first, err := SealOf(dir, Seal{})
	if err != nil || len(first.Files) < 2 || first.Files[1].Name != "b/c" {
		t.Fatalf("got %+v, %v", first, err)
	}
	first.Files[1].Hash = "made up"
	if second, err := SealOf(dir, first); err != nil || second.Files[1].Hash != "made up" {
		t.Errorf("got %+v, %v: b/c was read again", second, err)
	}
	disktest.Write(t, dir, map[string]string{"b/c": "22"})
	if third, err := SealOf(dir, first); err != nil || third.Files[1].Hash == "made up" {
		t.Errorf("got %+v, %v: b/c was not read again", third, err)
	}
}

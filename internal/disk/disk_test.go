package disk

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder of which a file cannot be removed goes nevertheless.
func TestRemoveAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	if err := os.MkdirAll(filepath.Join(dir, "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b", "c"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "b"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := RemoveAll(dir); err != nil || IsDir(dir) {
		t.Error(err)
	}
}

func TestTilde(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for dir, want := range map[string]string{home: "~", home + "x": home + "x", filepath.Join(home, "a"): "~" + string(filepath.Separator) + "a"} {
		if got := Tilde(dir); got != want {
			t.Errorf("Tilde(%q) = %q, want %q", dir, got, want)
		}
	}
}

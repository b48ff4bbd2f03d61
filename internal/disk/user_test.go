package disk

import (
	"path/filepath"
	"runtime"
	"testing"
)

// The folders are below those that the environment names, if these are paths from the root,
// else below the home.
func TestUserFolders(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("settings are elsewhere on this system")
	}
	home, other := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	for _, c := range []struct {
		name, value string
		find        func() (string, error)
		want        string
	}{
		{"XDG_STATE_HOME", other, StateDir, filepath.Join(other, "assay")},
		{"XDG_STATE_HOME", "", StateDir, filepath.Join(home, ".local", "state", "assay")},
		{"XDG_STATE_HOME", "state", StateDir, filepath.Join(home, ".local", "state", "assay")},
		{"XDG_CONFIG_HOME", other, ConfigDir, filepath.Join(other, "assay")},
		{"XDG_CONFIG_HOME", "", ConfigDir, filepath.Join(home, ".config", "assay")},
	} {
		t.Setenv(c.name, c.value)
		if got, err := c.find(); got != c.want || err != nil {
			t.Errorf("%s=%s: got %s, %v, want %s", c.name, c.value, got, err, c.want)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	if dir, err := StateDir(); err == nil {
		t.Errorf("got %s without a home, want an error", dir)
	}
	if dir, err := ConfigDir(); err == nil {
		t.Errorf("got %s without a home, want an error", dir)
	}
}

package disk

import (
	"fmt"
	"os"
	"path/filepath"
)

// ConfigDir returns the folder of the user's settings for assay: below XDG_CONFIG_HOME,
// else where the system keeps settings. It need not exist.
func ConfigDir() (string, error) {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return "", fmt.Errorf("find the folder of settings: %w", err)
		}
	}
	return filepath.Join(dir, "assay"), nil
}

// StateDir returns the folder of what assay remembers: below XDG_STATE_HOME, else below
// ~/.local/state. It need not exist.
func StateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "assay"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder of what is remembered: %w", err)
	}
	return filepath.Join(home, ".local", "state", "assay"), nil
}

package disk

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// ReadJSON reads a file into v and reports whether that succeeded.
func ReadJSON(name string, v any) bool {
	data, err := os.ReadFile(name)
	return err == nil && json.Unmarshal(data, v) == nil
}

// WriteJSON writes v to a file as WriteFile does, indented.
func WriteJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return WriteFile(name, append(data, '\n'))
}

// WriteFile writes a file atomically. Everyone may read it, if the file system allows
// that.
func WriteFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	defer os.Remove(f.Name()) // gone already when all went well
	f.Chmod(0o644)            // a cache may be shared; where this fails it is not
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return nil
}

package trial

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// maxResults is the maximum number of result files of a load generator.
const maxResults = 1 << 10

// A version shows whether a file has been written to.
type version struct {
	size int64
	time time.Time
}

// localPattern returns a pattern of files relative to the folder of a trial. It may name
// that folder but must not lead out of it.
func localPattern(dir, pattern string) (string, error) {
	local := filepath.Clean(pattern)
	if filepath.IsAbs(pattern) {
		var err error
		if local, err = filepath.Rel(dir, pattern); err != nil {
			local = ".."
		}
	}
	if _, err := path.Match(local, ""); err != nil || !filepath.IsLocal(local) {
		return "", fmt.Errorf("results %q names no files in the folder of the trial", pattern)
	}
	return filepath.ToSlash(local), nil
}

// findResults returns the files that match a local pattern.
func findResults(dir, pattern string) (map[string]version, error) {
	fsys := os.DirFS(dir)
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, fmt.Errorf("results %q: %w", pattern, err)
	}
	files := map[string]version{}
	for _, name := range names {
		if info, err := fs.Stat(fsys, name); err == nil && info.Mode().IsRegular() {
			files[name] = version{info.Size(), info.ModTime()}
		}
	}
	return files, nil
}

// openResults opens the files written since before was taken, in the order of their
// names: a warm-up with the same load leaves its own.
func openResults(dir, pattern string, before map[string]version) (files []io.Reader, closeAll func(), err error) {
	closeAll = func() {
		for _, f := range files {
			_ = f.(io.Closer).Close()
		}
	}
	now, err := findResults(dir, pattern)
	if err != nil {
		return nil, closeAll, err
	}
	var names []string
	for name, v := range now {
		if before[name] != v {
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 0:
		return nil, closeAll, fmt.Errorf("left no file that matches %q", pattern)
	case len(names) > maxResults:
		return nil, closeAll, fmt.Errorf("left %d files that match %q, more than %d", len(names), pattern, maxResults)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := os.DirFS(dir).Open(name)
		if err != nil {
			return files, closeAll, err
		}
		files = append(files, f)
	}
	return files, closeAll, nil
}

package overlay

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source"
)

// mustRead reads the layer of a folder.
func mustRead(t *testing.T, dir string) layer {
	t.Helper()
	l, err := readLayer(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// rootOf makes a folder with files and opens it.
func rootOf(t *testing.T, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	disktest.Write(t, dir, files)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// below lists the files below a folder.
func below(t *testing.T, dir string) []string {
	t.Helper()
	names, err := source.FilesBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// The hash of an overlay is that of names, contents and who may execute a file: not of
// where the folder lies, nor of when its files were written.
func TestHashOfLayer(t *testing.T) {
	files := map[string]string{"b_test.go": "b", "a/a.txt": "a", "a/run": "r"}
	dir := t.TempDir()
	disktest.Write(t, dir, files)
	l := mustRead(t, dir)
	if want := []string{"a/a.txt", "a/run", "b_test.go"}; !slices.Equal(l.files, want) {
		t.Errorf("got the files %q, want %q", l.files, want)
	}
	other := t.TempDir()
	disktest.Write(t, other, files)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(other, "b_test.go"), old, old); err != nil {
		t.Fatal(err)
	}
	if got := mustRead(t, other).hash; got != l.hash {
		t.Errorf("the same files elsewhere: got the hash %s, want %s", got, l.hash)
	}
	seen := map[string]string{l.hash: "the first"}
	for _, c := range []struct {
		name   string
		change func(name string) error
	}{
		{"other content", func(dir string) error { return os.WriteFile(filepath.Join(dir, "b_test.go"), []byte("c"), 0o666) }},
		{"another name", func(dir string) error {
			return os.Rename(filepath.Join(dir, "b_test.go"), filepath.Join(dir, "c_test.go"))
		}},
		{"another file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o666) }},
		{"executable", func(dir string) error { return os.Chmod(filepath.Join(dir, "a", "run"), 0o777) }},
	} {
		if c.name == "executable" && runtime.GOOS == "windows" {
			continue
		}
		if err := c.change(other); err != nil {
			t.Fatal(err)
		}
		got := mustRead(t, other).hash
		if as := seen[got]; as != "" {
			t.Errorf("%s: got the hash of %s", c.name, as)
		}
		seen[got] = c.name
	}
}

// A pattern hides what it matches from the top of the source, folders with all that is in
// them, and nothing else.
func TestHide(t *testing.T) {
	files := map[string]string{"a_test.go": "", "a.go": "", "dir/b_test.go": "", "dir/sub/c_test.go": "", "w[1]*": "", "w1x": ""}
	all := []string{"a.go", "a_test.go", "dir/b_test.go", "dir/sub/c_test.go", "w1x", "w[1]*"}
	for _, c := range []struct {
		patterns, gone []string
	}{
		{nil, nil},
		{[]string{"none", "."}, nil},
		{[]string{"*_test.go"}, []string{"a_test.go"}},
		{[]string{"dir/*_test.go", "a.go"}, []string{"dir/b_test.go", "a.go"}},
		{[]string{"dir"}, []string{"dir/b_test.go", "dir/sub/c_test.go"}},
		{[]string{"dir/sub", "dir/sub/c_test.go"}, []string{"dir/sub/c_test.go"}},
		{[]string{"w[1]*"}, []string{"w1x"}},
		{[]string{literal("w[1]*")}, []string{"w[1]*"}},
		{[]string{"*"}, all},
	} {
		root := rootOf(t, files)
		if err := hide(root, c.patterns); err != nil {
			t.Errorf("%q: %v", c.patterns, err)
		}
		want := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(c.gone, name) })
		if got := below(t, root.Name()); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", c.patterns, got, want)
		}
	}
	if root := rootOf(t, files); hide(root, []string{"*", "[a"}) == nil || len(below(t, root.Name())) != len(all) {
		t.Error("a broken pattern is no error, or something was removed before it was seen")
	}
}

// Where a file of the overlay has no place, what has to be hidden for it is named.
func TestInTheWay(t *testing.T) {
	root := rootOf(t, map[string]string{"file": "", "dir/deep/file": ""})
	for _, c := range []struct{ file, hidden, why string }{
		{"file", "", ""}, // is replaced
		{"new", "", ""},
		{"new/new", "", ""},
		{"dir/deep/new", "", ""},
		{"dir", "dir", "is a file of the overlay and a folder of the source"},
		{"dir/deep", "dir/deep", "is a file of the overlay and a folder of the source"},
		{"file/new", "file", "is a folder of the overlay and a file of the source"},
		{"dir/deep/file/a/b", "dir/deep/file", "is a folder of the overlay and a file of the source"},
	} {
		why, hidden := inTheWay(root, c.file)
		if hidden != c.hidden || !strings.Contains(why, c.why) || why == "" != (c.why == "") {
			t.Errorf("%s: got %q, hide %q, want %q, hide %q", c.file, why, hidden, c.why, c.hidden)
		}
	}
}

// A file that was made takes the place of the one in the folder; the others are copied.
func TestPut(t *testing.T) {
	dir, root := t.TempDir(), rootOf(t, nil)
	disktest.Write(t, dir, map[string]string{"a/copied": "copied", "a/made": "the folder's"})
	l := layer{dir: dir, files: []string{"a/copied", "a/made"}, made: map[string][]byte{"a/made": []byte("made")}}
	for _, name := range l.files {
		if err := l.put(root, name); err != nil {
			t.Fatal(err)
		}
		if got := string(disk.Content(filepath.Join(root.Name(), name))); "a/"+got != name {
			t.Errorf("%s has %q", name, got)
		}
	}
}

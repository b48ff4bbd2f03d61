package output

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// put writes a file with a text and permissions.
func put(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// has compares the text of a file, and the names in its folder.
func has(t *testing.T, name, want string, names int) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
	}
	if list, err := os.ReadDir(filepath.Dir(name)); err != nil || len(list) != names {
		t.Errorf("the folder has %v, %v, want %d files", list, err, names)
	}
}

// The suffix of a name says what is written, in capitals too.
func TestFormatOf(t *testing.T) {
	for name, want := range map[string]string{"a.html": HTML, "a.htm": HTML, "A.HTML": HTML, "a.md": Markdown, "b/c.csv": CSV, "a.b.json": JSON, "a.txt": Benchfmt,
		"a": "", "a.png": "", "a.pdf": "", "html": "", "a.json.gz": "", "": ""} {
		if got := FormatOf(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for _, f := range Formats {
		if suffix := map[string]string{Benchfmt: "txt"}[f]; FormatOf("x."+f) != f && FormatOf("x."+suffix) != f {
			t.Errorf("no name is of the format %s", f)
		}
	}
}

// A suffix and a format must agree; standard output has the format, or is a page.
func TestFormatFor(t *testing.T) {
	for _, x := range []struct{ name, format, want string }{
		{"a.md", "", Markdown}, {"a.md", Markdown, Markdown}, {"a.md", CSV, ""}, {"a", CSV, CSV}, {"a", "", ""}, {"-", "", HTML}, {"-", JSON, JSON},
	} {
		got, err := formatFor(x.name, x.format)
		if got != x.want || (err == nil) != (x.want != "") {
			t.Errorf("%s with %q: got %q, %v, want %q", x.name, x.format, got, err, x.want)
		}
	}
}

// What cannot be written is refused before anything is measured, and the check changes
// nothing.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.html")
	put(t, old, "old", 0o644)
	if err := Check([]string{old, filepath.Join(dir, "new.md")}); err != nil {
		t.Errorf("got %v of files that can be written", err)
	}
	has(t, old, "old", 1)
	for _, name := range []string{filepath.Join(dir, "x.pdf"), filepath.Join(dir, "no such folder", "x.html")} {
		err := Check([]string{old, name})
		if err == nil {
			t.Errorf("%s: got no error", name)
			continue
		}
		errortest.Want(t, err, assay.CodeOutput, assay.ExitUsage)
	}
	has(t, old, "old", 1)
}

// Of several machines there are a page, Markdown and JSON, and nothing else.
func TestCheckSeveral(t *testing.T) {
	for suffix, good := range map[string]bool{".html": true, ".htm": true, ".md": true, ".json": true, ".csv": false, ".txt": false, ".pdf": false} {
		err := CheckSeveral([]string{filepath.Join(t.TempDir(), "x"+suffix)})
		if (err == nil) != good {
			t.Errorf("%s: got %v, want that it can be written: %t", suffix, err, good)
		}
	}
	if err := CheckSeveral([]string{filepath.Join(t.TempDir(), "none", "x.html")}); err == nil {
		t.Error("a file in a folder that does not exist passes")
	}
}

// A file is replaced whole and keeps its permissions; a new one can be read by others.
// Nothing else stays in the folder.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.md")
	for _, x := range []struct {
		old  string
		mode fs.FileMode
		want fs.FileMode
	}{{"", 0, 0o644}, {"a longer text than the new one", 0o600, 0o600}, {"old", 0o664, 0o664}} {
		os.Remove(name)
		if x.mode != 0 {
			put(t, name, x.old, x.mode)
		}
		if err := Write(name, []byte("new")); err != nil {
			t.Fatal(err)
		}
		has(t, name, "new", 1)
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != x.want {
			t.Errorf("%+v: got %v, %v", x, info.Mode(), err)
		}
	}
	errortest.Want(t, Write(filepath.Join(dir, "none", "x.md"), nil), assay.CodeOutput, assay.ExitUsage)
}

// A link stays one: the file that it leads to gets the text.
func TestWriteThroughLink(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	link, target := filepath.Join(dir, "x.md"), filepath.Join(other, "y")
	put(t, target, "old", 0o644)
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := Check([]string{link}); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	has(t, target, "new", 1)
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("got %v, %v, want a link", info, err)
	}
}

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

// sealed makes a folder with files, and a link to one where the system has links, and
// seals it.
func sealed(t *testing.T) (dir string, s Seal) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "source")
	disktest.Write(t, dir, map[string]string{"a": "1", "b/c": "2", "b.txt": "3", "b/d": ""})
	if err := os.WriteFile(filepath.Join(dir, "run"), []byte("a"), 0o777); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
	}
	return dir, of(t, dir, Seal{})
}

// of seals a folder.
func of(t *testing.T, dir string, former Seal) Seal {
	t.Helper()
	s, err := SealOf(dir, former)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Files are listed by name, whatever folder they are in. A folder that is missing has no
// seal.
func TestFilesByName(t *testing.T) {
	dir, s := sealed(t)
	var got []string
	for _, f := range s.Files {
		got = append(got, f.Name)
	}
	want := []string{"a", "b.txt", "b/c", "b/d", "link", "run"}
	if runtime.GOOS == "windows" {
		want = slices.Delete(want, 4, 5)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if s, err := SealOf(dir+"x", Seal{}); err == nil {
		t.Errorf("a folder that is missing: got %+v", s)
	}
}

// What counts as a change: content, names, where a link leads, what is executable; not
// when a file was written, nor who may read it.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(dir string) error
		want   []string
		unix   bool
	}{
		{"nothing", func(string) error { return nil }, nil, false},
		{"other content of the same length", func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("9"), 0o666) }, []string{"a"}, false},
		{"the same content again", func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o666) }, nil, false},
		{"another time", func(dir string) error {
			return os.Chtimes(filepath.Join(dir, "a"), time.Unix(1e9, 0), time.Unix(1e9, 0))
		}, nil, false},
		{"a new file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "b", "new"), nil, 0o666) }, []string{"b/new"}, false},
		{"a new folder", func(dir string) error { return os.Mkdir(filepath.Join(dir, "e"), 0o777) }, nil, false},
		{"a folder less", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "b")) }, []string{"b/c", "b/d"}, false},
		{"another name", func(dir string) error { return os.Rename(filepath.Join(dir, "b.txt"), filepath.Join(dir, "z.txt")) }, []string{"b.txt", "z.txt"}, false},
		{"executable", func(dir string) error { return os.Chmod(filepath.Join(dir, "b", "d"), 0o766) }, []string{"b/d"}, true},
		{"private", func(dir string) error { return os.Chmod(filepath.Join(dir, "a"), 0o600) }, nil, true},
		{"a link that leads elsewhere", func(dir string) error { return relink(dir, "link", "b/c") }, []string{"link"}, true},
		{"a link that leads out", func(dir string) error { return relink(dir, "link", "../../outside") }, []string{"link"}, true},
		{"a link in place of a file", func(dir string) error { return relink(dir, "a", "b/c") }, []string{"a"}, true},
		{"a link with the text of a file", func(dir string) error { return relink(dir, "run", "a") }, []string{"run"}, true},
	} {
		if c.unix && runtime.GOOS == "windows" {
			continue
		}
		dir, before := sealed(t)
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		after := of(t, dir, Seal{})
		if got := after.Changes(before); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if got := before.Changes(after); !slices.Equal(got, c.want) {
			t.Errorf("%s, the other way round: got %q, want %q", c.name, got, c.want)
		}
	}
}

// relink puts a link in the place of a file.
func relink(dir, name, to string) error {
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		return err
	}
	return os.Symlink(to, filepath.Join(dir, name))
}

// An edit that sets the time of the file back is found: no program can set the time of its
// last change.
func TestTimeSetBack(t *testing.T) {
	dir, before := sealed(t)
	name := filepath.Join(dir, "a")
	was := before.Files[0]
	if runtime.GOOS != "linux" {
		t.Skip("the system is not asked when a file changed")
	}
	for range 1000 { // a clock has steps
		if err := os.WriteFile(name, []byte("9"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Unix(0, was.Written)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if StateOf("a", info).Changed != was.Changed {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if got := of(t, dir, before).Changes(before); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got the changes %q, want a", got)
	}
}

// H1 is the hash that go.sum has of a module with these files.
func TestH1(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.mod": "module example.com/m\n", "a-b": "1", "a/b": "2", "a.go": "package a\n", "A": ""})
	const at = "example.com/m@v1.0.0"
	want, err := dirhash.HashDir(dir, at, dirhash.Hash1)
	if err != nil {
		t.Fatal(err)
	}
	if got := of(t, dir, Seal{}).H1(at); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	disktest.Write(t, dir, map[string]string{"go.sum": "made here\n"})
	s := of(t, dir, Seal{})
	if got := s.H1(at, "go.sum"); got != want {
		t.Errorf("without go.sum: got %s, want %s", got, want)
	}
	if s.H1(at) == want || s.H1("example.com/m@v1.0.1", "go.sum") == want {
		t.Error("another file or version has the same hash")
	}
}

// A seal is stored beside its folder and read again as it was. Without one, or with one
// that cannot be read, it is known that there is none.
func TestStored(t *testing.T) {
	dir, s := sealed(t)
	if _, err := ReadSeal(dir); !errors.Is(err, ErrNoSeal) {
		t.Errorf("got %v before it was written, want %v", err, ErrNoSeal)
	}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := ReadSeal(dir)
	if err != nil || !slices.Equal(got.Files, s.Files) {
		t.Errorf("got %+v, %v, want %+v", got, err, s)
	}
	if changes := of(t, dir, got).Changes(s); changes != nil || !IsFile(dir+".seal") {
		t.Errorf("changes %q: the seal does not lie beside the folder", changes)
	}
	if err := os.WriteFile(dir+".seal", []byte(`{"files":[{"name":"a"`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSeal(dir); !errors.Is(err, ErrNoSeal) {
		t.Errorf("got %v of half a seal, want %v", err, ErrNoSeal)
	}
}

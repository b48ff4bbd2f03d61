package runs

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// zipped is a zip file of the files of a folder, and some others.
func zipped(t *testing.T, dir string, others ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range others {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte("x"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A run is read from a zip file as from its folder, and nothing but the files of a record
// can be opened in it.
func TestArchive(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := keep(t, t.TempDir(), demo("aaaa", 1), true)
	data := zipped(t, dir, "evidence/trials.jsonl", "collected/x.json.gz", "collected/12.json.gz", "../plan.json", "trials.jsonl.gz")
	name := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.TempDir(), name)
	if err != nil || s.Run == nil || s.Ref != name || s.Result.Run != "aaaa" || s.Result.Answer.Use != "new" {
		t.Fatalf("got %+v, %v, want run aaaa", s, err)
	}
	r, err := ReadForeign(name)
	if err != nil || !SameJSON(r, s.Result) {
		t.Errorf("read as a stranger's: got %+v, %v, want the same", r, err)
	}
	if r, err := ReadForeign(dir); err != nil || !SameJSON(r, s.Result) {
		t.Errorf("its folder: got %+v, %v, want the same", r, err)
	}
	fsys, err := openArchive(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"plan.json": true, "trials.jsonl": true, "result.json": true, "evidence/trials.jsonl": false, "collected/x.json.gz": false,
		"collected/12.json.gz": false, "../plan.json": false, "trials.jsonl.gz": true, "printed.tar.gz": false, ".": false} {
		f, err := fsys.Open(name)
		if err == nil {
			f.Close()
		}
		if (err == nil) != want || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want that it can be opened: %t", name, err, want)
		}
	}
}

// A run is read from a zip file with its folder in it, and from packed files, as a published
// record has. Of several folders none is taken.
func TestArchiveOfFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	dir := keep(t, store, demo("aaaa", 1), true)
	pack(t, filepath.Join(dir, "trials.jsonl"))
	pack(t, filepath.Join(dir, "result.json"))
	name := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(name, zipped(t, store), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.TempDir(), name)
	if err != nil || s.Run == nil || s.Result.Run != "aaaa" || s.Result.Answer.Use != "new" {
		t.Fatalf("got %+v, %v, want run aaaa", s, err)
	}
	two, err := openArchive(zipped(t, store, "b/plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Open("plan.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of two folders: got %v, want that there is none", err)
	}
}

// pack replaces a file by its packed form.
func pack(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(z.Close(), os.WriteFile(name+".gz", b.Bytes(), 0o666), os.Remove(name)); err != nil {
		t.Fatal(err)
	}
}

// A zip file that is large, or unpacks to much, is refused; what is no file of a record
// does not count.
func TestArchiveLimits(t *testing.T) {
	claims := func(sizes map[string]uint64) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(sizes)) {
			if _, err := z.CreateRaw(&zip.FileHeader{Name: name, UncompressedSize64: sizes[name]}); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, x := range []struct {
		what string
		data []byte
		want string // in the error
	}{
		{"small", claims(map[string]uint64{"plan.json": 1000}), ""},
		{"as large as it may be", claims(map[string]uint64{"plan.json": MaxUnpacked / 2, "trials.jsonl": MaxUnpacked / 2}), ""},
		{"one that unpacks to more", claims(map[string]uint64{"trials.jsonl": MaxUnpacked + 1}), "larger than 200 MB"},
		{"several that do together", claims(map[string]uint64{"plan.json": MaxUnpacked / 2, "trials.jsonl": MaxUnpacked/2 + 1}), "larger than 200 MB"},
		{"sizes whose sum overflows", claims(map[string]uint64{"plan.json": 1000, "trials.jsonl": math.MaxUint64 - 499}), "larger than 200 MB"},
		{"packed files that may", claims(map[string]uint64{"trials.jsonl.gz": MaxUnpacked/record.MaxRatio + 1}), "larger than 200 MB"},
		{"those of a folder", claims(map[string]uint64{"a/plan.json": 1, "a/trials.jsonl": MaxUnpacked}), "larger than 200 MB"},
		{"another file", claims(map[string]uint64{"video.mp4": 1 << 40, "plan.json": 1}), ""},
		{"a large archive", make([]byte, maxArchive+1), "larger than 20 MB"},
		{"no archive", []byte("PK\x03\x04 not at all"), "zip: not a valid zip file"},
	} {
		_, err := openArchive(x.data)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", x.what, err, x.want)
		}
	}
	_, err := ReadArchive("x.zip", []byte("PK\x03\x04 not at all"))
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoRun || !strings.Contains(e.Text, "x.zip") {
		t.Errorf("got %v, want an error that names the file", err)
	}
	if IsArchive([]byte(`{"schema":1}`)) || IsArchive([]byte("PK")) || !IsArchive(claims(map[string]uint64{"a": 0})) {
		t.Error("what is a zip file is not recognised")
	}
}

package record

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// A record whose long files were packed is read like the plain one, and is not
// written to.
func TestPacked(t *testing.T) {
	r := create(t, 6)
	r.Close()
	dir := r.Dir
	plain, err := Read(Folder(dir))
	if err != nil || len(plain.Trials) == 0 {
		t.Fatalf("got %v, and want trials", err)
	}
	pack(t, filepath.Join(dir, TrialsFile))
	got, err := Read(Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Trials) != len(plain.Trials) || got.Trials[0].Variant != plain.Trials[0].Variant {
		t.Errorf("got %d trials, want %d", len(got.Trials), len(plain.Trials))
	}
	if _, err := Open(dir); err == nil {
		t.Error("a packed record was opened for writing")
	}
	if err := os.WriteFile(filepath.Join(dir, TrialsFile+packed), []byte("nonsense"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(Folder(dir)); err == nil {
		t.Error("what is no gzip was read")
	}
}

// pack compresses a file in place.
func pack(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+packed, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

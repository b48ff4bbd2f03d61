//go:build unix

package testfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A stranger's tree may have a pipe, or a link to a device, of the name of a test file: to
// read one would never end.
func TestFindReadsFilesOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a_test.go"), "package p\n\nfunc BenchmarkA(b *testing.B) {}\n")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe_test.go"), 0o600); err != nil {
		t.Skip("needs named pipes: ", err)
	}
	if err := os.Symlink("pipe_test.go", filepath.Join(dir, "link_test.go")); err != nil {
		t.Fatal(err)
	}
	found := make(chan []Folder, 1)
	go func() {
		list, _ := Find(dir, nil, nil, ".")
		found <- list
	}()
	select {
	case list := <-found:
		if len(list) != 1 || len(list[0].Benchmarks) != 1 {
			t.Errorf("got %v", list)
		}
	case <-time.After(time.Minute):
		t.Fatal("it reads a pipe")
	}
}

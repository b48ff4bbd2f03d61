//go:build unix

package host

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEmulator(t *testing.T) {
	for _, c := range []struct{ goos, goarch, program, want string }{
		{"linux", "amd64", "amd64", ""}, {"linux", "amd64", "386", ""}, {"linux", "amd64", "arm64", "qemu-aarch64"},
		{"linux", "amd64", "s390x", "qemu-s390x"}, {"linux", "arm64", "arm64", ""}, {"linux", "arm64", "amd64", "qemu-x86_64"},
		{"linux", "arm64", "386", "qemu-i386"}, {"linux", "amd64", "wasm", ""},
		{"darwin", "arm64", "amd64", ""}, {"darwin", "amd64", "arm64", ""}, {"windows", "amd64", "arm64", ""},
	} {
		if got := Emulator(c.goos, c.goarch, c.program); got != c.want {
			t.Errorf("%s/%s, a program for %s: got %q, want %q", c.goos, c.goarch, c.program, got, c.want)
		}
	}
}

func TestFindEmulator(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if path, ok := FindEmulator("qemu-none"); ok {
		t.Errorf("found %q in an empty folder", path)
	}
	for _, name := range []string{"qemu-none", "qemu-none-static"} { // which goes first
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if path, ok := FindEmulator("qemu-none"); !ok || path != file {
			t.Errorf("got %q, %v, want %s", path, ok, file)
		}
	}
}

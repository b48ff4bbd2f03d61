package scratch

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

func TestMayRead(t *testing.T) {
	others := map[string]bool{"codec": true, "testdata/gen": true}
	for name, want := range map[string]bool{
		"words.txt": true, "data/0001.txt": true, "data/README.md": true, "tmpl/page.html": true, "testdata/x.go": true, "testdata/.hidden": true,
		"testdata/gen/gen.go": true, "sub/testdata/go.mod": true, "CORPUS.bin": true, "data.pb.gz": true, "a b\n.json": true,
		"tiny.go": false, "sum_amd64.s": false, "codec/table.json": false, "codec/testdata/in.bin": false, "vendor/x/words.txt": false,
		"web/node_modules/a.json": false, ".github/workflows/ci.yml": false, ".gitignore": false, "docs/guide.html": false, "README.md": false,
		"README.zh-CN.md": false, "LICENSE": false, "Makefile": false, "go.sum": false, "default.pgo": false, "cmd/.cache/x.json": false,
	} {
		if got := mayRead(name, others); got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}

// reads lists what Reads finds.
func reads(t *testing.T, root, dir, tracked string) map[string]string {
	t.Helper()
	got, err := new(Reader).Reads(t.Context(), root, dir, tracked)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Of a working tree that is what git tracks, and testdata; of any other all. Contents
// decide, also behind a link.
func TestReads(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{"codec/codec_test.go": "package codec\n", "codec/tmpl/a.html": "a", "codec/other/o.go": "package other\n",
		"codec/other/o.json": "{}", "testdata/shared.txt": "s", "far/f.txt": "f", ".gitignore": "*.bin\n"})
	disktest.Write(t, dir, map[string]string{"codec/result.txt": "r", "codec/testdata/own.bin": "o"})
	codec := filepath.Join(dir, "codec")
	list := func(m map[string]string) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
	before := reads(t, dir, codec, codec)
	if got, want := list(before), "../testdata/shared.txt testdata/own.bin tmpl/a.html"; got != want {
		t.Errorf("working tree: got %s, want %s", got, want)
	}
	if got, want := list(reads(t, dir, codec, "")), "../testdata/shared.txt result.txt testdata/own.bin tmpl/a.html"; got != want {
		t.Errorf("a tree that nobody works in: got %s, want %s", got, want)
	}
	if got, want := list(reads(t, codec, codec, t.TempDir())), "testdata/own.bin"; got != want {
		t.Errorf("without git: got %s, want %s", got, want)
	}
	disktest.Write(t, dir, map[string]string{"codec/tmpl/a.html": "b"})
	if runtime.GOOS != "windows" {
		if err := os.Symlink(filepath.Join(dir, "far", "f.txt"), filepath.Join(codec, "testdata", "link")); err != nil {
			t.Fatal(err)
		}
		linked := reads(t, dir, codec, codec)
		disktest.Write(t, dir, map[string]string{"far/f.txt": "g"})
		if got := reads(t, dir, codec, codec); got["testdata/link"] == "" || got["testdata/link"] == linked["testdata/link"] {
			t.Errorf("a link to another content: got %q, was %q", got["testdata/link"], linked["testdata/link"])
		}
	}
	after := reads(t, dir, codec, codec)
	if before["tmpl/a.html"] == after["tmpl/a.html"] || before["testdata/own.bin"] != after["testdata/own.bin"] {
		t.Errorf("before %v, after %v", before, after)
	}
}

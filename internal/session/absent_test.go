package session

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// A benchmark that fails for a file which only the working tree has is told so, with a
// command that gives it to every variant.
func TestNameAbsent(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{".gitignore": "*.bin\n"})
	disktest.Write(t, dir, map[string]string{"sub/a b.bin": "x"})
	beside := "../" + filepath.Base(dir) + "-files"
	put := "mkdir -p " + beside + "/sub/ && cp -R 'sub/a b.bin' " + beside + "/sub/"
	for _, c := range []struct {
		source       assay.Source
		rev, command string
		want         string
	}{
		{assay.Source{}, "HEAD~1", "assay compare HEAD~1 . -- -bench=.", put + " && assay compare --overlay " + beside + " HEAD~1 . -- -bench=."},
		{assay.Source{}, "HEAD~1", "assay run s.toml", put + "   and overlay = \"" + beside + "\" under [source]"},
		{assay.Source{Overlay: "over"}, "", "assay compare --overlay=over a b", "mkdir -p over/sub/ && cp -R 'sub/a b.bin' over/sub/ && assay compare --overlay=over a b"},
		{assay.Source{BenchmarksFrom: "."}, "HEAD", "assay compare --overlay=. HEAD .", "git add -f -- 'sub/a b.bin' && assay compare --overlay=. HEAD ."},
		{assay.Source{BenchmarksFrom: "v1"}, "HEAD", "assay compare --overlay=v1 HEAD .", ""},
		{assay.Source{}, "", "assay compare go1.25.7 go1.26.8", "none"},
	} {
		cfg := Config{Command: c.command, Study: &assay.Study{Dir: dir, Source: c.source, Variants: []assay.Variant{{Rev: c.rev}, {}}}}
		w := assay.Warning{Code: assay.CodeBenchFailed, Facts: []string{"x_test.go:1: open a b.bin: no such file or directory"}}
		got := nameAbsent(t.Context(), cfg, &w)
		told := strings.HasPrefix(w.Facts[len(w.Facts)-1], `"sub/a b.bin" is in your tree only, because git ignores it`)
		if told != (c.want != "none") || told && got != c.want {
			t.Errorf("%s: told %v, got %s\nwant %s", c.command, told, got, c.want)
		}
	}
}

package source

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// A missing file is found in the package that has it, whether git ignores it or does not
// know it; one that git knows, or that is nowhere, is another matter.
func TestAbsent(t *testing.T) {
	dir := sourcetest.Repository(t, map[string]string{".gitignore": "*.bin\ndist/\n", "known.txt": "x"})
	disktest.Write(t, dir, map[string]string{"sub/testdata/big.bin": "x", "new.txt": "x", "web/dist/a.js": "x", "web/dist/b.js": "x"})
	big := []OnlyHere{{"sub/testdata/big.bin", "git ignores it"}}
	for text, want := range map[string][]OnlyHere{
		"a_test.go:13: open testdata/big.bin: no such file or directory":                      big,
		"stat ../sub/testdata/big.bin: no such file or directory":                             big,
		"panic: open /c/src/git-0a1b/sub/testdata/big.bin: no such file or directory [again]": big,
		"open /tmp/tree-000002/sub/testdata/big.bin: The system cannot find the file":         big,
		"open new.txt: no such file or directory":                                             {{"new.txt", "it is not committed"}},
		"web.go:5:12: pattern dist: no matching files found":                                  {{"web/dist", "git ignores it"}},
		"web.go:5:12: pattern all:web/dist: no matching files found":                          {{"web/dist", "git ignores it"}},
		"open known.txt: no such file or directory":                                           nil,
		"open nowhere: no such file or directory":                                             nil,
		"open /etc/nowhere: no such file or directory":                                        nil,
		"open new.txt: permission denied":                                                     nil,
	} {
		if got := Absent(t.Context(), dir, []string{text, text}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	if got := Absent(t.Context(), t.TempDir(), []string{"open a: no such file or directory"}); got != nil {
		t.Errorf("outside a repository: got %v", got)
	}
}

// A workspace that the history has, or one that is switched off, is no difference to speak of.
func TestLackingWorkspace(t *testing.T) {
	t.Setenv("GOWORK", "")
	dir := sourcetest.Repository(t, map[string]string{".gitignore": "go.work\n"})
	lacking := func() (text string) {
		f := NewFinder(cache.New(t.TempDir()))
		if _, err := f.Find(t.Context(), dir, assay.Variant{Rev: "HEAD~1"}); err != nil {
			t.Fatal(err)
		}
		for _, w := range f.Lacking() {
			text += w.String()
		}
		return text
	}
	if got := lacking(); got != "" {
		t.Errorf("without a workspace: %s", got)
	}
	disktest.Write(t, dir, map[string]string{"go.work": "go 1.24\n\nuse .\n"})
	want := "go.work is in no revision: git ignores it   [workspace]\n  revision \"HEAD~1\" is built without it"
	if got := lacking(); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	t.Setenv("GOWORK", "off")
	if got := lacking(); got != "" {
		t.Errorf("switched off: %s", got)
	}
	outside := filepath.Join(t.TempDir(), "go.work")
	t.Setenv("GOWORK", outside)
	if got := lacking(); !strings.Contains(got, "is in no revision: it is outside the repository") {
		t.Errorf("outside: %s", got)
	}
	t.Setenv("GOWORK", "")
	sourcetest.Git(t, dir, "add", "-f", "go.work")
	if got := lacking(); got != "" {
		t.Errorf("a workspace that git knows: %s", got)
	}
}

package source

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

func TestNestedModule(t *testing.T) {
	t.Setenv("GOWORK", "")
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go/go.mod": "module example.com/go\n", "go/codec/x/x.go": "package x\n", "tools/a/go.mod": "module example.com/a\n", "doc/readme": ""})
	for _, c := range []struct {
		patterns []string
		sub      string
		inside   []string
	}{
		{[]string{"./go/..."}, "go", []string{"./..."}},
		{[]string{"./go"}, "go", []string{"."}},
		{[]string{"./go/codec", "./go/codec/..."}, "go", []string{"./codec", "./codec/..."}},
		{[]string{"./go/co...dec"}, "go", []string{"./co...dec"}},
		{[]string{"./tools/a/x/"}, "tools/a", []string{"./x"}},
		{[]string{"./go/...", "./tools/a/..."}, "", nil}, // two modules
		{[]string{"./tools/..."}, "", nil},               // whose own folder is in none
		{[]string{"./..."}, "", nil},
		{[]string{"example.com/go/codec"}, "", nil},
		{[]string{"./../go/..."}, "", nil},
		{nil, "", nil},
	} {
		sub, inside, ok := NestedModule(dir, c.patterns)
		if filepath.ToSlash(sub) != c.sub || !slices.Equal(inside, c.inside) || ok != (c.inside != nil) {
			t.Errorf("%q: got %q, %q, %v, want %q, %q", c.patterns, sub, inside, ok, c.sub, c.inside)
		}
	}
	disktest.Write(t, dir, map[string]string{"go.work": "go 1.23\n\nuse ./go\n"})
	if sub, _, ok := NestedModule(dir, []string{"./go/..."}); ok {
		t.Errorf("in a workspace: got %q", sub)
	}
}

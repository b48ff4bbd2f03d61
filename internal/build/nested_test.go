package build

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
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

// Outside of a module the error names those below.
func TestOutsideModule(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go/go.mod": "module example.com/go\n", "node_modules/x/go.mod": "module x\n", ".hidden/go.mod": "module h\n"})
	outside := func() string {
		t.Helper()
		_, err := New(t.TempDir()).Packages(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}}, nil)
		return errortest.Want(t, err, "outside-module", assay.ExitUsage)
	}
	if text := outside(); !strings.Contains(text, "there is one in go\n") || !strings.HasSuffix(text, "try: cd go") {
		t.Error(text)
	}
	disktest.Write(t, dir, map[string]string{"tools/a/go.mod": "module example.com/a\n"})
	if text := outside(); !strings.Contains(text, "there are modules in go, "+filepath.Join("tools", "a")) {
		t.Error(text)
	}
}

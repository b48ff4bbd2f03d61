package build

import (
	"runtime"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

// A build for another platform has no C code, of which it says where it was; that of the
// standard library is not missed.
func TestLacksCgo(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{
		"go.mod":       "module example.com/c\n\ngo 1.24\n",
		"main.go":      "package main\n\nimport (\n\t_ \"net\"\n\n\t\"example.com/c/in\"\n)\n\nfunc main() { println(in.X()) }\n",
		"in/c.go":      "package in\n\n// int x(void) { return 1; }\nimport \"C\"\n\nfunc X() int { return int(C.x()) }\n",
		"in/pure.go":   "//go:build !cgo\n\npackage in\n\nfunc X() int { return 1 }\n",
		"only/go.go":   "package only\n",
		"c_test.go":    "package main\n",
		"in/i_test.go": "package in\n",
	})
	b := New(t.TempDir())
	other := "arm64"
	if runtime.GOARCH == other {
		other = "amd64"
	}
	for _, c := range []struct {
		name, pkg string
		program   bool
		build     map[string]string
		want      []string
	}{
		{"program", ".", true, map[string]string{"GOARCH": other}, []string{"example.com/c/in"}},
		{"test", "./in", false, map[string]string{"GOARCH": other}, []string{"example.com/c/in"}},
		{"asked for", ".", true, map[string]string{"GOARCH": other, "CGO_ENABLED": "0"}, nil},
		{"no C", "./only", false, map[string]string{"GOARCH": other}, nil},
		{"this platform", ".", true, map[string]string{"GOARCH": runtime.GOARCH}, nil},
		{"nothing said", ".", true, nil, nil},
	} {
		r := Request{Study: dir, Variant: assay.Variant{Name: "v", Build: c.build}, Package: c.pkg, Program: c.program}
		if got, err := b.LacksCgo(t.Context(), r); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

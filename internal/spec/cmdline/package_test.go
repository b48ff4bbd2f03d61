package cmdline

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// TestMisplacedPackages: packages among the variants, ranges of revisions, and words
// behind the dashes that are no packages, each with the line that was meant. Lines that
// may be right get no error.
func TestMisplacedPackages(t *testing.T) {
	env := here()
	env.Folders = func(dir string) []string {
		return map[string][]string{".": {"codec", "cmd"}, "cmd": {"glua"}}[dir]
	}
	for _, test := range []struct {
		line      Line
		code, try string
	}{
		{Line{Variants: []string{"main", ".", "./codec", "cmd/glua"}, Dashed: []string{"-bench=X"}}, "needs-dashes", "assay compare main . -- -bench=X ./codec ./cmd/glua"},
		{Line{Variants: []string{"main", "./..."}}, "needs-dashes", "assay compare main . -- ./..."},
		{Line{Variants: []string{"./codec"}, Command: []string{"assay", "init"}}, "needs-dashes", "assay init HEAD~1 . -- ./codec"},
		{Line{Variants: []string{"codec: codec", "."}}, "unknown-variant", ""},
		{Line{Variants: []string{"HEAD~1..HEAD"}}, "too-few-variants", "assay compare HEAD~1 HEAD"},
		{Line{Variants: []string{"HEAD~1...v2.2.4"}}, "too-few-variants", "assay compare HEAD~1 v2.2.4"},
		{Line{Variants: []string{"help"}}, "too-few-variants", "assay compare --help"},

		{Line{Variants: []string{"main", "."}, Dashed: []string{"./cmd/gula"}}, "no-package", "assay compare main . -- ./cmd/glua"},
		{Line{Variants: []string{"main", "."}, Dashed: []string{"Decode"}}, "no-package", "assay compare main . -- -bench=Decode"},
		{Line{Variants: []string{"main", "."}, Dashed: []string{"./codec", "-benchtime=1s", "-short"}}, "", ""},
		{Line{Variants: []string{"main", "."}, Dashed: []string{"-bench", "X", "Decode"}}, "", ""},
		{Line{Variants: []string{"main", "."}, Dashed: []string{"./codek/..."}}, "", ""},
		{Line{Variants: []string{"main", "."}, Dashed: []string{"./elsewhere"}}, "", ""},
		// The folder may be in another tree.
		{Line{Variants: []string{"main", "HEAD"}, Dashed: []string{"./codek"}}, "", ""},
		{Line{Variants: []string{"main", "."}, Overlay: "main", Dashed: []string{"./codek"}}, "", ""},
		{Line{Variants: []string{"go1.25.7", "go1.26.8"}, Dashed: []string{"./codek"}}, "no-package", "assay compare go1.25.7 go1.26.8 -- ./codec"},
	} {
		_, err := Parse(env, test.line)
		if test.code == "" {
			if err != nil {
				t.Errorf("%+v: %v", test.line, err)
			}
			continue
		}
		e, ok := err.(*assay.Error)
		if !ok || string(e.Code) != test.code || e.Try != test.try {
			t.Errorf("%+v: got %v, want [%s], try %q", test.line, err, test.code, test.try)
		}
	}
}

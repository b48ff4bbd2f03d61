package build

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

func TestTree(t *testing.T) {
	sourcetest.Proxy(t)
	dir := sourcetest.Repository(t, map[string]string{"sub/go.mod": "module example.com/sub\n\ngo 1.23\n"})
	b := New(t.TempDir())
	seen := map[string]bool{}
	for _, c := range []struct {
		dir    string
		v      assay.Variant
		module string
		fixed  bool
	}{
		{"", assay.Variant{Name: "."}, "example.com/tiny", false},
		{"", assay.Variant{Name: "rev", Rev: "HEAD"}, "example.com/tiny", true},
		{"", assay.Variant{Name: "before", Rev: "HEAD~1"}, "example.com/tiny", true},
		{"", assay.Variant{Name: "experiment", Rev: "HEAD", Experiment: []string{"x"}}, "example.com/tiny", true},
		{"sub", assay.Variant{Name: "sub", Rev: "HEAD"}, "example.com/sub", true},
		{"", assay.Variant{Name: "module", Module: "example.com/lib@v1.1.0"}, "example.com/lib", true},
	} {
		src := assay.Source{Dir: c.dir, Suite: "never looked at"}
		got, err := b.Tree(t.Context(), dir, src, c.v)
		if err != nil {
			t.Fatal(err)
		}
		if got.Module != c.module || got.ID != "" != c.fixed || !filepath.IsAbs(got.Dir) || !disk.IsFile(got.Go) || !strings.HasPrefix(got.GoVersion, "go1.") {
			t.Errorf("%s: got %+v", c.v.Name, got)
		}
		if c.v.Rev != "" && len(got.Commit) != 40 {
			t.Errorf("%s: got commit %q", c.v.Name, got.Commit)
		}
		if got.ID != "" && (seen[got.ID] || b.Cache.Store(got.ID, "used", true) != nil) {
			t.Errorf("%s: got the ID %q", c.v.Name, got.ID)
		}
		seen[got.ID] = true
		if again, err := New(b.Cache.Dir).Tree(t.Context(), dir, src, c.v); err != nil || again.ID != got.ID || again.Dir != got.Dir {
			t.Errorf("%s: again %+v, %v", c.v.Name, again, err)
		}
		if !slices.Contains(got.Env, "GOTOOLCHAIN=local") {
			t.Errorf("%s: got %v", c.v.Name, got.Env)
		}
		if c.v.Experiment != nil {
			continue // go list refuses it
		}
		open, err := b.OpenTree(t.Context(), dir, src, c.v)
		if err != nil || open.ID != got.ID || open.Dir != got.Dir != (c.v.Module != "") {
			t.Errorf("%s: open %+v, %v", c.v.Name, open, err)
		}
		cmd := exec.Command(open.Go, "list", "./...")
		cmd.Dir, cmd.Env = open.Dir, open.Env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", c.v.Name, err, out)
		}
	}
}

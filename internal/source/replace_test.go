package source

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

func TestWithoutLost(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"in/go.mod": "module example.com/in\n", "empty/README": "no module"})
	kept := "module m\n\nreplace example.com/in => ./in\n\nreplace example.com/a => example.com/b v1.0.0\n"
	lost := "\nreplace (\n\texample.com/up => ../\n\texample.com/e v1.2.3 => ./empty\n\texample.com/abs => " + filepath.ToSlash(filepath.Join(dir, "gone")) + "\n)\n"
	for text, want := range map[string]string{kept: kept, kept + lost: kept, "no go.mod\n": "no go.mod\n"} {
		if got := string(WithoutLost(dir, []byte(text))); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("of %q got %q, want %q", text, got, want)
		}
	}
}

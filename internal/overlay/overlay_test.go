package overlay

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

func newPlacer(t *testing.T) *Placer {
	t.Helper()
	c := cache.New(t.TempDir())
	return NewPlacer(c, source.NewFinder(c))
}

func TestRefuses(t *testing.T) {
	dir := sourcetest.Module(t)
	study := t.TempDir()
	disktest.Write(t, study, map[string]string{"file": "", "over/a": "", "linked/a": ""})
	if err := os.Mkdir(filepath.Join(study, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		over string
		hide []string
		want string
	}{{"none", nil, "is no folder"}, {"file", nil, "is no folder"}, {"empty", nil, "holds no files"}, {"over", []string{"[a"}, `hide: "[a" is no pattern`}}
	if os.Symlink("a", filepath.Join(study, "linked", "link")) == nil {
		cases = append(cases, struct {
			over string
			hide []string
			want string
		}{"linked", nil, `holds "link", which is a link`})
	}
	for _, c := range cases {
		_, err := newPlacer(t).Tree(t.Context(), Request{Study: study, Source: assay.Source{Dir: dir, Overlay: c.over, Hide: c.hide}, Variant: assay.Variant{Name: "v"}})
		if text := errortest.Want(t, err, "overlay", assay.ExitUsage); !strings.Contains(text, c.want) {
			t.Errorf("%s: got %s", c.over, text)
		}
	}
}

// A revision may hold links that point anywhere: nothing is written through them.
func TestThroughLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	dir, outside := sourcetest.Repository(t, nil), t.TempDir()
	disktest.Write(t, outside, map[string]string{"target": "untouched"})
	for name, to := range map[string]string{"linked": outside, "single_test.go": filepath.Join(outside, "target")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "links")
	lay := func(src assay.Source, files map[string]string) error {
		study := t.TempDir()
		disktest.Write(t, filepath.Join(study, "over"), files)
		src.Overlay = "over"
		_, err := newPlacer(t).Tree(t.Context(), Request{Study: study, Source: src, Variant: assay.Variant{Name: "v", Rev: "HEAD"}})
		return err
	}
	errortest.Want(t, lay(assay.Source{Dir: dir}, map[string]string{"linked/new": "evil"}), "overlay-collides", assay.ExitBuild)
	if err := lay(assay.Source{Dir: dir}, map[string]string{"single_test.go": "package tiny\n"}); err != nil {
		t.Error(err)
	}
	if err := lay(assay.Source{Dir: filepath.Join(dir, "linked")}, map[string]string{"new": "evil"}); err == nil {
		t.Error("a folder that is a link out of the repository was taken")
	}
	if data, _ := os.ReadFile(filepath.Join(outside, "target")); string(data) != "untouched" || disk.IsFile(filepath.Join(outside, "new")) {
		t.Error("an overlay was written through a link")
	}
}

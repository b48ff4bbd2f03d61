package local

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
)

// A stamp tells whether a file has been touched since. A program may replace its own
// binary, which other variants run, too.
type stamp struct {
	info    os.FileInfo // nil if there was no file
	changed time.Time
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info, changeTime(info)}
}

// is reports whether nothing has touched the file between two stamps.
func (s stamp) is(now stamp) bool {
	return now.info != nil && os.SameFile(s.info, now.info) && s.info.Size() == now.info.Size() &&
		s.info.ModTime().Equal(now.info.ModTime()) && s.changed.Equal(now.changed)
}

// unchanged checks that a binary is still what was built. It reads the file only if it was
// touched.
func (m *Machine) unchanged(a lab.Artifact, b holding) error {
	now := stampOf(b.Path)
	if b.stamp.info == nil || b.stamp.is(now) {
		return nil
	}
	if sum, err := disk.Digest(b.Path); err != nil || sum != b.SHA256 {
		return assay.NewError(assay.ExitRefused, assay.CodeBinaryChanged, fmt.Sprintf("the binary of %s was replaced while it was measured", cmp.Or(a.Package, filepath.Base(b.Path))),
			[]string{"a trial may have written to its own executable, which other trials run as well", "the blocks before it are kept"}, "")
	}
	b.stamp = now
	m.hold(a.ID, b)
	return nil
}

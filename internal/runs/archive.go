package runs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/record"
)

// Limits for a record in an archive, which may be untrusted: the sizes of the archive and
// of its contents, in bytes.
const (
	maxArchive  = 20 << 20
	MaxUnpacked = 200 << 20
)

// An archive is a run folder in a zip file, such as an artifact of a workflow: its files, or
// the folder with them. It has only the files of a record, whatever else is in the zip file.
// Nothing is unpacked to disk.
type archive struct {
	files *zip.Reader
	top   string // the folder, with a slash at the end; "" if there is none
}

// ofRecord matches the names of a record's files, and of their packed forms.
var ofRecord = regexp.MustCompile(`^((plan\.json|platform\.json|study\.toml|trials\.jsonl|end\.json|result\.json)(\.gz)?|collected/[0-9]{4,9}\.json\.gz)$`)

// planInside matches the name of the plan in an archive, after the folder that it is in.
var planInside = regexp.MustCompile(`^([^/]+/)?plan\.json(\.gz)?$`)

// IsArchive reports whether data begins like a zip file.
func IsArchive(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

func openArchive(data []byte) (fs.FS, error) {
	if len(data) > maxArchive {
		return nil, fmt.Errorf("larger than %d MB", maxArchive>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	a := archive{z, topOf(z)}
	var sum uint64
	for _, f := range z.File {
		name, inside := strings.CutPrefix(f.Name, a.top)
		if !inside || !ofRecord.MatchString(name) {
			continue
		}
		// A file that unpacks to more than its stated size fails when it is read.
		size := min(f.UncompressedSize64, MaxUnpacked+1)
		if strings.HasSuffix(name, ".gz") && !strings.HasPrefix(name, "collected/") {
			size *= record.MaxRatio
		}
		if sum += size; sum > MaxUnpacked {
			return nil, fmt.Errorf("unpacked it may be larger than %d MB", MaxUnpacked>>20)
		}
	}
	return a, nil
}

// topOf returns the folder that holds the only plan of an archive; "" if there are several.
func topOf(z *zip.Reader) string {
	var tops []string
	for _, f := range z.File {
		if m := planInside.FindStringSubmatch(f.Name); m != nil && !slices.Contains(tops, m[1]) {
			tops = append(tops, m[1])
		}
	}
	if len(tops) != 1 {
		return ""
	}
	return tops[0]
}

// Open implements fs.FS.
func (a archive) Open(name string) (fs.File, error) {
	if !ofRecord.MatchString(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return a.files.Open(a.top + name)
}

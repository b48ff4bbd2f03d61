package runs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
)

// Limits for a record in an archive, which may be untrusted: the sizes of the archive and
// of its contents, in bytes.
const (
	maxArchive  = 20 << 20
	MaxUnpacked = 200 << 20
)

// An archive is a run folder in a zip file, such as an artifact of a workflow. It has
// only the files of a record, whatever else is in the zip file. Nothing is unpacked to
// disk.
type archive struct{ files *zip.Reader }

// ofRecord matches the names of a record's files.
var ofRecord = regexp.MustCompile(`^(plan\.json|platform\.json|study\.toml|trials\.jsonl|end\.json|result\.json|collected/[0-9]{4,9}\.json\.gz)$`)

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
	var sum uint64
	for _, f := range z.File {
		if !ofRecord.MatchString(f.Name) {
			continue
		}
		// A file that unpacks to more than its stated size fails when it is read.
		if sum += min(f.UncompressedSize64, MaxUnpacked+1); sum > MaxUnpacked {
			return nil, fmt.Errorf("unpacked it is larger than %d MB", MaxUnpacked>>20)
		}
	}
	return archive{z}, nil
}

// Open implements fs.FS.
func (a archive) Open(name string) (fs.File, error) {
	if !ofRecord.MatchString(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return a.files.Open(name)
}

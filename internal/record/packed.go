package record

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// packed is the suffix of a file of a run folder that was compressed with gzip to
// be kept with a study: long runs have megabytes of trials.
const packed = ".gz"

// maxUnpacked bounds what a packed file may become: a record may be a stranger's,
// and gzip makes a thousand bytes of one.
const maxUnpacked = 1 << 30

// readFile reads a file of a run folder, or its packed form where only that is
// there.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	data, err := fs.ReadFile(fsys, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	f, openErr := fsys.Open(name + packed)
	if openErr != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name+packed, err)
	}
	if data, err = io.ReadAll(io.LimitReader(z, maxUnpacked+1)); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name+packed, err)
	}
	if len(data) > maxUnpacked {
		return nil, fmt.Errorf("unpack %s: it is more than %d bytes", name+packed, maxUnpacked)
	}
	return data, nil
}

// isPacked reports whether the trials of a run folder are packed, so that nothing
// can be appended.
func isPacked(fsys fs.FS) bool {
	_, plain := fs.Stat(fsys, TrialsFile)
	_, err := fs.Stat(fsys, TrialsFile+packed)
	return errors.Is(plain, fs.ErrNotExist) && err == nil
}

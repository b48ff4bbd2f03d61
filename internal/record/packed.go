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

// Limits of what a packed file may become: a record may be a stranger's, and gzip makes a
// thousand bytes of one. A trial's line has a chain value that nothing compresses, so that
// true lines become a tenth to a twentieth.
const (
	maxUnpacked = 1 << 30
	maxRatio    = 100
	minUnpacked = 1 << 20 // however small the packed file
)

// maxWhole bounds a file that is read as a whole, which is any but the trials.
const maxWhole = 64 << 20

// readFile reads a file of a run folder, or its packed form where only that is
// there.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	f, err := openFile(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxWhole+1))
	if err == nil && len(data) > maxWhole {
		err = &Fault{File: name, Text: fmt.Sprintf("it is more than %d MiB", maxWhole>>20)}
	}
	return data, err
}

// openFile opens a file of a run folder, or its packed form where only that is there.
func openFile(fsys fs.FS, name string) (io.ReadCloser, error) {
	f, err := fsys.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	f, openErr := fsys.Open(name + packed)
	switch {
	case errors.Is(openErr, fs.ErrNotExist):
		return nil, err
	case openErr != nil:
		return nil, openErr
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(unpackFault(name, err), f.Close())
	}
	return &unpacker{Closer: f, z: z, name: name, left: unpackedLimit(info.Size())}, nil
}

// unpackedLimit is what a packed file of that size may become.
func unpackedLimit(size int64) int {
	return int(min(maxUnpacked, minUnpacked+maxRatio*min(size, maxUnpacked)))
}

// An unpacker reads a packed file up to a limit.
type unpacker struct {
	io.Closer
	z    *gzip.Reader
	name string
	left int
}

// Read implements io.Reader. What is no gzip, or torn, is a *Fault.
func (u *unpacker) Read(p []byte) (int, error) {
	if u.left < 0 {
		return 0, &Fault{File: u.name + packed, Text: fmt.Sprintf("unpacked it is more than %d times its size, or more than %d MiB", maxRatio, maxUnpacked>>20)}
	}
	n, err := u.z.Read(p[:min(len(p), u.left+1)])
	u.left -= n
	if err != nil && !errors.Is(err, io.EOF) {
		err = unpackFault(u.name, err)
	}
	return n, err
}

func unpackFault(name string, err error) error {
	return &Fault{File: name + packed, Text: "it cannot be unpacked: " + err.Error()}
}

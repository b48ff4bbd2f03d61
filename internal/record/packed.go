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
	f, err := openFile(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// openFile opens a file of a run folder, or its packed form where only that is there.
func openFile(fsys fs.FS, name string) (io.ReadCloser, error) {
	f, err := fsys.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	f, openErr := fsys.Open(name + packed)
	if openErr != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(unpackFault(name, err), f.Close())
	}
	return &unpacker{Closer: f, z: z, name: name, left: maxUnpacked}, nil
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
		return 0, &Fault{File: u.name + packed, Text: fmt.Sprintf("unpacked it is more than %d bytes", maxUnpacked)}
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

// isPacked reports whether the trials of a run folder are packed, so that nothing
// can be appended.
func isPacked(fsys fs.FS) bool {
	_, plain := fs.Stat(fsys, TrialsFile)
	_, err := fs.Stat(fsys, TrialsFile+packed)
	return errors.Is(plain, fs.ErrNotExist) && err == nil
}

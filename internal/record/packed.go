package record

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// packed is the suffix of a file compressed with gzip, to keep a long run with a study.
const packed = ".gz"

// Limits of an unpacked file: a record may be untrusted, and gzip unpacks one byte to a
// thousand. Lines of trials shrink to a twentieth at most, because of their chain values.
const (
	maxUnpacked = 1 << 30
	minUnpacked = 1 << 20 // for packed files of any size
	// MaxRatio is how many times its own size a packed file may unpack to.
	MaxRatio = 100
)

// maxWhole is the maximum size of a file that is read at once: all except the trials.
const maxWhole = 64 << 20

// readFile reads a file of a run folder, or its packed form if only that exists.
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

// openFile opens a file of a run folder, or its packed form if only that exists.
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
	limit := min(maxUnpacked, minUnpacked+MaxRatio*min(info.Size(), maxUnpacked))
	return &unpacker{Closer: f, z: z, name: name, left: int(limit)}, nil
}

// An unpacker reads a packed file up to a limit.
type unpacker struct {
	io.Closer
	z    *gzip.Reader
	name string
	left int
}

// Read implements io.Reader. If the file is not gzip, or torn, the error is a *Fault.
func (u *unpacker) Read(p []byte) (int, error) {
	if u.left < 0 {
		return 0, &Fault{File: u.name + packed, Text: fmt.Sprintf("unpacked it is more than %d times its size, or more than %d MiB", MaxRatio, maxUnpacked>>20)}
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

package record

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
)

// PrintedFile has the output of the trials: consecutive gzip members, each with the tar
// entries of one trial, "0031.out", "0031.err" and "0031.server". Together they form an
// archive that tar unpacks (tar xzf). Trial.Printed says where a trial's member is.
const PrintedFile = "printed.tar.gz"

// maxPrinted is the maximum unpacked size of a member, since a record may be untrusted.
const maxPrinted = 64 << 20

// ErrNothingPrinted is the error for a trial without kept output.
var ErrNothingPrinted = errors.New("no output of it is kept")

// Suffixes of the entries of a trial.
const (
	outSuffix    = ".out"
	errSuffix    = ".err"
	serverSuffix = ".server"
)

// A printedFile is PrintedFile open for writing, from the first output on.
type printedFile struct {
	folder folder
	file   *os.File
	// end is where the output ends of trials whose lines are written.
	end int64
}

// open opens the file and drops what follows its end: the output of a trial whose line
// was not written because of a kill.
func (p *printedFile) open() (err error) {
	if p.file != nil {
		return nil
	}
	if p.file, err = p.folder.open(PrintedFile, os.O_RDWR|os.O_CREATE); err != nil {
		return err
	}
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	p.end = min(p.end, info.Size()) // it may have been truncated by hand
	return p.cut()
}

// add writes a trial's output after the end, and returns Trial.Printed. keep moves the
// end.
func (p *printedFile) add(id int, raw Raw) (at []int64, err error) {
	member, err := printedMember(id, raw)
	if err != nil || len(member) == 0 {
		return nil, err
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	if _, err := p.file.Seek(p.end, io.SeekStart); err != nil {
		return nil, err
	}
	if err := p.folder.write(p.file, PrintedFile, member); err != nil {
		return nil, errors.Join(err, p.cut())
	}
	return []int64{p.end, int64(len(member))}, nil
}

// keep moves the end behind a trial's output after its line is written.
func (p *printedFile) keep(t assay.Trial) {
	if len(t.Printed) == 2 && t.Printed[0] >= 0 && t.Printed[1] >= 0 {
		p.end = max(p.end, t.Printed[0]+t.Printed[1])
	}
}

// cut drops what follows the end.
func (p *printedFile) cut() error { return p.folder.truncate(p.file, PrintedFile, p.end) }

func (p *printedFile) sync() error {
	if p.file == nil {
		return nil
	}
	return p.folder.sync(p.file, PrintedFile)
}

// close closes the file. The next open drops what follows the end.
func (p *printedFile) close() error {
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}

// printedMember returns the gzip member of a trial; empty if it printed nothing.
func printedMember(id int, raw Raw) ([]byte, error) {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	entries, empty := tar.NewWriter(z), true
	for _, part := range []struct {
		suffix string
		data   []byte
	}{{outSuffix, raw.Stdout}, {errSuffix, raw.Stderr}, {serverSuffix, raw.Server}} {
		if len(part.data) == 0 {
			continue
		}
		empty = false
		h := &tar.Header{Name: printedName(id) + part.suffix, Mode: 0o644, Size: int64(len(part.data)), ModTime: time.Unix(0, 0)}
		if err := entries.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := entries.Write(part.data); err != nil {
			return nil, err
		}
	}
	if empty {
		return nil, nil
	}
	// Flushed but not closed: another trial's entries follow.
	if err := errors.Join(entries.Flush(), z.Close()); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func printedName(id int) string { return fmt.Sprintf("%04d", id) }

// Printed reads a trial's output. The error is ErrNothingPrinted if none is kept, or says
// that the file is missing, torn or invalid.
func (r *Run) Printed(id int) (raw Raw, err error) {
	if r.fsys == nil || id < 1 || id > len(r.Trials) || len(r.Trials[id-1].Printed) != 2 {
		return raw, ErrNothingPrinted
	}
	at := r.Trials[id-1].Printed
	f, err := r.fsys.Open(PrintedFile)
	if err != nil {
		return raw, fmt.Errorf("read what trial %d printed: %w", id, err)
	}
	defer f.Close()
	if raw, err = readPrinted(f, at[0], at[1], id); err != nil {
		return Raw{}, fmt.Errorf("read what trial %d printed: %s: %w", id, PrintedFile, err)
	}
	return raw, nil
}

// readPrinted reads the member of a trial.
func readPrinted(f io.Reader, offset, length int64, id int) (raw Raw, err error) {
	r, ok := f.(io.ReaderAt)
	if !ok || offset < 0 || length < 0 {
		return raw, fmt.Errorf("no trial is at %d of it", offset)
	}
	z, err := gzip.NewReader(io.NewSectionReader(r, offset, length))
	if err != nil {
		return raw, err
	}
	entries := tar.NewReader(io.LimitReader(z, maxPrinted))
	for {
		h, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return raw, nil
		}
		if err != nil {
			return raw, err
		}
		part := map[string]*[]byte{outSuffix: &raw.Stdout, errSuffix: &raw.Stderr, serverSuffix: &raw.Server}[strings.TrimPrefix(h.Name, printedName(id))]
		if part == nil {
			return raw, fmt.Errorf("%q is not of the trial", h.Name)
		}
		if *part, err = io.ReadAll(entries); err != nil {
			return raw, err
		}
	}
}

package record

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
)

// PrintedFile has the output of the trials: consecutive gzip members, each with the tar
// entries of one trial, "0031.out", "0031.err" and "0031.server". Together they form an
// archive for tar xzf. Trial.Printed says where a trial's member is.
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

// A printedFile is PrintedFile open for writing, from the first output on. Its whole
// entries are the output of trials whose lines are written.
type printedFile struct{ tail }

func newPrints(f folder) printedFile { return printedFile{tail{folder: f, name: PrintedFile}} }

// add writes a trial's output. Unless keep follows, the next one takes its place.
func (p *printedFile) add(id int, raw Raw) (at []int64, err error) {
	member, err := printedMember(id, raw)
	if err != nil || len(member) == 0 {
		return nil, err
	}
	if p.file == nil {
		if _, err := p.open(); err != nil {
			return nil, err
		}
	}
	if err := p.write(member); err != nil {
		return nil, err
	}
	return []int64{p.whole, int64(len(member))}, nil
}

// keep counts a trial's output as whole after its line is written.
func (p *printedFile) keep(t assay.Trial) {
	if len(t.Printed) == 2 && t.Printed[0] >= 0 && t.Printed[1] >= 0 {
		p.whole = max(p.whole, t.Printed[0]+t.Printed[1])
	}
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

// Printed reads a trial's output. The error is ErrNothingPrinted if none is kept.
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

package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"github.com/seed-1318a441/assay"
)

// ReplaceResult rewrites the result of a run, and the trials in the Go benchmark format
// if they are there. The error is ErrLocked if another process has the run open.
func (r *Run) ReplaceResult(dir string, res *assay.Result) error {
	f, unlock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := EncodeResult(res)
	if err != nil {
		return err
	}
	if err := f.rewrite(ResultFile, data); err != nil || !f.has(ExportFile) {
		return err
	}
	return f.replaceBy(ExportFile, r.Export)
}

// ReplaceReport rewrites the result as text in the folder of a run that has one.
func ReplaceReport(dir string, write func(io.Writer) error) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if !f.has(ReportFile) {
		return nil
	}
	return f.replaceBy(ReportFile, write)
}

// rewrite replaces a file of a run folder, or its packed form if that exists.
func (f folder) rewrite(name string, data []byte) error {
	if !f.has(name + packed) {
		return f.replace(name, data)
	}
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write(data)
	if err := errors.Join(err, z.Close()); err != nil {
		return err
	}
	return f.replace(name+packed, buf.Bytes())
}

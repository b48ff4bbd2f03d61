package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// EncodeResult encodes a result as indented JSON that ends with its digest. The same
// result gives the same bytes. Characters that could control a terminal are \u escapes.
func EncodeResult(res *assay.Result) ([]byte, error) {
	text, err := objectText(ResultFile, res)
	if err != nil {
		return nil, err
	}
	text = printable.JSON(text)
	return digestSeal.add(text, digest(text)), nil
}

// OpenResult checks the digest of a result, and returns its JSON without the digest. name
// is its file. The error is a *Fault if the digest does not match.
func OpenResult(name string, data []byte) ([]byte, error) {
	text, _, err := checkDigest(name, data)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n}\n", text), nil
}

// DecodeResult decodes a result written by EncodeResult. name is its file.
func DecodeResult(name string, data []byte) (*assay.Result, error) {
	data, err := OpenResult(name, data)
	if err != nil {
		return nil, err
	}
	res := new(assay.Result)
	if err := decode(name, data, res); err != nil {
		return nil, err
	}
	if res.Schema > assay.ResultSchema {
		return nil, Newer(name, res.Schema, assay.ResultSchema)
	}
	if res.Run != "" && !runName.MatchString(res.Run) {
		return nil, &Fault{File: name, Text: fmt.Sprintf("run %q is no name of a run", res.Run)}
	}
	ownLines(&res.Command, res.Warnings)
	return res, nil
}

// ownLines leaves of the lines that a record tells its reader to type those that are assay's.
func ownLines(command *string, warnings []assay.Warning) {
	*command = shell.Own(*command)
	for i := range warnings {
		w := &warnings[i]
		w.Try, w.Advice = shell.Remedy(w.Try, w.Advice)
	}
}

// StoredResult reads the result of this record; nil if there is none. The caller must
// check whether it follows from the trials.
func (r *Run) StoredResult() (*assay.Result, error) {
	res, err := ReadResult(r.fsys)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && res.Record != r.Head():
		return nil, foreignResult(res.Record)
	}
	return res, err
}

// HasEncoded reports whether the record has this result in the form that EncodeResult gives
// it. An older assay may have given it another.
func (r *Run) HasEncoded(res *assay.Result) bool {
	data, err := readFile(r.fsys, ResultFile)
	if err != nil {
		return false
	}
	encoded, err := EncodeResult(res)
	return err == nil && bytes.Equal(data, encoded)
}

func foreignResult(head string) error {
	return &Fault{File: ResultFile, Text: fmt.Sprintf("it was computed from another record (%q)", head)}
}

// ReadResult reads the stored result of a run, and checks its digest.
func ReadResult(fsys fs.FS) (*assay.Result, error) {
	data, err := readFile(fsys, ResultFile)
	if err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	return DecodeResult(ResultFile, data)
}

// ResultDigest returns the digest that EncodeResult gives a result.
func ResultDigest(res *assay.Result) (string, error) {
	data, err := EncodeResult(res)
	if err != nil {
		return "", err
	}
	_, sum, err := checkDigest(ResultFile, data)
	return sum, err
}

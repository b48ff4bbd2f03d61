// Package spec turns a study file into an assay.Study (Parse) and a study back into a
// file (Format), and says what a single value may be, wherever it is written. Command
// lines are package cmdline's.
//
// Every error is an *assay.Error that says where the fault is, as file:line:col, and
// what was probably meant. The package runs nothing. Whether a toolchain knows an experiment is for package knobs, whether
// it can be fetched for package build.
package spec

import (
	"errors"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// Parse reads a study file and fills in the defaults. The name is the file's,
// for messages only; the caller sets Study.Dir. Every error is an *assay.Error
// with exit status 2 and one of the codes study-syntax, study-key and
// study-value, whose text starts "name:line:col: ".
func Parse(name string, data []byte) (*assay.Study, error) {
	root, err := document.Parse(data)
	if err != nil {
		return nil, located(name, err)
	}
	s, err := decodeStudy(root)
	if err != nil {
		return nil, located(name, err)
	}
	return s, nil
}

// located is a fault as an error that people see, with the file that it is in.
func located(name string, err error) error {
	f, ok := errors.AsType[*document.Fault](err)
	if !ok {
		return fmt.Errorf("read study %s: %w", name, err)
	}
	if f.Unknown != nil {
		f.Text += hint(*f.Unknown)
	}
	return &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{
		Code: f.Code,
		Text: fmt.Sprintf("%s:%d:%d: %s", name, f.At.Line, f.At.Col, f.Text),
		Try:  f.Try,
	}}
}

// Package spec turns a study file into an assay.Study (Parse) and a study back into a
// file (Format), and checks single values, wherever they are written. Package cmdline
// reads command lines.
//
// Every error is an *assay.Error that says where the fault is, as file:line:col, and what
// was probably meant. The package runs nothing. Package knobs checks whether a toolchain
// knows an experiment, package build whether the toolchain can be fetched.
package spec

import (
	"errors"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// Parse reads a study file and fills in the defaults. name is the file's, for messages;
// the caller sets Study.Dir. Every error is an *assay.Error with exit status 2 and the
// code study-syntax, study-key or study-value. Its text starts with "name:line:col: ".
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

// located turns a fault into an error for users, with the name of the file.
func located(name string, err error) error {
	f, ok := errors.AsType[*document.Fault](err)
	if !ok {
		return fmt.Errorf("read study %s: %w", name, err)
	}
	if f.Unknown != nil {
		f.Text += hint(*f.Unknown)
	}
	return &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{
		Code:   f.Code,
		Text:   fmt.Sprintf("%s:%d:%d: %s", name, f.At.Line, f.At.Col, f.Text),
		Advice: f.Instead,
	}}
}

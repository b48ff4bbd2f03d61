package runs

import (
	"errors"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/shell"
)

// BadRecord returns the error for an inconsistent record, and what to do about it.
func BadRecord(ref string, err error) *assay.Error {
	e := assay.NewError(assay.ExitRefused, assay.CodeBadRecord, "the record of "+ref+" has changed since assay wrote it",
		[]string{printable.OneLine(err)}, "assay verify "+shell.Quote(ref)+"   (a copy that verifies, or another measurement, is needed)")
	if f, ok := errors.AsType[*record.Fault](err); ok && f.Unsealed {
		e.Text = "the record of " + ref + " has no chain to check it by"
		e.Try = "assay verify --seal " + shell.Quote(ref)
	} else if !ok && !errors.Is(err, record.ErrCollected) {
		e.Text = "the record of " + ref + " cannot be read"
	}
	return e
}

// badResult returns the error for an incomplete result without a record.
func badResult(name string, err error) *assay.Error {
	e := BadRecord(name, err)
	e.Text, e.Try = "the result "+name+" has changed since assay wrote it", "assay show RUN --json > "+shell.Quote(name)+"   (RUN is the run that it is of)"
	return e
}

func VersionName(s string) string {
	if s == "" {
		return "(unknown)"
	}
	return s
}

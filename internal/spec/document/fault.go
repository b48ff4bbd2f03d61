package document

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// A Position counts lines and bytes in a line from 1.
type Position struct{ Line, Col int }

// A Fault is an error at a place of a study file.
type Fault struct {
	At   Position
	Code assay.Code
	Text string
	Try  string // what to write instead, where that is a line of its own
	// Unknown is set if the table has no such key. The caller may know which table has
	// it.
	Unknown *UnknownKey
}

// An UnknownKey is a key that a table does not have.
type UnknownKey struct {
	Entry *Entry
	// Where is that of Table.Fill, Keys what the table has.
	Where string
	Keys  Schema
}

// Error returns the text without the place.
func (f *Fault) Error() string { return f.Text }

// Faultf returns a Fault.
func Faultf(at Position, code assay.Code, format string, args ...any) error {
	return &Fault{At: at, Code: code, Text: fmt.Sprintf(format, args...)}
}

package spec

import "fmt"

// Codes of the errors in study files.
const (
	codeSyntax = "study-syntax"
	codeKey    = "study-key"
	codeValue  = "study-value"
)

// A position counts lines and bytes in a line from 1.
type position struct{ line, col int }

// A fault is an error at a place of a study file.
type fault struct {
	at   position
	code string
	text string
	try  string // what to write instead, where that is a line of its own
	// unknown is set where text says that a table has no such key: whoever knows the
	// other tables can say more.
	unknown *unknownKey
}

// An unknownKey is a key that a table does not have.
type unknownKey struct {
	entry *entry
	// where is that of table.fill, keys what the table has.
	where string
	keys  schema
}

func (f *fault) Error() string { return f.text }

func faultf(at position, code, format string, args ...any) error {
	return &fault{at: at, code: code, text: fmt.Sprintf(format, args...)}
}

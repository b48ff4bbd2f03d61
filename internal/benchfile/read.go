package benchfile

import (
	"errors"
	"io"

	"github.com/seed-1318a441/assay/internal/collect"
)

// A Visitor gets what a part of a file says, in its order.
type Visitor struct {
	// Config gets a line "key: value"; ours is set for a comment of assay's exports. Unit
	// gets a line "Unit name key=value".
	Config func(key, value string, ours bool)
	Unit   func(line int, name, key, value string) error
	// Result gets a result. Its name has the suffix of GOMAXPROCS.
	Result func(line int, r collect.Reading) error
	// Skip gets a benchmark that skipped itself, and its reason, "" for none.
	Skip func(name, why string)
}

// A Part of a file has a configuration of its own: what one package printed in events of go
// test -json, or one file of an archive.
type Part struct{ Member, Package string }

// A Loss is a result that a file should have and that could not be read.
type Loss struct {
	// Member is the file of an archive.
	Member string
	// Line is the number of the line, in the text as it was unpacked; 0 is the file.
	Line int
	Text string
	// Failed is set for a benchmark or a package that says so itself: it failed, panicked or
	// did not build.
	Failed bool
}

// A Report says what reading a file left out.
type Report struct {
	Lost []Loss
	// Unread are the files of an archive without a result.
	Unread []string
}

const (
	// maxLosses is the number of losses that are kept of a file.
	maxLosses = 100
	// maxLine is the longest line that can be a result, in bytes; maxEvent is that of an event.
	maxLine  = 60 << 10
	maxEvent = 1 << 20
)

// ErrNothing means that a file has no result.
var ErrNothing = errors.New("no benchmark result")

// other is the error for a file that is no output of go test; it says what it is.
type other string

func (o other) Error() string { return string(o) }

// IsOther reports whether an error of Read means that the file holds no result, and need not.
func IsOther(err error) bool {
	_, ok := errors.AsType[other](err)
	return ok || errors.Is(err, ErrNothing)
}

// Read reads a file. open is called for each part of it. The error says what the file is if it
// is no output of go test.
func Read(r io.Reader, open func(Part) Visitor) (Report, error) {
	f := &file{open: open}
	err := f.unpack(r, "", 0)
	return f.Report, err
}

// A file is the state of reading one.
type file struct {
	Report
	open    func(Part) Visitor
	results int
}

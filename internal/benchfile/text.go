package benchfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/seed-1318a441/assay/internal/collect"
)

// A text is a file of lines, or a member of an archive.
type text struct {
	*file
	member string
	lead   *regexp.Regexp // what stands in front of each line
	at     int
	// streams are what each package printed, by its name in events; "" is what stands outside
	// of them.
	streams map[string]*stream
	order   []*stream
	open    map[string][]partial
	// builds has what the compiler said first of each package, built is the last of them.
	// failed are the packages that failed as a whole.
	builds map[string]string
	built  string
	failed map[string]bool
}

// read reads all lines.
func (t *text) read(in *bufio.Reader) error {
	before := t.results
	var err error
	for err == nil {
		var line []byte
		line, err = readLine(in)
		if len(line) == 0 && err != nil {
			break
		}
		t.at++
		if e := t.line(bytes.TrimRight(line, "\r\n"), bytes.HasSuffix(line, []byte("\n"))); e != nil {
			return fmt.Errorf("line %d: %w", t.at, e)
		}
	}
	if e := t.end(); e != nil {
		return e
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	if t.results > before {
		return nil
	}
	return t.nothing()
}

// readLine returns the next line; of one that is too long it returns the beginning.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	line = bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		var more []byte
		more, err = in.ReadSlice('\n')
		line = append(line, more[:min(len(more), maxEvent-len(line))]...)
	}
	return line, err
}

// conflict matches the marks of an unsolved merge.
var conflict = regexp.MustCompile(`^(<{7}|>{7})( |$)`)

// line reads a line of the file: an event, or what something printed.
func (t *text) line(line []byte, whole bool) error {
	line = plain(line)
	if t.lead != nil {
		line = t.lead.ReplaceAll(line, nil)
	}
	if len(line) == 0 {
		return nil
	}
	if conflict.Match(line) {
		return errors.New("it has conflict markers of git: it holds the results of two sides")
	}
	if e, ok := parseEvent(line); ok {
		return t.event(e)
	}
	return t.stream("").line(line[:min(len(line), maxLine)], whole)
}

// plain returns a line without colours.
func plain(line []byte) []byte {
	if bytes.IndexByte(line, 0x1b) < 0 {
		return line
	}
	return colours.ReplaceAll(line, nil)
}

// stream returns what a package prints.
func (t *text) stream(pkg string) *stream {
	s, ok := t.streams[pkg]
	if !ok {
		s = &stream{t: t, v: t.file.open(Part{t.member, pkg}), w: collect.NewBenchWriter(1), units: map[string]bool{}, noted: map[string]int{}}
		t.streams[pkg] = s
		t.order = append(t.order, s)
	}
	return s
}

// end names what the end of the text has cut off.
func (t *text) end() error {
	for pkg, open := range t.open {
		for _, p := range open {
			if err := t.streams[pkg].line(p.text, false); err != nil {
				return err
			}
		}
	}
	for _, s := range t.order {
		s.end()
	}
	return nil
}

// lose notes a loss.
func (t *text) lose(l Loss) {
	if l.Member = t.member; len(t.Lost) < maxLosses {
		t.Lost = append(t.Lost, l)
	}
}

// nothing is the error of a text without a result.
func (t *text) nothing() error {
	for _, l := range t.Lost {
		if l.Member == t.member {
			return fmt.Errorf("%w that can be read; line %d: %s", ErrNothing, l.Line, l.Text)
		}
	}
	for _, s := range t.order {
		if s.pass {
			return fmt.Errorf("%w: the tests ran, and no benchmark matched (PASS): look at -bench", ErrNothing)
		}
	}
	return fmt.Errorf("%w: its first line is not of go test -bench", ErrNothing)
}

// What may stand in front of lines: the time of a CI job's log, marks of a quotation.
var (
	times  = regexp.MustCompile(`^(\S+ )?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?\]? `)
	quotes = regexp.MustCompile(`^(> ?)+`)
	blanks = regexp.MustCompile(`^[ \t]+`)
)

// begins matches the beginning of a line with a result, or of an event.
var begins = regexp.MustCompile(`^(Benchmark|\{"(Time|Action|ImportPath)":)`)

// leadOf returns what stands in front of the lines of a text that begins so, nil for nothing.
func leadOf(head []byte) *regexp.Regexp {
	head = colours.ReplaceAll(head, nil)
	for _, lead := range []*regexp.Regexp{times, quotes, blanks} {
		var with, without int
		for line := range bytes.Lines(head) {
			rest := lead.ReplaceAll(line, nil)
			if !begins.Match(rest) {
				continue
			}
			if len(rest) < len(line) {
				with++
			} else {
				without++
			}
		}
		if with > without {
			return lead
		}
	}
	return nil
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*[a-zA-Z]`)

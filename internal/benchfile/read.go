package benchfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Visitor gets what a file says, in its order.
type Visitor struct {
	// Config gets a line "key: value"; ours is set for a comment of assay's exports. Unit
	// gets a line "Unit name key=value".
	Config func(key, value string, ours bool)
	Unit   func(line int, name, key, value string) error
	// Result gets a result. Its name has the suffix of GOMAXPROCS.
	Result func(line int, r collect.Reading) error
}

// A Loss is a result that a file should have and that could not be read.
type Loss struct {
	// Line is the number of the line, in the text as it was unpacked; 0 is the file.
	Line int
	Text string
	// Failed is set for a benchmark that says so itself: it failed or panicked.
	Failed bool
}

// maxLosses is the number of losses that are kept of a file.
const maxLosses = 100

// maxLine is the longest line that can be a result, in bytes.
const maxLine = 60 << 10

// ErrNothing means that a file has no result.
var ErrNothing = errors.New("no benchmark result")

// Read reads a file. The error says what it is if it is no output of go test.
func Read(r io.Reader, v Visitor) (lost []Loss, err error) {
	in, err := plain(r)
	if err != nil {
		return nil, err
	}
	s := &scanner{v: v, w: collect.NewBenchWriter(1), units: map[string]bool{}, failed: map[string]int{}}
	if head, _ := in.Peek(peeked); len(head) == 0 {
		return nil, errors.New("it is empty (0 bytes)")
	} else {
		s.lead = leadOf(head)
	}
	for err == nil {
		var line []byte
		line, err = readLine(in)
		if len(line) == 0 && err != nil {
			break
		}
		s.at++
		s.whole = bytes.HasSuffix(line, []byte("\n"))
		if e := s.line(bytes.TrimRight(line, "\r\n")); e != nil {
			return s.lost, fmt.Errorf("line %d: %w", s.at, e)
		}
	}
	s.end()
	if !errors.Is(err, io.EOF) {
		return s.lost, err
	}
	return s.lost, s.nothing()
}

// readLine returns the next line; of one that is too long it returns the beginning.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	line = bytes.Clone(line[:maxLine])
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = in.ReadSlice('\n')
	}
	return line, err
}

// A scanner reads lines.
type scanner struct {
	v    Visitor
	w    *collect.BenchWriter
	lead *regexp.Regexp // what stands in front of each line
	at   int
	// whole is set for a line that ends; the last one may be cut off.
	whole bool
	n     int             // results
	units map[string]bool // the last words of results
	pass  bool
	lost  []Loss
	// failed has the line of each benchmark that said it failed; 0 once that was noted.
	failed map[string]int
	// open is a line with a name whose result has not come yet.
	open     string
	openedAt int
}

// What may stand in front of lines: the time of a CI job's log, marks of a quotation.
var (
	times  = regexp.MustCompile(`^(\S+ )?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?\]? `)
	quotes = regexp.MustCompile(`^(> ?)+`)
	blanks = regexp.MustCompile(`^[ \t]+`)
)

// leadOf returns what stands in front of the lines of a text that begins so, nil for nothing.
func leadOf(head []byte) *regexp.Regexp {
	head = colours.ReplaceAll(head, nil)
	for _, lead := range []*regexp.Regexp{times, quotes, blanks} {
		var with, without int
		for line := range bytes.Lines(head) {
			rest := lead.ReplaceAll(line, nil)
			if !bytes.HasPrefix(rest, []byte("Benchmark")) {
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

// config matches a line of configuration, as the Go benchmark format has it; ours are
// comments of assay's exports.
var (
	config = regexp.MustCompile(`^(?:# )?([a-z][^A-Z\s:]*):[ \t]+(.*)$`)
	ours   = regexp.MustCompile(`^# (block|base|control|layouts|procs|run): `)
)

func (s *scanner) line(line []byte) error {
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = colours.ReplaceAll(line, nil)
	}
	if s.lead != nil {
		line = s.lead.ReplaceAll(line, nil)
	}
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '#' && !ours.Match(line):
		return nil
	case bytes.HasPrefix(line, []byte("Unit ")):
		return s.unit(string(line))
	}
	if m := config.FindSubmatch(line); m != nil {
		s.v.Config(string(m[1]), strings.TrimSpace(string(m[2])), line[0] == '#')
		return nil
	}
	return s.output(line)
}

func (s *scanner) unit(line string) error {
	words := strings.Fields(line)
	if len(words) < 3 {
		return nil
	}
	for _, w := range words[2:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil // prose
		}
		if err := s.v.Unit(s.at, words[1], key, value); err != nil {
			return err
		}
	}
	return nil
}

// Lines that should be results.
var (
	// torn is an event of go test -json that is cut off.
	torn = regexp.MustCompile(`^\{"(Time|Action)":`)
	name = regexp.MustCompile(`^Benchmark[^a-z\s]\S*|^Benchmark\b`)
	// tail is what follows a name, whatever stands between.
	tail = regexp.MustCompile(`\d\s+\S*/op\b|\d\s+MB/s\b`)
	// odd are values that are no numbers, which are left out of a result.
	odd = regexp.MustCompile(`\s([+-]?Inf|-?NaN|-nan)\s+(\S+)`)
)

// output reads a line of the program's.
func (s *scanner) output(line []byte) error {
	_, _ = s.w.Write(append(slices.Clip(line), '\n'))
	got := s.w.Take()
	if last := string(line[bytes.LastIndexAny(line, " \t")+1:]); len(got) > 0 && !s.whole && !s.units[last] && !ends.MatchString(last) {
		s.lose(Loss{Line: s.at, Text: "it is cut off: " + printable.Brief(string(line))})
		return nil
	} else if len(got) > 0 {
		s.units[last] = true
	}
	for _, r := range got {
		s.n++
		if err := s.v.Result(s.at, r); err != nil {
			return err
		}
	}
	s.failures(false)
	if bytes.HasPrefix(line, []byte("panic: ")) {
		s.lose(Loss{Line: s.at, Text: printable.Brief(string(line)), Failed: true})
	}
	named := name.Match(line)
	switch {
	case len(got) > 0:
		s.open = ""
		if m := odd.FindSubmatch(line); m != nil {
			s.lose(Loss{Line: s.at, Text: fmt.Sprintf("%s %s is no number: %s", m[1], m[2], printable.Brief(string(line)))})
		}
	case torn.Match(line):
		s.lose(Loss{Line: s.at, Text: "an event of go test -json is cut off: " + printable.Brief(string(line))})
	case named && tail.Match(line):
		s.lose(Loss{Line: s.at, Text: "it cannot be read: " + printable.Brief(string(line))})
	case named:
		s.closeOpen()
		s.open, s.openedAt = string(line), s.at
	case bytes.Equal(line, []byte("PASS")):
		s.pass = true
		s.closeOpen()
	}
	return nil
}

// ends matches the units that end a line of package testing.
var ends = regexp.MustCompile(`^(ns/op|MB/s|B/op|allocs/op)$`)

// cut matches a line that ends behind a name and the beginning of its numbers.
var cut = regexp.MustCompile(`^Benchmark\S*\s+\d+(\s+[\d.e+-]*)?$`)

// closeOpen names a line whose numbers did not come.
func (s *scanner) closeOpen() {
	if s.open != "" && cut.MatchString(s.open) {
		s.lose(Loss{Line: s.openedAt, Text: "it is cut off: " + printable.Brief(s.open)})
	}
	s.open = ""
}

// failures notes benchmarks that say that they failed. Why stands on the line after: what was
// noted before this line is complete.
func (s *scanner) failures(all bool) {
	failed := s.w.FailedSoFar()
	for _, name := range slices.Sorted(maps.Keys(s.failed)) {
		if line := s.failed[name]; line > 0 && (all || line < s.at) {
			s.lose(Loss{Line: line, Text: strings.TrimSuffix(fmt.Sprintf("%s failed: %s", name, failed[name]), ": "), Failed: true})
			s.failed[name] = 0
		}
	}
	if len(failed) == len(s.failed) {
		return
	}
	for name := range failed {
		if _, known := s.failed[name]; !known {
			s.failed[name] = s.at
		}
	}
}

// end names what the end of the text has cut off.
func (s *scanner) end() {
	open := s.open
	s.closeOpen()
	s.failures(true)
	if running := s.w.Output().Running; running != "" && !s.pass && !cut.MatchString(open) && len(s.lost) == 0 {
		s.lose(Loss{Line: s.at, Text: "the text ends before the result of " + printable.Brief(running)})
	}
}

func (s *scanner) lose(l Loss) {
	if len(s.lost) < maxLosses {
		s.lost = append(s.lost, l)
	}
}

// nothing is the error of a file without a result.
func (s *scanner) nothing() error {
	switch {
	case s.n > 0:
		return nil
	case len(s.lost) > 0:
		return fmt.Errorf("%w that can be read; line %d: %s", ErrNothing, s.lost[0].Line, s.lost[0].Text)
	case s.pass:
		return fmt.Errorf("%w: the tests ran, and no benchmark matched (PASS): look at -bench", ErrNothing)
	}
	return fmt.Errorf("%w: its first line is not of go test -bench", ErrNothing)
}

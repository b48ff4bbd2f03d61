package benchfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/seed-1318a441/assay/internal/fault"
)

// peeked is how much of a file is looked at to find out what it is.
const peeked = 4 << 10

// plain returns a file as lines of UTF-8: unpacked, decoded, and of the events of go test
// -json what the tests printed. The error says what it is if it holds no output of go test.
func plain(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(peeked)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		return plain(z)
	}
	if encoding := encodingOf(head); encoding != nil {
		return plain(transform.NewReader(in, encoding))
	}
	if what := otherThan(head); what != "" {
		return nil, errors.New(what)
	}
	if isEvents(head) {
		return bufio.NewReaderSize(events(in), 64<<10), nil
	}
	return in, nil
}

// encodingOf returns what makes UTF-8 of a text that begins so, nil if it is.
func encodingOf(head []byte) transform.Transformer {
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		return unicode.UTF8BOM.NewDecoder()
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	case len(head) >= 4 && head[1] == 0 && head[3] == 0 && head[0] != 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
	case len(head) >= 4 && head[0] == 0 && head[2] == 0 && head[1] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	}
	return nil
}

// itself says how assay compares commands.
const itself = `assay measures commands itself: assay compare --cmd-a "OLD COMMAND" --cmd-b "NEW COMMAND"`

// others are files that people take for output of go test, each with what it is and what
// helps.
var others = []struct {
	is   *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`^\x7fELF|^MZ|^\xcf\xfa\xed\xfe|^PK\x03\x04`), "it is a program or an archive, no output of go test"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"results":\s*\[\s*\{\s*"command":`), "it is the JSON of hyperfine; " + itself},
	{regexp.MustCompile(`^command,mean,stddev,|^\| Command \| Mean `), "it is a table of hyperfine; " + itself},
	{regexp.MustCompile(`^Benchmark (#?\d+): .*\n\s+Time \(`), "it is the text of hyperfine; " + itself},
	{regexp.MustCompile(`^Running \S+ test @ |^sysbench \d|^\s*Summary:\n  Total:\t|^This is ApacheBench|^Bombarding |^Requests {6}\[total, rate|^\{"latencies":\{|^response-time,|^\{"spec":\{"numberOfConnections"`),
		"it is the result of a load generator; a workload of kind = \"service\" runs one itself (docs/load.md)"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"context":\s*\{.*("benchmarks":\s*\[|"library_build_type")`), "it is the JSON of google/benchmark, which assay does not read"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"machine_info":`), "it is the JSON of pytest-benchmark, which assay does not read"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"schema":\s*\d+`), "it is a result of assay: assay show FILE prints it, assay merge puts several side by side"},
	{regexp.MustCompile(`(?m)│.*(sec/op|vs base)|^name +old (time|alloc)/op`), "it is a table of benchstat, not the output of go test -bench that the table was made of"},
	{regexp.MustCompile(`(?m)^gc \d+ @\d`), "it is a log of the garbage collector: assay gc FILE reads it"},
}

// result matches the beginning of a line with a result.
var result = regexp.MustCompile(`(?m)Benchmark\S+\s+\d+\s`)

// otherThan says what a file that begins so is, "" if it can be output of go test.
func otherThan(head []byte) string {
	if result.Match(head) && !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return ""
	}
	for _, o := range others {
		if o.is.Match(head) {
			return o.what
		}
	}
	if begin := bytes.TrimSpace(head); (bytes.HasPrefix(begin, []byte("{")) || bytes.HasPrefix(begin, []byte("["))) && !isEvents(head) {
		return "it is JSON, but not of go test -json"
	}
	return ""
}

// isEvents reports whether a text begins like the events of go test -json.
func isEvents(head []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	return bytes.HasPrefix(first, []byte("{")) && bytes.Contains(first, []byte(`"Action":`))
}

// maxEvent is the longest event, in bytes.
const maxEvent = 1 << 20

// events returns what go test -json says was printed, package by package: a line of a result
// comes in several events. Other lines stay as they are: the go command prints some between,
// and an event may be cut off.
func events(in *bufio.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		defer fault.Exit()
		open := map[string][]byte{} // the beginning of a line, by package
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxEvent)
		for lines.Scan() {
			var e struct{ Package, Output string }
			if json.Unmarshal(lines.Bytes(), &e) != nil {
				e.Package, e.Output = "", lines.Text()+"\n"
			}
			text := append(open[e.Package], e.Output...)
			if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
				if _, err := w.Write(text[:i+1]); err != nil {
					return // the reader has been closed
				}
				text = bytes.Clone(text[i+1:])
			}
			open[e.Package] = text
		}
		for _, name := range slices.Sorted(maps.Keys(open)) {
			if len(open[name]) > 0 {
				_, _ = w.Write(append(open[name], '\n'))
			}
		}
		w.CloseWithError(lines.Err())
	}()
	return r
}

package trial

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A serverLog keeps the head and the tail of a server's output, in order, and looks for
// the line that shows that the server is ready.
type serverLog struct {
	// matched is closed when a line has matched.
	matched chan struct{}

	mu   sync.Mutex
	kept child.Excerpt
	line *regexp.Regexp // nil for none, and after a match
}

func newServerLog(line *regexp.Regexp) *serverLog {
	return &serverLog{line: line, matched: make(chan struct{})}
}

// stream returns a writer for one of the server's outputs, with separate lines.
func (l *serverLog) stream() io.Writer { return &logStream{log: l} }

// maxLogLine is the length at which a line is cut before matching.
const maxLogLine = 16 << 10

type logStream struct {
	log  *serverLog
	line []byte // unfinished line
}

// Write keeps p. It never fails.
func (s *logStream) Write(p []byte) (int, error) {
	l := s.log
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.kept.Write(p)
	for rest := p; l.line != nil && len(rest) > 0; {
		text, after, whole := bytes.Cut(rest, []byte("\n"))
		s.line = append(s.line, text[:min(len(text), maxLogLine-len(s.line))]...)
		if whole {
			s.end()
		}
		rest = after
	}
	return len(p), nil
}

// end matches a complete line.
func (s *logStream) end() {
	if s.log.line.Match(bytes.TrimSuffix(s.line, []byte("\r"))) {
		s.log.line = nil
		close(s.log.matched)
	}
	s.line = s.line[:0]
}

// Bytes returns the kept output; never nil.
func (l *serverLog) Bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]byte{}, l.kept.Bytes()...)
}

// How much of a log goes into a reason: lines, and the bytes of a reason that the
// terminal shows.
const (
	lastLines = 3
	reasonLen = 200
)

// explain returns a reason with the last lines of the log, as many as fit.
func (l *serverLog) explain(reason string) string {
	lines := collect.LastLines(l.Bytes(), lastLines)
	for ; len(lines) > 1; lines = lines[1:] {
		if text := reason + "; last log: " + strings.Join(lines, " | "); len(text) <= reasonLen {
			return printable.Brief(text)
		}
	}
	if len(lines) > 0 {
		reason += "; last log: " + lines[0]
	}
	return printable.Brief(reason)
}

package collect

import "bytes"

// Lines longer than maxLine are split into pieces. Each piece repeats keepLine bytes of
// the one before, so that anything shorter is seen whole.
const (
	maxLine  = 64 << 10
	keepLine = 16 << 10
)

// A lineSplitter cuts a stream into lines in bounded memory.
type lineSplitter struct {
	buf []byte
	// The first seen bytes of buf were in the piece before.
	seen int
	// cut is true if buf does not begin at the line's beginning.
	cut bool
}

// A piece is a line, or a part of one that is too long.
type piece struct {
	text []byte
	seen int
	// first and last say that the piece has the line's beginning and end.
	first, last bool
}

// write splits p and calls f with every completed piece.
func (s *lineSplitter) write(p []byte, f func(piece)) {
	for len(p) > 0 {
		if len(s.buf) == maxLine {
			s.shift(f)
		}
		part := p[:min(len(p), maxLine-len(s.buf))]
		i := bytes.IndexByte(part, '\n')
		if i < 0 {
			s.buf = append(s.buf, part...)
			p = p[len(part):]
			continue
		}
		s.buf = append(s.buf, part[:i]...)
		p = p[i+1:]
		s.flush(f)
	}
}

// shift passes on a full buffer and keeps its end.
func (s *lineSplitter) shift(f func(piece)) {
	f(piece{text: s.buf, seen: s.seen, first: !s.cut})
	n := copy(s.buf, s.buf[len(s.buf)-keepLine:])
	s.buf, s.seen, s.cut = s.buf[:n], n, true
}

// flush ends the line.
func (s *lineSplitter) flush(f func(piece)) {
	text := bytes.TrimSuffix(s.buf, []byte("\r"))
	f(piece{text: text, seen: min(s.seen, len(text)), first: !s.cut, last: true})
	s.buf, s.seen, s.cut = s.buf[:0], 0, false
}

// end passes on a last line without newline.
func (s *lineSplitter) end(f func(piece)) {
	if len(s.buf) > 0 {
		s.flush(f)
	}
}

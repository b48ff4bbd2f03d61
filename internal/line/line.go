// Package line cuts a stream into lines in bounded memory. It knows nothing of what the
// lines say.
package line

import (
	"bytes"
	"cmp"
)

// Lines longer than Max bytes come in pieces. Each piece repeats the last Keep bytes of the
// one before, so that anything shorter is seen whole.
const (
	Max  = 64 << 10
	Keep = 16 << 10
)

// A Splitter cuts a stream into lines. The zero value is ready.
type Splitter struct {
	// Max replaces the constant; it must be larger than Keep. 0 leaves it.
	Max int

	buf []byte
	// The first seen bytes of buf were in the piece before.
	seen int
	// cut is true if buf does not begin at the line's beginning.
	cut bool
}

// A Piece is a line without its end, or a part of one that is too long.
type Piece struct {
	// Text is valid until the function that gets the piece returns. Its first Seen bytes were
	// in the piece before.
	Text []byte
	Seen int
	// First and Last say that the piece has the line's beginning and end.
	First, Last bool
}

// Split takes the next part of the stream and calls f with every completed piece.
func (s *Splitter) Split(p []byte, f func(Piece)) {
	for {
		i := bytes.IndexByte(p, '\n')
		switch {
		case i < 0:
			s.add(p, f)
			return
		case len(s.buf) == 0 && i <= s.max(): // without a copy
			f(Piece{Text: bytes.TrimSuffix(p[:i], []byte("\r")), First: true, Last: true})
		default:
			s.add(p[:i], f)
			s.flush(f)
		}
		p = p[i+1:]
	}
}

// End passes on a last line without newline.
func (s *Splitter) End(f func(Piece)) {
	if len(s.buf) > 0 {
		s.flush(f)
	}
}

func (s *Splitter) max() int { return cmp.Or(s.Max, Max) }

// add keeps a part of a line. It passes on a full buffer before it adds to its end.
func (s *Splitter) add(part []byte, f func(Piece)) {
	for len(part) > 0 {
		if len(s.buf) == s.max() {
			f(Piece{Text: s.buf, Seen: s.seen, First: !s.cut})
			n := copy(s.buf, s.buf[len(s.buf)-Keep:])
			s.buf, s.seen, s.cut = s.buf[:n], n, true
		}
		n := min(len(part), s.max()-len(s.buf))
		s.buf, part = append(s.buf, part[:n]...), part[n:]
	}
}

// flush ends the line.
func (s *Splitter) flush(f func(Piece)) {
	text := bytes.TrimSuffix(s.buf, []byte("\r"))
	f(Piece{Text: text, Seen: min(s.seen, len(text)), First: !s.cut, Last: true})
	s.buf, s.seen, s.cut = s.buf[:0], 0, false
}

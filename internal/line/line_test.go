package line

import (
	"bytes"
	"strings"
	"testing"
)

// Whatever the parts in which a stream arrives, its lines come whole and once, and what is
// shorter than Keep is whole in some piece of a long one.
func TestSplit(t *testing.T) {
	mark := strings.Repeat("m", Keep)
	long := strings.Repeat("x", 3*Max-Keep/2) + mark + strings.Repeat("y", 2*Max)
	text := "a\r\n\n" + long + "\nb\n" + strings.Repeat("z", Max) + "\nlast"
	for _, size := range []int{1, 7, Max - 1, Max, Max + 1, len(text)} {
		var lines []string
		var line []byte
		whole := false
		each := func(p Piece) {
			if p.First != (len(line) == 0) || len(p.Text) > Max || p.Seen > 0 && !bytes.HasSuffix(line, p.Text[:p.Seen]) {
				t.Fatalf("parts of %d: a piece of %d bytes, %d seen, first %v, last %v", size, len(p.Text), p.Seen, p.First, p.Last)
			}
			whole = whole || bytes.Contains(p.Text, []byte(mark))
			line = append(line, p.Text[p.Seen:]...)
			if p.Last {
				lines, line = append(lines, string(line)), line[:0]
			}
		}
		var s Splitter
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			s.Split([]byte(rest[:n]), each)
			rest = rest[n:]
		}
		s.End(each)
		want := []string{"a", "", long, "b", strings.Repeat("z", Max), "last"}
		if strings.Join(lines, "\n") != strings.Join(want, "\n") || !whole {
			t.Errorf("parts of %d: got %d lines, the mark whole: %v", size, len(lines), whole)
		}
	}
}

// A line of 100 MB does not stay in memory.
func TestBounded(t *testing.T) {
	var s Splitter
	for range 1000 {
		s.Split(make([]byte, 100<<10), func(Piece) {})
	}
	if n := cap(s.buf); n > 2*Max {
		t.Errorf("%d bytes are kept, want %d or fewer", n, 2*Max)
	}
}

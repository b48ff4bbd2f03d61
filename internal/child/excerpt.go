package child

import "fmt"

// excerptHalf is the kept size of the head and of the tail of an output.
const excerptHalf = 512 << 10

// An Excerpt keeps the head and the tail of what is written to it, 512 KiB each. The
// zero value is ready.
type Excerpt struct {
	head []byte
	// tail is a ring once it is full; next is the index of its oldest byte.
	tail []byte
	next int
	// lost counts the bytes between head and tail.
	lost int64
}

// Write keeps what it can of p. It never fails.
func (e *Excerpt) Write(p []byte) (int, error) {
	n := len(p)
	room := min(excerptHalf-len(e.head), len(p))
	e.head = append(e.head, p[:room]...)
	p = p[room:]
	room = min(excerptHalf-len(e.tail), len(p))
	e.tail = append(e.tail, p[:room]...)
	p = p[room:]
	e.lost += int64(len(p))
	if len(p) > excerptHalf {
		p = p[len(p)-excerptHalf:]
	}
	for len(p) > 0 {
		m := copy(e.tail[e.next:], p)
		e.next = (e.next + m) % excerptHalf
		p = p[m:]
	}
	return n, nil
}

// Bytes returns head, note and tail.
func (e *Excerpt) Bytes() []byte {
	if e.lost == 0 {
		return append(e.head, e.tail...)
	}
	b := fmt.Appendf(e.head, "\n... %d bytes omitted ...\n", e.lost)
	b = append(b, e.tail[e.next:]...)
	return append(b, e.tail[:e.next]...)
}

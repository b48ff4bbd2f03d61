package trial

import "fmt"

// keep is how much of the head and of the tail of an output is kept.
const keep = 512 << 10

// limited keeps the head and the tail of what is written to it. The zero value
// is ready.
type limited struct {
	head []byte
	// tail is a ring once it is full; next is where its oldest byte is.
	tail []byte
	next int
	// lost counts the bytes between head and tail.
	lost int64
}

// Write keeps what it can of p. It never fails.
func (l *limited) Write(p []byte) (int, error) {
	n := len(p)
	room := min(keep-len(l.head), len(p))
	l.head = append(l.head, p[:room]...)
	p = p[room:]
	room = min(keep-len(l.tail), len(p))
	l.tail = append(l.tail, p[:room]...)
	p = p[room:]
	l.lost += int64(len(p))
	if len(p) > keep {
		p = p[len(p)-keep:]
	}
	for len(p) > 0 {
		m := copy(l.tail[l.next:], p)
		l.next = (l.next + m) % keep
		p = p[m:]
	}
	return n, nil
}

// Bytes returns head, note and tail.
func (l *limited) Bytes() []byte {
	if l.lost == 0 {
		return append(l.head, l.tail...)
	}
	b := fmt.Appendf(l.head, "\n... %d bytes left out ...\n", l.lost)
	b = append(b, l.tail[l.next:]...)
	return append(b, l.tail[:l.next]...)
}

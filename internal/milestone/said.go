package milestone

import "fmt"

const (
	maxEvidence = 12
	maxLine     = 200 // characters of a text or a piece of evidence
	maxSaid     = 1 << 20
)

// oneLine makes text by a stranger fit to be shown: one line of printable
// characters, not too long.
func oneLine(s string) string { return cut(cleanSubject(s), maxLine) }

// few cleans pieces of evidence and keeps the first.
func few(all []string) []string {
	kept := all[:min(len(all), maxEvidence)]
	var out []string
	for _, e := range kept {
		out = append(out, oneLine(e))
	}
	if n := len(all) - len(kept); n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return out
}

// A clip is an io.Writer that keeps the beginning and the end of what it is
// given: what failed first, and the summary.
type clip struct {
	head, tail []byte
	lost       int
}

// Write never fails.
func (c *clip) Write(p []byte) (int, error) {
	n := len(p)
	room := min(maxSaid/2-len(c.head), len(p))
	c.head = append(c.head, p[:room]...)
	c.tail = append(c.tail, p[room:]...)
	// Let it grow to twice its size, so that it is seldom moved.
	if len(c.tail) > maxSaid {
		c.drop()
	}
	return n, nil
}

// drop shortens the end to what is kept of it, less the line that says so.
func (c *clip) drop() {
	extra := len(c.tail) - (maxSaid/2 - 64)
	if extra > 0 {
		c.lost += extra
		c.tail = append(c.tail[:0], c.tail[extra:]...)
	}
}

// bytes returns what was kept, nil for nothing.
func (c *clip) bytes() []byte {
	if c.lost > 0 || len(c.head)+len(c.tail) > maxSaid {
		c.drop()
		gap := fmt.Appendf(nil, "\n... %d bytes left out ...\n", c.lost)
		return append(append(c.head, gap...), c.tail...)
	}
	return append(c.head, c.tail...)
}

package milestone

import "fmt"

const (
	maxEvidence = 12
	maxLine     = 200 // characters of a text or a piece of evidence
	maxSaid     = 1 << 20
)

// oneLine makes untrusted text safe to show: one line of printable characters, not too
// long.
func oneLine(s string) string { return cutWords(cleanSubject(s), maxLine) }

func firstEvidence(all []string) []string {
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

// A clip is an io.Writer that keeps the beginning and the end of its input: the first
// failure, and the summary.
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
	// It may grow to twice its size, so that copying is rare.
	if len(c.tail) > maxSaid {
		c.drop()
	}
	return n, nil
}

// drop shortens the end to the kept length, leaving room for the line that says so.
func (c *clip) drop() {
	extra := len(c.tail) - (maxSaid/2 - 64)
	if extra > 0 {
		c.lost += extra
		c.tail = append(c.tail[:0], c.tail[extra:]...)
	}
}

// bytes returns the kept text, nil if empty.
func (c *clip) bytes() []byte {
	if c.lost > 0 || len(c.head)+len(c.tail) > maxSaid {
		c.drop()
		gap := fmt.Appendf(nil, "\n... %d bytes omitted ...\n", c.lost)
		return append(append(c.head, gap...), c.tail...)
	}
	return append(c.head, c.tail...)
}

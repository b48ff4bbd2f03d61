package gctrace

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay/internal/printable"
)

// notes collects what was not understood.
type notes struct {
	tornLines int
	tornText  string
	fields    []oddField
	moreOdd   int
	order     order
}

// An oddField is an unknown field.
type oddField struct {
	// shape is the field with each number as "#".
	shape   []byte
	example string
	count   int
}

// maxOdd is the maximum number of distinct unknown fields.
const maxOdd = 8

func (n *notes) torn(text []byte, count int) {
	if n.tornText == "" {
		n.tornText = ascii(text)
	}
	n.tornLines += count
}

func (n *notes) unknown(field []byte) {
	var buf [64]byte
	shape := shapeOf(buf[:0], field)
	i := slices.IndexFunc(n.fields, func(f oddField) bool { return bytes.Equal(f.shape, shape) })
	switch {
	case i >= 0:
		n.fields[i].count++
	case len(n.fields) == maxOdd:
		n.moreOdd++
	default:
		n.fields = append(n.fields, oddField{bytes.Clone(shape), ascii(field), 1})
	}
}

// shapeOf appends the field with each number as "#".
func shapeOf(dst, field []byte) []byte {
	for i := 0; i < len(field); i++ {
		if _, j := readFigure(field, i); j > i {
			dst, i = append(dst, '#'), j-1
			continue
		}
		dst = append(dst, field[i])
	}
	return dst
}

func (n *notes) list() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, f := range n.fields {
		add("unknown field %q in %s; assay reads the other fields", f.example, printable.Count(f.count, "line"))
	}
	if n.moreOdd > 0 {
		add("%s more that are not known", printable.Count(n.moreOdd, "field"))
	}
	if n.tornLines > 0 {
		add("%s torn by other output or cut off, the first: %q", printable.Count(n.tornLines, "line"), n.tornText)
	}
	// The number of a torn line is missing too.
	if lost := n.order.missed - n.tornLines; lost > 0 {
		add("%s missing by number", printable.Count(lost, "more cycle"))
	}
	switch {
	case n.order.mixed:
		add("the numbers of the cycles jump: several processes at a time wrote here")
	case n.order.processes > 1:
		add("the numbers of the cycles begin again: %d processes wrote here, one after the other", n.order.processes)
	}
	return out
}

// ascii makes untrusted text safe to print, like printable.Brief, in ASCII and short.
func ascii(text []byte) string {
	const most = 80
	out := make([]byte, 0, most+len("..."))
	for _, c := range text {
		if len(out) == most {
			return string(append(out, "..."...))
		}
		if c < ' ' || c > '~' {
			c = '?'
		}
		out = append(out, c)
	}
	return string(out)
}

// order checks the numbers of cycles, which the runtime counts from 1.
type order struct {
	last, processes, missed int
	// mixed means that the numbers jump as those of a single process never do.
	mixed bool
}

// maxMissed is the maximum number of consecutive missing cycles. A larger jump has
// another cause.
const maxMissed = 10000

// next takes a cycle's number, and reports whether it follows the last one.
func (o *order) next(n int) bool {
	last := o.last
	o.last = n
	switch {
	case o.processes == 0 || n == 1:
		o.processes++
		return false
	case n == last+1:
		return !o.mixed
	case n > last && n-last <= maxMissed:
		o.missed += n - last - 1
	default:
		o.mixed = true
	}
	return false
}

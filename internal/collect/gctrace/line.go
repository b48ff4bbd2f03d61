package gctrace

import (
	"bytes"

	"github.com/seed-1318a441/assay"
)

// The line, by gcMarkTermination in runtime/mgc.go of go1.19 to go1.27:
//
//	gc 3 @0.009s 3%: 0.16+0.18+0.003 ms clock, 0.32+0/0.11/0.078+0.006 ms cpu, 3->3->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)
//
// Stacks and globals came with go1.18; since go1.26 " (checking for goroutine leaks)" may
// stand before the colon. Times are in milliseconds with two digits and at most three
// decimals, and whole from 10 ms on (fmtNSAsMS). Sizes are bytes>>20, rounded down.

// findHead finds the last beginning of a cycle's line in text, and the number of them: a
// line torn by another process has two. The text before a head had no newline, or comes
// from a log collector.
func findHead(text []byte) (at, heads int) {
	for i := 0; ; {
		j := bytes.Index(text[i:], []byte("gc "))
		if j < 0 {
			return at, heads
		}
		i += j + len("gc ")
		var r reader
		if n := r.head(text[i:]); n > 0 {
			at, heads = i-len("gc "), heads+1
			i += n
		}
	}
}

// A reader reads one line after the other.
type reader struct {
	cycle assay.GCCycle
	// odd are the unknown fields, as parts of the line.
	odd [][]byte

	figures figures // of the current field
}

// line reads a line from its "gc " to its end, and reports whether it is complete.
func (r *reader) line(b []byte) bool {
	r.cycle, r.odd = assay.GCCycle{}, r.odd[:0]
	b = endOfLine(b[len("gc "):])
	n := r.head(b)
	if n == 0 {
		return false
	}
	b, ok := r.share(b[n:])
	if !ok {
		return false
	}
	var seen fields
	for more := true; more; {
		var field []byte
		field, b, more = bytes.Cut(b, []byte{','})
		if len(b) > 0 && b[0] == ' ' { // four times as fast as TrimPrefix
			b = b[1:]
		}
		kind, ok := r.field(field)
		if !ok {
			return false
		}
		seen |= kind
	}
	// These two have been in every version. Without the Ps the end of the line is lost,
	// and without the clock a cycle has no content.
	const needed = fieldClock | fieldProcs
	return seen&needed == needed
}

// endOfLine cuts off what follows the runtime's line. A JSON log has it in quotes, with
// an escaped newline.
func endOfLine(b []byte) []byte {
	if i := bytes.IndexByte(b, '"'); i >= 0 {
		b = b[:i]
	}
	if i := bytes.IndexByte(b, '\\'); i >= 0 {
		b = b[:i]
	}
	return bytes.TrimSuffix(b, []byte("\r"))
}

// head reads "3 @0.009s ", the number and the time, and returns its length, or 0 if there
// is none.
func (r *reader) head(b []byte) int {
	n, i := readFigure(b, 0)
	if i == 0 || n.decimals > 0 || !hasAt(b, i, " @") {
		return 0
	}
	at, j := readFigure(b, i+2)
	if j == i+2 || !hasAt(b, j, "s ") {
		return 0
	}
	r.cycle.N, r.cycle.At = int(n.digits), at.over(0)
	return j + 2
}

// share reads "3%: " and returns what follows.
func (r *reader) share(b []byte) ([]byte, bool) {
	n, i := readFigure(b, 0)
	if i == 0 || !hasAt(b, i, "%") {
		return nil, false
	}
	r.cycle.Share = n.over(2)
	if hasAt(b, i, "%: ") {
		return b[i+3:], true
	}
	b = b[i+1:]
	if i = bytes.Index(b, []byte("): ")); i < 0 || !hasAt(b, 0, " (") {
		return nil, false
	}
	if b := b[:i+1]; string(b) != " (checking for goroutine leaks)" {
		if !isWords(b) {
			return nil, false
		}
		r.odd = append(r.odd, b[1:])
	}
	return b[i+3:], true
}

// fields is the set of fields in a line.
type fields uint8

const (
	fieldClock fields = 1 << iota
	fieldCPU
	fieldProcs
)

// field reads one field: figures, a unit and a name. ok is false for a field of no
// version, such as a line of a log.
func (r *reader) field(b []byte) (kind fields, ok bool) {
	f := &r.figures
	i := f.read(b)
	if i == 0 || i >= len(b) || b[i] != ' ' {
		return 0, r.other(b)
	}
	text := b[i+1:]
	if len(text) > 0 && text[0] == 'P' {
		return fieldProcs, f.n == 1 && r.procs(f, text[1:])
	}
	unit, name, _ := bytes.Cut(text, []byte{' '})
	for _, u := range units {
		if u.name != string(unit) {
			continue
		}
		if !u.isTime {
			if r.sizes(f, u.power, name) {
				return 0, true
			}
		} else if kind := r.times(f, u.power, name); kind != 0 {
			return kind, true
		}
	}
	return 0, r.other(b)
}

// procs reads what follows the P.
func (r *reader) procs(f *figures, rest []byte) bool {
	r.cycle.Procs = int(f.at[0].digits)
	if hasAt(rest, 0, " (forced)") {
		r.cycle.Forced = true
		rest = rest[len(" (forced)"):]
	}
	return len(rest) == 0 || hasAt(rest, 0, " (") && r.other(rest[1:])
}

func (r *reader) times(f *figures, exp int, name []byte) fields {
	c := &r.cycle
	switch {
	case string(name) == "clock" && f.has("++"):
		c.SweepPause, c.Mark, c.MarkPause = f.at[0].over(exp), f.at[1].over(exp), f.at[2].over(exp)
		return fieldClock
	case string(name) == "cpu" && f.has("+//+"):
		c.SweepCPU, c.MarkTermCPU = f.at[0].over(exp), f.at[4].over(exp)
		c.AssistCPU, c.BackgroundCPU, c.IdleCPU = f.at[1].over(exp), f.at[2].over(exp), f.at[3].over(exp)
		return fieldCPU
	}
	return 0
}

func (r *reader) sizes(f *figures, shift int, name []byte) bool {
	c := &r.cycle
	if len(name) == 0 && f.has(">>") {
		c.HeapStart, c.HeapEnd, c.Live = f.at[0].bytes(shift), f.at[1].bytes(shift), f.at[2].bytes(shift)
		return true
	}
	if !f.has("") {
		return false
	}
	switch string(name) {
	case "goal":
		c.Goal = f.at[0].bytes(shift)
	case "stacks":
		c.Stacks = f.at[0].bytes(shift)
	case "globals":
		c.Globals = f.at[0].bytes(shift)
	default:
		return false
	}
	return true
}

// other keeps an unknown field if it looks like a field.
func (r *reader) other(b []byte) bool {
	if !isWords(b) {
		return false
	}
	r.odd = append(r.odd, b)
	return true
}

// isWords reports whether b could be a field of a future version: short, and without the
// characters of log lines.
func isWords(b []byte) bool {
	if len(b) == 0 || len(b) > 60 {
		return false
	}
	for _, c := range b {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9':
		case bytes.IndexByte([]byte(" .+-/>%()#@_"), c) >= 0 || c >= 0x80: // µs
		default:
			return false
		}
	}
	return true
}

func hasAt(b []byte, i int, text string) bool {
	return len(b)-i >= len(text) && string(b[i:i+len(text)]) == text
}

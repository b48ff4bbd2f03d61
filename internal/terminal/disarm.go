package terminal

import "io"

// Disarm returns a writer for the log of a CI job. It puts blanks into what a runner of
// GitHub Actions would obey, wherever a line breaks: "::" at the beginning of a line, and
// "##[" anywhere. It is the last place before the log, behind everything that wraps or cuts.
func Disarm(w io.Writer) io.Writer { return &disarmer{w: w, begins: true} }

// A disarmer knows where it is in a line.
type disarmer struct {
	w      io.Writer
	begins bool // only blanks so far, or what a runner may take for some
	colon  bool // the byte before is the first colon of the line
	hashes int  // so many of the bytes before
}

func (d *disarmer) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p)+8)
	for _, b := range p {
		if b == ':' && d.colon || b == '[' && d.hashes >= 2 {
			out = append(out, ' ')
		}
		d.colon = b == ':' && d.begins
		d.hashes = (d.hashes + 1) * btoi(b == '#')
		// .NET trims every Unicode space: all bytes beyond ASCII count as blank.
		d.begins = b == '\n' || b == '\r' || d.begins && (b <= ' ' || b >= 0x80 || b == ':')
		out = append(out, b)
	}
	if _, err := d.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

package load

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is the kept part of a line, in bytes: an interval of an HdrHistogram log is one
// line.
const maxLine = 1 << 20

// eachLine calls f with the lines of r until f fails; the error names the line.
func eachLine(r io.Reader, f func(line string) error) error {
	return eachNumbered(r, false, inLine(f))
}

// eachWholeLine is eachLine for text that must end with a complete line: otherwise it has
// been cut off.
func eachWholeLine(r io.Reader, f func(line string) error) error {
	return eachNumbered(r, true, inLine(f))
}

func inLine(f func(line string) error) func(int, string) error {
	return func(n int, line string) error {
		if err := f(line); err != nil {
			return fmt.Errorf("%w in line %d", err, n)
		}
		return nil
	}
}

// eachNumbered calls f with the lines of r, counted from 1, until f fails. Of a longer
// line f gets the first maxLine bytes. With whole a last line without an end fails.
func eachNumbered(r io.Reader, whole bool, f func(n int, line string) error) error {
	if r == nil {
		return nil
	}
	b := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for n := 1; ; {
		part, err := b.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxLine-len(line))]...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("cannot be read: %w", err)
		}
		if len(line) > 0 {
			if err := f(n, strings.TrimRight(string(line), "\r\n")); err != nil {
				return err
			}
		}
		if err == io.EOF {
			if whole && len(line) > 0 {
				return errors.New("ends in the middle of a line")
			}
			return nil
		}
		line, n = line[:0], n+1
	}
}

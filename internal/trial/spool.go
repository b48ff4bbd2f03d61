package trial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Limits on a load generator's output: in memory, and in total.
const (
	spoolMemory = 1 << 20
	spoolLimit  = 4 << 30
)

// A spool keeps everything written to it, in a file if it is large: a list of all
// latencies is read after the load, not while it runs.
type spool struct {
	dir    string // of the file
	memory bytes.Buffer
	file   *os.File
	size   int64
	last   time.Time // of a write
	err    error     // of the first failed write
}

// Write keeps p. It never fails: reader returns the error.
func (s *spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	s.last = time.Now()
	switch {
	case s.err != nil:
	case s.size > spoolLimit:
		s.err = fmt.Errorf("printed more than %d GiB", spoolLimit>>30)
	case s.file == nil && s.size <= spoolMemory:
		s.memory.Write(p)
	default:
		s.err = s.toFile(p)
	}
	return len(p), nil
}

func (s *spool) toFile(p []byte) (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.dir, "assay-load-*"); err != nil {
			return err
		}
		if _, err = s.file.Write(s.memory.Bytes()); err != nil {
			return err
		}
		s.memory = bytes.Buffer{}
	}
	_, err = s.file.Write(p)
	return err
}

// reader returns everything that was written.
func (s *spool) reader() (io.Reader, error) {
	if s.err != nil {
		return nil, fmt.Errorf("keep its output: %w", s.err)
	}
	if s.file == nil {
		return &s.memory, nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

// close removes the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

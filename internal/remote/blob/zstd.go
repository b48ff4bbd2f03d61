package blob

import (
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// window is the number of bytes that a decoder must keep: a sender cannot make it take
// more memory.
const window = 8 << 20

var encoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		panic(err) // the options are valid
	}
	return e
}}

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		panic(err) // the options are valid
	}
	return d
}}

// Compress writes what r has to w as zstd, and returns the number of bytes that it read.
func Compress(w io.Writer, r io.Reader) (int64, error) {
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	e.Reset(w)
	n, err := io.Copy(e, r)
	if cerr := e.Close(); err == nil {
		err = cerr
	}
	e.Reset(nil) // so that the pool keeps neither w nor r
	return n, err
}

// Decompress returns a reader of the size bytes that r has as Compress writes them. If
// they are more, fewer, or not zstd, its error is ErrContent: it does not read on, however
// many there may be. Close frees its memory; it does not close r.
func Decompress(r io.Reader, size int64) io.ReadCloser {
	from := &source{r: r}
	d := decoders.Get().(*zstd.Decoder)
	err := d.Reset(from)
	return &plain{from: from, d: d, left: size, size: size, err: err}
}

// plain is a reader of an exact number of bytes.
type plain struct {
	from       *source
	d          *zstd.Decoder
	left, size int64
	err        error
}

func (p *plain) Read(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	if int64(len(b))-1 > p.left {
		b = b[:p.left+1] // one more, to see that it ends
	}
	n, err := p.d.Read(b)
	switch {
	case int64(n) > p.left:
		n, err = int(p.left), fmt.Errorf("%w: it has more than %d bytes", ErrContent, p.size)
	case err == io.EOF && int64(n) < p.left:
		err = fmt.Errorf("%w: it has %d of %d bytes", ErrContent, p.size-p.left+int64(n), p.size)
	case err != nil && err != io.EOF && p.from.err == nil:
		err = fmt.Errorf("%w: %w", ErrContent, err)
	}
	p.left, p.err = p.left-int64(n), err
	return n, err
}

func (p *plain) Close() error {
	if p.d != nil {
		p.d.Reset(nil)
		decoders.Put(p.d)
		p.d, p.err = nil, io.ErrClosedPipe
	}
	return nil
}

// A source remembers whether reading failed: that is no fault of the content.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

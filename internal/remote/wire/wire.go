// Package wire carries messages over a stream of bytes, such as the standard input and
// output of a program on another computer: JSON, compressed if it is long, and pieces of
// files. What arrives may be anything; every frame is limited before memory is set aside
// for it.
//
// It does not know what the messages mean (package remote).
package wire

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Version is the number of the protocol. Both ends must have the same.
const Version = 1

// Magic is the line with which an agent begins. What a shell prints before it is no frame.
const Magic = "assay-agent 1\n"

// Limits of a frame, in bytes. A trial may have 1 MiB of each output, and a block of six
// variants ends at once; a profile may have 64 MiB.
const (
	maxFrame    = 96 << 20
	maxUnpacked = 256 << 20
	// MaxBlob is the largest piece of a file in one frame.
	MaxBlob = 1 << 20
	// packFrom is the length from which JSON is compressed.
	packFrom = 512
)

// The kinds of frames: the byte after the length.
const (
	kindJSON   = 'j'
	kindPacked = 'z' // JSON, zstd
	kindBlob   = 'b' // 8 bytes of ID, then a piece
)

// headLength is the length of a frame's head: 4 bytes of length, big-endian, and the kind.
const headLength = 5

// ErrFrame means that what arrived is no frame: the other end is no agent, or it lies.
var ErrFrame = errors.New("what arrived is no frame")

// A Stream sends and receives frames. Sending is safe from several goroutines; one
// goroutine receives.
type Stream struct {
	r *bufio.Reader

	mu sync.Mutex
	w  io.Writer

	pack   *zstd.Encoder
	unpack *zstd.Decoder

	counted sync.Mutex
	sent    int64
	got     int64
}

// A Frame is a message, or a piece of a file.
type Frame struct {
	// JSON is a message; nil for a piece.
	JSON []byte
	// ID says which file Piece belongs to. An empty piece is the file's end.
	ID    uint64
	Piece []byte
}

// NewStream returns a stream over a connection whose Magic has been read.
func NewStream(r io.Reader, w io.Writer) *Stream {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("wire: " + err.Error()) // the options are constants
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic("wire: " + err.Error())
	}
	return &Stream{r: bufio.NewReaderSize(r, 64<<10), w: w, pack: pack, unpack: unpack}
}

// Send sends a message.
func (s *Stream) Send(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("send message: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(data) < packFrom {
		return s.frame(kindJSON, nil, data)
	}
	return s.frame(kindPacked, nil, s.pack.EncodeAll(data, nil))
}

// SendPiece sends a piece of a file, at most MaxBlob; an empty one ends it.
func (s *Stream) SendPiece(id uint64, piece []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frame(kindBlob, binary.BigEndian.AppendUint64(nil, id), piece)
}

// frame writes one frame.
func (s *Stream) frame(kind byte, id, data []byte) error {
	n := len(id) + len(data)
	if n > maxFrame {
		return fmt.Errorf("send frame: it has %d bytes, more than %d", n, maxFrame)
	}
	head := append(binary.BigEndian.AppendUint32(nil, uint32(n)), kind)
	all := append(append(head, id...), data...)
	s.count(&s.sent, len(all))
	_, err := s.w.Write(all)
	return err
}

// Receive returns the next frame. The error is io.EOF where the stream has ended between
// frames, and ErrFrame for anything that is no frame.
func (s *Stream) Receive() (f Frame, err error) {
	var head [headLength]byte
	if _, err := io.ReadFull(s.r, head[:]); err != nil {
		return f, err
	}
	n := binary.BigEndian.Uint32(head[:4])
	if n > maxFrame {
		return f, fmt.Errorf("%w: it would have %d bytes", ErrFrame, n)
	}
	data, err := io.ReadAll(io.LimitReader(s.r, int64(n))) // memory grows with what arrives
	if err == nil && len(data) < int(n) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return f, err
	}
	s.count(&s.got, headLength+len(data))
	switch head[4] {
	case kindJSON:
		f.JSON = data
	case kindPacked:
		if f.JSON, err = s.unpack.DecodeAll(data, nil); err != nil {
			return f, fmt.Errorf("%w: %v", ErrFrame, err)
		}
	case kindBlob:
		if n < 8 || n > MaxBlob+8 {
			return f, fmt.Errorf("%w: a piece of %d bytes", ErrFrame, n)
		}
		f.ID, f.Piece = binary.BigEndian.Uint64(data), data[8:]
	default:
		return f, fmt.Errorf("%w: kind %q", ErrFrame, head[4])
	}
	return f, nil
}

func (s *Stream) count(at *int64, n int) {
	s.counted.Lock()
	defer s.counted.Unlock()
	*at += int64(n)
}

// Traffic returns the bytes of all frames sent and received so far.
func (s *Stream) Traffic() (sent, received int64) {
	s.counted.Lock()
	defer s.counted.Unlock()
	return s.sent, s.got
}

// maxBefore is how much text may stand before the Magic: what shells print at login.
const maxBefore = 64 << 10

// Await reads up to the Magic and returns what stood before it. It reads byte by byte, so
// that nothing after it is lost. The error says that there was none.
func Await(r io.Reader) (before string, err error) {
	var text strings.Builder
	var one [1]byte
	for text.Len() < maxBefore {
		if _, err := io.ReadFull(r, one[:]); err != nil {
			return text.String(), err
		}
		text.WriteByte(one[0])
		if before, ok := strings.CutSuffix(text.String(), Magic); ok && one[0] == '\n' {
			return before, nil
		}
	}
	return text.String(), fmt.Errorf("%w: %d bytes of text, and no agent", ErrFrame, maxBefore)
}

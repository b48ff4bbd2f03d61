package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// fileSize is on SubjectSize when all pieces of a file are there.
type fileSize struct {
	Size   int64 `json:"size"` // of the file
	Pieces int   `json:"pieces"`
}

// mostPieces is the number of pieces of the largest file that travels.
const mostPieces = 1 << 14

// HasFile reports whether the hub has all of a file.
func (c *Conn) HasFile(ctx context.Context, sum string, size int64) (bool, error) {
	s, err := c.fileSize(ctx, sum)
	if err != nil || s.Size != size {
		return false, err
	}
	_, _, err = c.Get(ctx, StreamBlobs, SubjectPiece(sum, s.Pieces-1)) // the oldest go first where room is short
	if err == nil && s.Pieces > 1 {
		_, _, err = c.Get(ctx, StreamBlobs, SubjectPiece(sum, 0))
	}
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// fileSize returns the size of a file; zero if the hub does not have it.
func (c *Conn) fileSize(ctx context.Context, sum string) (s fileSize, err error) {
	data, _, err := c.Get(ctx, StreamBlobs, SubjectSize(sum))
	if errors.Is(err, ErrNotFound) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err == nil && (s.Pieces < 1 || s.Pieces > mostPieces) {
		err = fmt.Errorf("the hub's file %.12s has %d pieces", sum, s.Pieces)
	}
	return s, err
}

// PutFile gives the hub a file of size bytes, in the form in which r has it.
func (c *Conn) PutFile(ctx context.Context, sum string, size int64, r io.Reader) error {
	piece := make([]byte, MaxInline)
	for i := 0; ; i++ {
		n, err := io.ReadFull(r, piece)
		if n > 0 || i == 0 {
			if err := c.Put(ctx, SubjectPiece(sum, i), piece[:n]); err != nil {
				return fmt.Errorf("send file of %.1f MB to the hub: %w", float64(size)/1e6, err)
			}
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.ErrUnexpectedEOF):
			i++
		case errors.Is(err, io.EOF):
			i = max(i, 1)
		default:
			return err
		}
		data, err := json.Marshal(fileSize{Size: size, Pieces: i})
		if err != nil {
			return err
		}
		return c.Put(ctx, SubjectSize(sum), data)
	}
}

// GetFile writes what PutFile was given to w. The error is ErrNotFound if the hub does
// not have all of it.
func (c *Conn) GetFile(ctx context.Context, sum string, w io.Writer) error {
	s, err := c.fileSize(ctx, sum)
	if err == nil && s.Pieces == 0 {
		err = ErrNotFound
	}
	for i := 0; err == nil && i < s.Pieces; i++ {
		var data []byte
		if data, _, err = c.Get(ctx, StreamBlobs, SubjectPiece(sum, i)); err == nil {
			_, err = w.Write(data)
		}
	}
	return err
}

package remote

import (
	"context"
	"encoding/json"
	"io"
)

// A Link carries requests to an agent, and the files that it needs. Calls may run in
// parallel.
type Link interface {
	// Call makes a request and waits for its last reply, which it puts into out unless
	// that is nil. event gets the events before; its error ends the request, as the end of
	// ctx does. The error wraps lab.ErrLost if the agent cannot be reached any more.
	Call(ctx context.Context, do Operation, body, out any, event func(json.RawMessage) error) error
	// Lacks returns the digests of those files that the agent does not have.
	Lacks(ctx context.Context, files []File) ([]string, error)
	// Put gives the agent a file of this computer.
	Put(ctx context.Context, f File, path string) error
	// Traffic returns the bytes sent and received so far.
	Traffic() (sent, received int64)
	// Close ends the link. What the agent does for it ends, too.
	Close() error
}

// OverStream returns what Options.Link needs to reach an agent over connections of its own. dial
// makes one, and has read its Magic.
func OverStream(dial func(ctx context.Context) (io.ReadWriteCloser, error)) func(ctx context.Context) (Link, error) {
	return func(ctx context.Context) (Link, error) {
		rw, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return newConn(rw), nil
	}
}

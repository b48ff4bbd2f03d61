package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/remote/blob"
	"github.com/seed-1318a441/assay/internal/remote/wire"
)

// Times of a connection.
const (
	// signOfLife is how often an agent says that it lives.
	signOfLife = 10 * time.Second
	// mostSilence is how long an agent may be silent. One that is stopped, or whose
	// machine hangs, keeps its connection open.
	mostSilence = 45 * time.Second
	// helloNotice is how long an agent may take to greet before its user hears of it.
	helloNotice = 5 * time.Second
	// endTime is how long an agent has to end a request that was cancelled: a process
	// that times out may print its stacks.
	endTime = 15 * time.Second
)

// A conn is the lab's end of a connection: requests with their replies.
type conn struct {
	stream *wire.Stream
	closer io.Closer
	silent time.Duration

	mu    sync.Mutex
	last  uint64
	calls map[uint64]chan reply
	err   error         // why the connection has ended
	ended chan struct{} // closed then
	gone  chan struct{} // closed when the other end has ended, too

	seen chan struct{} // a frame has come
}

// newConn returns a conn over a stream whose Magic has been read.
func newConn(rw io.ReadWriteCloser) *conn {
	c := &conn{stream: wire.NewStream(rw, rw), closer: rw, silent: mostSilence, calls: map[uint64]chan reply{},
		ended: make(chan struct{}), gone: make(chan struct{}), seen: make(chan struct{}, 1)}
	go c.receive()
	go c.watch()
	return c
}

// mostWaiting is the number of replies that may wait for one caller.
const mostWaiting = 1024

// receive hands out the replies until the connection ends.
func (c *conn) receive() {
	defer fault.Exit()
	for {
		f, err := c.stream.Receive()
		var r reply
		if err == nil && f.JSON == nil {
			err = fmt.Errorf("%w: a piece of a file, which nobody asked for", wire.ErrFrame)
		}
		if err == nil {
			if err = json.Unmarshal(f.JSON, &r); err != nil {
				err = fmt.Errorf("%w: %v", wire.ErrFrame, err)
			}
		}
		if err != nil {
			c.end(err)
			return
		}
		select {
		case c.seen <- struct{}{}:
		default:
		}
		c.mu.Lock()
		to := c.calls[r.ID]
		c.mu.Unlock()
		if to == nil {
			continue // a sign of life, or a call that has been given up
		}
		select {
		case to <- r:
		case <-c.ended:
			return
		}
	}
}

// errSilent ends a connection whose agent is silent.
var errSilent = errors.New("the agent is silent: it is stopped, or its machine hangs")

// watch ends a connection that is silent while it owes a reply.
func (c *conn) watch() {
	defer fault.Exit()
	timer := time.NewTimer(c.silent)
	defer timer.Stop()
	for {
		select {
		case <-c.ended:
			return
		case <-c.seen:
			timer.Reset(c.silent)
		case <-timer.C:
			c.end(fmt.Errorf("%w: nothing for %v", errSilent, c.silent))
			return
		}
	}
}

// end ends the connection, once.
func (c *conn) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the connection has ended")
	}
	c.err = err
	close(c.ended)
	go func() {
		defer fault.Exit()
		defer close(c.gone)
		c.closer.Close()
	}()
}

// lost returns the error of a call on a connection that has ended.
func (c *conn) lost() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Errorf("%w: %w", lab.ErrLost, c.err)
}

// start registers a call.
func (c *conn) start() (uint64, chan reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	to := make(chan reply, mostWaiting)
	c.calls[c.last] = to
	return c.last, to
}

func (c *conn) finish(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id)
}

// Call implements Link. Where ctx ends, the agent ends the request; one that does not loses
// the connection.
func (c *conn) Call(ctx context.Context, do Operation, body, out any, event func(json.RawMessage) error) error {
	id, replies := c.start()
	defer c.finish(id)
	if err := c.request(id, do, body); err != nil {
		return err
	}
	return c.wait(ctx, id, replies, out, event)
}

// request sends a request.
func (c *conn) request(id uint64, do Operation, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("ask for %s: %w", do, err)
	}
	if err := c.stream.Send(request{ID: id, Do: do, Body: data}); err != nil {
		c.end(err)
		return c.lost()
	}
	return nil
}

// wait waits for the replies of a request.
func (c *conn) wait(ctx context.Context, id uint64, replies chan reply, out any, event func(json.RawMessage) error) error {
	var failed error // why the request is being ended
	done := ctx.Done()
	var late <-chan time.Time
	cancel := func(why error) {
		failed, done, late = why, nil, time.After(endTime)
		if err := c.stream.Send(request{Do: OpCancel, Body: json.RawMessage(fmt.Sprint(id))}); err != nil {
			c.end(err)
		}
	}
	for {
		select {
		case r := <-replies:
			switch {
			case r.Event != nil:
				if failed != nil || event == nil {
					continue
				}
				if err := event(r.Event); err != nil {
					cancel(err)
				}
			case failed != nil:
				return failed
			case r.Fault != nil:
				return r.Fault.Err()
			case out == nil:
				return nil
			default:
				if err := json.Unmarshal(r.Done, out); err != nil {
					return fmt.Errorf("read reply: %w: %v", wire.ErrFrame, err)
				}
				return nil
			}
		case <-done:
			cancel(context.Cause(ctx))
		case <-late:
			c.end(errors.New("the agent did not end what it was told to end"))
			return failed
		case <-c.ended:
			if failed != nil {
				return failed
			}
			if len(replies) > 0 {
				continue // what had come before the end counts
			}
			return c.lost()
		}
	}
}

// Lacks implements Link.
func (c *conn) Lacks(ctx context.Context, files []File) (lacking []string, err error) {
	err = c.Call(ctx, OpLacks, files, &lacking, nil)
	return lacking, err
}

// Put implements Link.
func (c *conn) Put(ctx context.Context, what File, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("send file: %w", err)
	}
	defer f.Close()
	id, replies := c.start()
	defer c.finish(id)
	if err := c.request(id, OpPut, what); err != nil {
		return err
	}
	_, err = blob.Compress(&pieces{c: c, id: id}, f)
	if err == nil {
		err = c.stream.SendPiece(id, nil)
	}
	if err != nil {
		c.end(err)
	}
	return c.wait(ctx, id, replies, nil, nil)
}

// pieces sends what is written to it as the pieces of a file.
type pieces struct {
	c  *conn
	id uint64
}

func (p *pieces) Write(data []byte) (n int, err error) {
	for len(data) > 0 {
		piece := data[:min(len(data), wire.MaxBlob)]
		if err := p.c.stream.SendPiece(p.id, piece); err != nil {
			return n, err
		}
		n, data = n+len(piece), data[len(piece):]
	}
	return n, nil
}

var _ io.Writer = (*pieces)(nil)

// Traffic implements Link.
func (c *conn) Traffic() (sent, received int64) { return c.stream.Traffic() }

// Close ends the connection, and with it the agent, for which it waits a while: it has
// files to remove.
func (c *conn) Close() error {
	c.end(errors.New("the connection was closed here"))
	select {
	case <-c.gone:
	case <-time.After(endTime):
	}
	return nil
}

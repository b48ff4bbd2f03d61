package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/remote/blob"
	"github.com/seed-1318a441/assay/internal/remote/wire"
)

// An agent is the end of a connection where trials run.
type agent struct {
	stream  *wire.Stream
	handler *Handler

	work sync.WaitGroup

	mu      sync.Mutex
	running map[uint64]context.CancelFunc
	uploads map[uint64]*io.PipeWriter
	leave   func() error
}

// Serve is an agent: it does what arrives on r and answers on w, until r ends or ctx does.
// Everything that it has started ends with it. self is the path of this program, which
// makes the load of services.
func Serve(ctx context.Context, r io.Reader, w io.Writer, self string) (err error) {
	c := cache.New("")
	c.Sweep() // what killed agents left: nothing is built here that would do it
	blobs, err := blob.Open(filepath.Join(c.Dir, "blob"))
	if err != nil {
		return err
	}
	handler, err := NewHandler(HandlerOptions{Cache: c, Blobs: blobs, Self: self})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, handler.Close()) }()
	a := &agent{handler: handler, running: map[uint64]context.CancelFunc{}, uploads: map[uint64]*io.PipeWriter{}}
	if _, err := io.WriteString(w, wire.Magic); err != nil {
		return err
	}
	a.stream = wire.NewStream(r, w)
	ctx, cancel := context.WithCancel(ctx)
	a.work.Go(func() {
		defer fault.Exit()
		a.live(ctx)
	})
	err = a.serve(ctx)
	cancel()
	a.endUploads(errors.New("the connection has ended"))
	a.work.Wait()
	if a.leave != nil {
		err = errors.Join(err, a.leave())
	}
	_, sweep := blobs.Sweep(blob.Limit)
	return errors.Join(err, sweep)
}

// live says at intervals that the agent lives.
func (a *agent) live(ctx context.Context) {
	tick := time.NewTicker(signOfLife)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = a.stream.Send(reply{}) // where nobody reads, serve ends
		}
	}
}

// serve takes requests until there are no more.
func (a *agent) serve(ctx context.Context) error {
	frames := make(chan wire.Frame)
	ended := make(chan error, 1)
	go func() {
		defer fault.Exit()
		for {
			f, err := a.stream.Receive()
			if err != nil {
				ended <- err
				return
			}
			select {
			case frames <- f:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case f := <-frames:
			if err := a.take(ctx, f); err != nil {
				return err
			}
		case err := <-ended:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// take takes a frame.
func (a *agent) take(ctx context.Context, f wire.Frame) error {
	if f.JSON == nil {
		a.piece(f)
		return nil
	}
	var r request
	if err := json.Unmarshal(f.JSON, &r); err != nil {
		return fmt.Errorf("%w: %v", wire.ErrFrame, err)
	}
	if r.Do == OpCancel {
		a.cancel(r.Body)
		return nil
	}
	var from *io.PipeReader
	if r.Do == OpPut {
		from = a.upload(r.ID)
	}
	ctx, cancel := context.WithCancel(ctx)
	a.mu.Lock()
	a.running[r.ID] = cancel
	a.mu.Unlock()
	a.work.Go(func() {
		defer fault.Exit()
		defer cancel()
		done, err := a.do(ctx, r, from)
		a.mu.Lock()
		delete(a.running, r.ID)
		a.mu.Unlock()
		answer := reply{ID: r.ID, Done: json.RawMessage("null")}
		if err == nil && done != nil {
			answer.Done, err = json.Marshal(done)
		}
		if err != nil {
			answer = reply{ID: r.ID, Fault: FaultOf(err)}
		}
		_ = a.stream.Send(answer)
	})
	return nil
}

// cancel ends a request.
func (a *agent) cancel(body json.RawMessage) {
	var id uint64
	if json.Unmarshal(body, &id) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if end := a.running[id]; end != nil {
		end()
	}
}

// upload prepares for the pieces of a file.
func (a *agent) upload(id uint64) *io.PipeReader {
	r, w := io.Pipe()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.uploads[id] = w
	return r
}

// piece gives a piece to the upload that it is of. Those of one that has failed are
// dropped.
func (a *agent) piece(f wire.Frame) {
	a.mu.Lock()
	w := a.uploads[f.ID]
	if len(f.Piece) == 0 {
		delete(a.uploads, f.ID)
	}
	a.mu.Unlock()
	switch {
	case w == nil:
	case len(f.Piece) == 0:
		w.Close()
	default:
		_, _ = w.Write(f.Piece) // its error is that of the reader, who reports it
	}
}

// endUploads ends all uploads.
func (a *agent) endUploads(why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range a.uploads {
		w.CloseWithError(why)
	}
}

// event sends an event of a request.
func (a *agent) event(id uint64, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = a.stream.Send(reply{ID: id, Event: data})
	}
	return err
}

// do does what a request asks for, and returns what to answer: what concerns the
// connection, files and the whole computer itself, all else by the Handler.
func (a *agent) do(ctx context.Context, r request, from *io.PipeReader) (any, error) {
	switch r.Do {
	case OpHello:
		g, err := read[greeting](r)
		if err != nil {
			return nil, err
		}
		if err := KeepEnvironment(g.Pass); err != nil {
			return nil, err
		}
		return a.handler.Welcome(ctx), nil
	case OpOccupy:
		return nil, a.occupy(ctx, r)
	case OpLacks:
		return a.lacks(r)
	case OpPut:
		return nil, a.put(r, from)
	}
	return a.handler.Do(ctx, r.Do, r.Body, func(v any) error { return a.event(r.ID, v) })
}

func (a *agent) occupy(ctx context.Context, r request) error {
	o, err := read[occupation](r)
	if err != nil {
		return err
	}
	me := host.Occupant{PID: os.Getpid(), Command: o.Command, Dir: o.Dir}
	leave, err := host.Occupy(ctx, me, func(other host.Occupant) error { return a.event(r.ID, other) })
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.leave = leave
	return nil
}

func (a *agent) lacks(r request) (any, error) {
	files, err := read[[]File](r)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, f := range files {
		if !a.handler.opt.Blobs.Has(f.Sum, f.Size) {
			out = append(out, f.Sum)
		}
	}
	return out, nil
}

func (a *agent) put(r request, from *io.PipeReader) error {
	f, err := read[File](r)
	if err == nil {
		err = a.handler.opt.Blobs.Put(f.Sum, f.Size, from)
	}
	from.CloseWithError(errors.New("the file is not taken"))
	return NoRoom(err, f.Size)
}

// NoRoom turns the error of a full disk into one that says how much was needed, in bytes.
func NoRoom(err error, need int64) error {
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return assay.NewError(assay.ExitRefused, assay.CodeRemoteDisk, "the disk there is full", []string{fmt.Sprintf("%.1f MB were to be kept", float64(need)/1e6)}, "")
}

// kept are the variables of the agent's environment that trials get, besides those that
// begin with keptPrefix and those that the greeting names (docs/remote.md).
var kept = []string{"PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME", host.LockVariable}

const keptPrefix = "XDG_"

// KeepEnvironment removes the variables of this process that trials do not get: what a
// login shell sets is no part of the study. pass names more that they get.
func KeepEnvironment(pass []string) error {
	var err error
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if name == "" || strings.HasPrefix(name, keptPrefix) || slices.Contains(kept, name) || slices.Contains(pass, name) {
			continue // Windows has names that begin with "="
		}
		err = errors.Join(err, os.Unsetenv(name))
	}
	return err
}

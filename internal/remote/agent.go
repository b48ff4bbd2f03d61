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
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/blob"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/wire"
)

// An agent is the end of a connection where trials run.
type agent struct {
	stream  *wire.Stream
	machine *local.Machine
	cache   *cache.Cache
	blobs   *blob.Store
	dir     string // for trees and programs

	work sync.WaitGroup

	mu        sync.Mutex
	running   map[uint64]context.CancelFunc
	uploads   map[uint64]*io.PipeWriter
	studies   map[string]*assay.Study
	plans     map[string]*assay.Plan
	artifacts map[string]lab.Artifact
	linked    map[string]placing // links made at the other end, by linkName
	trees     map[string]string
	leave     func() error
}

// Serve is an agent: it does what arrives on r and answers on w, until r ends or ctx does.
// Everything that it has started ends with it. self is the path of this program, which
// makes the load of services.
func Serve(ctx context.Context, r io.Reader, w io.Writer, self string) (err error) {
	c := cache.New("")
	blobs, err := blob.Open(filepath.Join(c.Dir, "blob"))
	if err != nil {
		return err
	}
	machine, err := local.NewMachine(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, machine.Close()) }()
	machine.Assay = self
	machine.TakeParcels()
	dir, err := c.TempDir("agent-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, disk.RemoveAll(dir)) }()
	a := &agent{machine: machine, cache: c, blobs: blobs, dir: dir, running: map[uint64]context.CancelFunc{}, uploads: map[uint64]*io.PipeWriter{},
		studies: map[string]*assay.Study{}, plans: map[string]*assay.Plan{}, artifacts: map[string]lab.Artifact{}, linked: map[string]placing{}, trees: map[string]string{}}
	if _, err := io.WriteString(w, wire.Magic); err != nil {
		return err
	}
	a.stream = wire.NewStream(r, w)
	ctx, cancel := context.WithCancel(ctx)
	a.work.Go(func() { a.live(ctx) })
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
	if r.Do == opCancel {
		a.cancel(r.Body)
		return nil
	}
	var from *io.PipeReader
	if r.Do == opPut {
		from = a.upload(r.ID)
	}
	ctx, cancel := context.WithCancel(ctx)
	a.mu.Lock()
	a.running[r.ID] = cancel
	a.mu.Unlock()
	a.work.Go(func() {
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
			answer = reply{ID: r.ID, Fault: faultOf(err)}
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

// read reads the body of a request.
func read[T any](r request) (v T, err error) {
	if err = json.Unmarshal(r.Body, &v); err != nil {
		err = fmt.Errorf("%s: %w", r.Do, err)
	}
	return v, err
}

// kept are the variables of the agent's environment that trials get, besides those that
// begin with keptPrefix and those that the greeting names (docs/remote.md).
var kept = []string{"PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME"}

const keptPrefix = "XDG_"

// keepEnvironment removes all other variables: what a login shell sets there is no part
// of the study.
func keepEnvironment(pass []string) error {
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

// study returns a study that was sent.
func (a *agent) study(hash string) (*assay.Study, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := a.studies[hash]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("no study %q was sent", hash)
}

// artifact returns an artifact that was placed or linked.
func (a *agent) artifact(id string) (lab.Artifact, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if x, ok := a.artifacts[id]; ok {
		return x, nil
	}
	return lab.Artifact{}, fmt.Errorf("no artifact %q was sent", id)
}

// tree unpacks a parcel, once, and returns its folder. All folders have names of one
// length.
func (a *agent) tree(t *tree) (string, error) {
	if t == nil {
		return "", nil
	}
	if !blob.IsSum(t.Sum) {
		return "", fmt.Errorf("a tree with the digest %q", t.Sum)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if dir, ok := a.trees[t.Sum]; ok {
		return dir, nil
	}
	dir := filepath.Join(a.dir, fmt.Sprintf("tree-%06d", len(a.trees)+1))
	if err := unpack(dir, a.blobs.Path(t.Sum)); err != nil {
		return "", err
	}
	a.trees[t.Sum] = dir
	return dir, nil
}

// linkName names a link that was made at the other end.
func linkName(id string, layout uint64, align int) string {
	return strings.Join([]string{id, fmt.Sprint(layout), fmt.Sprint(align)}, " ")
}

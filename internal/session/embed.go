package session

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
)

// embedScheme begins a value of Options.Hub that says what to listen on.
const embedScheme = "embed:"

// embedded is a hub that is served for the time of one command.
type embedded struct {
	join  string // the join file of the command
	began time.Time
	close func()
}

// embed serves a hub if the word asks for that, once a command, and returns the join file
// for it; for any other word that word. Its folder is that of "assay hub", and so agents
// that have joined that hub find this one.
func (l *Lease) embed(word string, say func(string)) (string, error) {
	listen, ok := strings.CutPrefix(word, embedScheme)
	if !ok {
		return word, nil
	}
	embedding.Lock()
	defer embedding.Unlock()
	if l.hub == nil {
		var err error
		if l.hub, err = startEmbedded(listen, say); err != nil {
			return "", assay.NewError(assay.ExitRefused, assay.CodeHub, printable.OneLine(err), nil, "")
		}
	}
	return l.hub.join, nil
}

// embedding is held while a hub is started: machines are connected to side by side.
var embedding sync.Mutex

// selfName is the member of the hub that the command is.
const selfName = "self"

// waitForAgents is how long agents have to find a hub that was just started: they look
// for it every second.
const waitForAgents = 10 * time.Second

func startEmbedded(listen string, say func(string)) (*embedded, error) {
	state, err := disk.StateDir()
	if err != nil {
		return nil, err
	}
	f, err := hub.OpenFolder(filepath.Join(state, "hub"))
	if err != nil {
		return nil, err
	}
	if !strings.Contains(listen, ":") {
		listen = net.JoinHostPort("127.0.0.1", listen)
	}
	dir, err := os.MkdirTemp("", "assay-hub-")
	if err != nil {
		return nil, err
	}
	e := &embedded{join: filepath.Join(dir, selfName+hub.JoinSuffix), began: time.Now(), close: func() { disk.RemoveAll(dir) }}
	s, err := hub.Start(f, hub.Options{Listen: listen, Say: say})
	if err == nil {
		err = e.serve(f, s)
	}
	if err != nil {
		e.close()
		return nil, err
	}
	say("assay: a hub for this command listens at " + strings.Join(s.URLs(), ", "))
	return e, nil
}

// serve makes the command a member of the hub, and serves it until close.
func (e *embedded) serve(f *hub.Folder, s *hub.Server) error {
	ctx, cancel := context.WithCancel(context.Background())
	done, ready, clear := make(chan struct{}), make(chan struct{}), e.close
	e.close = func() {
		cancel()
		<-done
		f.Remove(selfName)
		s.Close()
		clear()
	}
	f.Remove(selfName) // of a command that was killed
	j, err := f.Add(hub.RoleUser, selfName, []string{s.Here()}, "", time.Now())
	if err == nil {
		err = hub.WriteJoin(e.join, j)
	}
	go func() {
		defer fault.Exit()
		defer close(done)
		s.Serve(ctx, func() { close(ready) })
	}()
	if err == nil {
		<-ready
	}
	return err
}

// await calls do, again while the machines have not found a hub that was just started.
func (e *embedded) await(ctx context.Context, do func() error) error {
	for {
		err := do()
		a, ok := errors.AsType[*assay.Error](err)
		if !ok || a.Code != assay.CodeAgentAway && a.Code != assay.CodeNoPool || e == nil || time.Since(e.began) > waitForAgents {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(waitForAgents / 20):
		}
	}
}

package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/printable"
)

// DefaultListen is where a hub listens unless it is told otherwise: on this computer only.
const DefaultListen = "127.0.0.1:4222"

// DefaultKeep is how many bytes a hub keeps on disk at most.
const DefaultKeep = 20 << 30

// Options say how to serve a hub.
type Options struct {
	// Listen is HOST:PORT or :PORT; "" is DefaultListen. Port 0 is any that is free.
	Listen string
	// Names are more names or addresses that members reach this server by, for its
	// certificate.
	Names []string
	// Keep is the maximum number of bytes on disk; 0 is DefaultKeep.
	Keep int64
	// Say tells the operator what happens; it may be nil.
	Say func(string)
}

// A Server is a running hub.
type Server struct {
	folder *Folder
	opt    Options
	nats   *server.Server
	own    *server.Options
	conn   *nats.Conn
	js     jetstream.JetStream

	full     chan struct{} // has a sign when the disk is full
	prepared []Member
	alone    func() // lets another server use the folder
}

// startTime is how long a server may take to be ready.
const startTime = time.Minute

// Start starts a server. Serve must be called next, and Close at the end.
func Start(f *Folder, opt Options) (*Server, error) {
	s := &Server{folder: f, opt: opt, full: make(chan struct{}, 1)}
	if s.opt.Say == nil {
		s.opt.Say = func(string) {}
	}
	var err error
	if s.alone, err = f.occupy(); err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// start starts the NATS server, and connects to it.
func (s *Server) start() error {
	if err := s.options(); err != nil {
		return err
	}
	if err := canListen(cmp.Or(s.opt.Listen, DefaultListen)); err != nil { // the server would only log that
		return err
	}
	own := s.own.Clone() // a server changes its options
	var err error
	if s.nats, err = server.NewServer(own); err != nil {
		return fmt.Errorf("start hub: %w", err)
	}
	s.nats.SetLoggerV2(&logger{say: s.opt.Say, full: s.full, told: map[string]time.Time{}}, false, false, false)
	go func() {
		defer fault.Exit()
		s.nats.Start()
	}()
	if !s.nats.ReadyForConnections(startTime) {
		return fmt.Errorf("start hub: the server is not ready after %v", startTime)
	}
	if s.conn, err = s.connect(); err != nil {
		return err
	}
	s.js, err = jetstream.New(s.conn)
	return err
}

// options makes the options of the NATS server.
func (s *Server) options() error {
	host, port, err := splitListen(cmp.Or(s.opt.Listen, DefaultListen))
	if err != nil {
		return err
	}
	name, _ := os.Hostname()
	o := &server.Options{ServerName: fmt.Sprintf("%s-%d", cmp.Or(name, "hub"), port), Host: host, Port: port, JetStream: true, StoreDir: s.folder.file("store"),
		SyncAlways: true, JetStreamMaxStore: cmp.Or(s.opt.Keep, DefaultKeep), JetStreamMaxMemory: 64 << 20, NoSigs: true, NoLog: true}
	if port == 0 {
		o.Port, o.ServerName = server.RANDOM_PORT, cmp.Or(name, "hub")
	}
	if s.encrypted() {
		if o.TLSConfig, err = s.folder.certificates(s.opt.Names); err != nil {
			return err
		}
		o.TLSTimeout = 10
	}
	if o.Nkeys, err = s.users(); err != nil {
		return err
	}
	s.own = o
	return nil
}

// splitListen splits HOST:PORT or :PORT.
func splitListen(s string) (host string, port int, err error) {
	host, p, err := net.SplitHostPort(s)
	if err == nil {
		port, err = strconv.Atoi(p)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is nothing to listen on, such as :4222", printable.Line(s, 200))
	}
	return cmp.Or(host, "0.0.0.0"), port, nil
}

// canListen returns an error for an address that cannot be listened on.
func canListen(at string) error {
	l, err := net.Listen("tcp", at)
	if err != nil {
		return fmt.Errorf("start hub: %w", err)
	}
	return l.Close()
}

// encrypted reports whether members from other computers can reach the server.
func (s *Server) encrypted() bool {
	host, _, err := splitListen(cmp.Or(s.opt.Listen, DefaultListen))
	return err == nil && !isLoopback(host)
}

// users are the members as the server takes them.
func (s *Server) users() (list []*server.NkeyUser, err error) {
	members, err := s.folder.Members()
	if err != nil {
		return nil, err
	}
	own, _, err := s.folder.own()
	if err != nil {
		return nil, err
	}
	for _, m := range append([]Member{own}, members...) {
		list = append(list, &server.NkeyUser{Nkey: m.Key, Permissions: PermissionsOf(m.Role, m.Name).forServer()})
	}
	return list, nil
}

// connect connects as the hub itself.
func (s *Server) connect() (*nats.Conn, error) {
	m, seed, err := s.folder.own()
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect("", nats.InProcessServer(s.nats), nats.Nkey(m.Key, signer(seed)), nats.MaxReconnects(-1), nats.Name("hub"))
	if err != nil {
		return nil, fmt.Errorf("connect to the hub's own server: %w", err)
	}
	return nc, nil
}

// URLs returns where members reach this server: by the names of Options, else by the name
// of this computer.
func (s *Server) URLs() (urls []string) {
	port := s.nats.Addr().(*net.TCPAddr).Port
	if !s.encrypted() {
		host, _, _ := splitListen(cmp.Or(s.opt.Listen, DefaultListen))
		return []string{fmt.Sprintf("nats://%s", net.JoinHostPort(host, strconv.Itoa(port)))}
	}
	names := s.opt.Names
	if host, _, _ := splitListen(s.opt.Listen); len(names) == 0 && host != "0.0.0.0" && host != "::" {
		names = []string{host}
	}
	if len(names) == 0 {
		h, _ := os.Hostname()
		names = []string{cmp.Or(h, "localhost")}
	}
	for _, n := range names {
		urls = append(urls, "tls://"+net.JoinHostPort(n, strconv.Itoa(port)))
	}
	return urls
}

// Conn is the hub's own connection to its server.
func (s *Server) Conn() (*nats.Conn, jetstream.JetStream) { return s.conn, s.js }

// watchEvery is how often a server looks whether its members have changed.
const watchEvery = 250 * time.Millisecond

// ErrFull ends a server whose disk is full. What it has taken stays; agents and submitters
// wait until it is started again.
var ErrFull = errors.New("the hub's disk is full")

// quietTime is how long the server of a hub may fail before it says so.
const quietTime = 15 * time.Second

// Serve makes the streams that the hub needs, and takes and drops members as the folder
// says, until ctx ends. ready is called when the streams are there.
func (s *Server) Serve(ctx context.Context, ready func()) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	good, told := time.Now(), ""
	for {
		switch err := s.renew(ctx); {
		case err == nil:
			good, told = time.Now(), ""
		case ctx.Err() == nil && time.Since(good) > quietTime && told != err.Error():
			told = err.Error()
			s.opt.Say("hub: " + printable.OneLine(err))
		}
		if s.prepared != nil && ready != nil {
			ready()
			ready = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.full: // NATS would take nothing more for a stream that it could not write
			return ErrFull
		case <-tick.C:
		}
	}
}

// renew takes and drops members if they have changed.
func (s *Server) renew(ctx context.Context) error {
	members, err := s.folder.Members()
	if err != nil || s.prepared != nil && slices.Equal(members, s.prepared) {
		return err
	}
	users, err := s.users()
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(users, s.own.Nkeys) {
		s.own.Nkeys = users
		if err := s.nats.ReloadOptions(s.own.Clone()); err != nil {
			return fmt.Errorf("take members: %w", err)
		}
	}
	if err := Prepare(ctx, s.js, Streams{Members: members, Replicas: 1, Keep: cmp.Or(s.opt.Keep, DefaultKeep)}); err != nil {
		return err
	}
	if err := tidy(ctx, s.js, members); err != nil {
		return err
	}
	if s.prepared = members; members == nil {
		s.prepared = []Member{}
	}
	return s.folder.taken(members)
}

// Close ends the server.
func (s *Server) Close() {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
	s.alone()
}

// A logger tells what a server says is wrong; of one kind of trouble once a minute.
type logger struct {
	say  func(string)
	full chan<- struct{}

	mu   sync.Mutex
	told map[string]time.Time // by kind
}

// Errorf implements server.Logger, as do those below.
func (l *logger) Errorf(format string, v ...any) {
	text := printable.Line(fmt.Sprintf(format, v...), 500)
	kind := strings.Map(func(r rune) rune { // without ports and numbers of connections
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
	l.mu.Lock()
	if len(l.told) > mostKinds {
		clear(l.told)
	}
	recent := time.Since(l.told[kind]) < time.Minute
	if !recent {
		l.told[kind] = time.Now()
	}
	l.mu.Unlock()
	if !recent {
		l.say("hub: " + text)
	}
	if strings.Contains(text, syscall.ENOSPC.Error()) {
		select {
		case l.full <- struct{}{}:
		default:
		}
	}
}

// mostKinds is the number of kinds of trouble that a logger remembers.
const mostKinds = 1000

func (l *logger) Fatalf(format string, v ...any) { l.Errorf(format, v...) }
func (l *logger) Warnf(string, ...any)           {}
func (l *logger) Noticef(string, ...any)         {}
func (l *logger) Debugf(string, ...any)          {}
func (l *logger) Tracef(string, ...any)          {}

// signer signs what a server asks for with a seed.
func signer(seed []byte) nats.SignatureHandler {
	return func(nonce []byte) ([]byte, error) { return sign(seed, nonce) }
}

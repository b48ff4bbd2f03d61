package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestIsName(t *testing.T) {
	for s, want := range map[string]bool{"m4": true, "a": true, "mac-mini-2": true, strings.Repeat("a", 32): true, "": false, "M4": false, "-a": false, "a-": false, "a.b": false,
		"a>": false, "*": false, "a b": false, "../x": false, strings.Repeat("a", 33): false} {
		if got := IsName(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for s, want := range map[string]string{
		"tls://hub.lan:4222": "", "nats://127.0.0.1:4222": "", "nats://localhost": "", "nats://[::1]:4222": "",
		"nats://hub.lan:4222":    `"nats://hub.lan:4222" is not encrypted, and on another computer: tls://hub.lan:4222`,
		"http://hub":             `"http://hub" is no address of a hub, such as tls://HOST:4222`,
		"hub:4222":               `"hub:4222" is no address of a hub, such as tls://HOST:4222`,
		"tls://u:p@hub":          `"tls://u:p@hub" has more than a host and a port`,
		"tls://hub/x":            `"tls://hub/x" has more than a host and a port`,
		"nats://127.0.0.1.evil/": `"nats://127.0.0.1.evil/" has more than a host and a port`,
	} {
		got := ""
		if err := CheckURL(s); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", s, got, want)
		}
	}
}

// A join file is read as it was written, by its owner alone.
func TestJoinFile(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	j, err := f.Add(RoleAgent, "m4", []string{"tls://hub.lan:4222", "tls://10.0.0.7:4222"}, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m4"+JoinSuffix)
	if err := WriteJoin(file, j); err != nil {
		t.Fatal(err)
	}
	got, err := ReadJoin(file)
	if err != nil || !reflect.DeepEqual(got, j) {
		t.Errorf("got %+v, %v, want %+v", got, err, j)
	}
	if !strings.Contains(j.CA, "BEGIN CERTIFICATE") {
		t.Errorf("the file pins %q", j.CA)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(string) string{
		`name = "M4" is no name of a member`:                              func(s string) string { return strings.Replace(s, "'m4'", "'M4'", 1) },
		`role = "root" is neither "agent" nor "user"`:                     func(s string) string { return strings.Replace(s, "'agent'", "'root'", 1) },
		`its seed is no key`:                                              func(s string) string { return strings.Replace(s, "seed = 'SU", "seed = 'XX", 1) },
		`"nats://hub.lan:4222" is not encrypted, and on another computer`: func(s string) string { return strings.Replace(s, "tls://hub.lan", "nats://hub.lan", 1) },
		`its badge is not by the hub`:                                     func(s string) string { return strings.Replace(s, "name = 'm4'", "name = 'm5'", 1) },
		`it has no key of the hub: an older assay has written it`:         func(s string) string { return regexp.MustCompile(`(?m)^hub = .*$`).ReplaceAllString(s, "hub = ''") },
		`its ca is no certificate`:                                        func(s string) string { return strings.ReplaceAll(s, "CERTIFICATE", "NOTHING") },
		`strict mode: fields in the document are missing in the target`:   func(s string) string { return "more = 1\n" + s },
		`the join file`: func(string) string { return "\x00" },
	} {
		bad := filepath.Join(t.TempDir(), "bad.join")
		if err := os.WriteFile(bad, []byte(change(string(data))), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadJoin(bad); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want %s", err, what)
		}
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJoin(file); err == nil || !strings.Contains(err.Error(), "has the mode 0644, so that others can use it: chmod 600 ") {
		t.Errorf("got %v of a file that others can read", err)
	}
}

func TestMembers(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"m4", "ci"} {
		if _, err := f.Add(RoleAgent, name, nil, "", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Add(RoleUser, "m4", nil, "", time.Now()); !errors.Is(err, ErrMember) {
		t.Errorf("got %v of a second m4", err)
	}
	if _, err := f.Add(RoleAgent, "../x", nil, "", time.Now()); err == nil {
		t.Error("../x is a name")
	}
	if err := f.Remove("ci"); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove("ci"); !errors.Is(err, ErrNoMember) {
		t.Errorf("got %v of a member that is not there", err)
	}
	got, err := f.Members()
	if err != nil || len(got) != 1 || got[0].Name != "m4" || got[0].Role != RoleAgent {
		t.Errorf("got %+v, %v, want m4", got, err)
	}
	for _, name := range []string{"hub.json", "hub.seed", "ca.key", "ca.pem"} {
		if info, err := os.Stat(f.file(name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v, want that only its owner can read it", name, info.Mode(), err)
		}
	}
}

// A hub on other than loopback addresses is encrypted; members trust its certificate alone.
func TestEncrypted(t *testing.T) {
	s, joins := start(t, Options{Listen: "0.0.0.0:0", Names: []string{"127.0.0.1"}}, "user ci")
	j := joins["ci"]
	if !strings.HasPrefix(j.URLs[0], "tls://127.0.0.1:") {
		t.Errorf("got the URL %s", j.URLs)
	}
	join(t, j)
	other, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := other.Add(RoleUser, "ci", j.URLs, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Connect(stranger, false, func(string) {}); err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("got %v with another CA", err)
	}
	stranger.CA = j.CA
	if _, err := Connect(stranger, false, func(string) {}); !errors.Is(err, ErrUnknownKey) {
		t.Errorf("got %v with a key that the hub does not know", err)
	}
	plain := j
	plain.URLs = []string{strings.Replace(s.URLs()[0], "tls:", "nats:", 1)}
	plain.CA = ""
	if c, err := Connect(plain, false, func(string) {}); err == nil {
		c.Close()
		t.Error("one can connect without encryption")
	}
}

// What a server of a cluster does not have, its leader is asked for.
func TestKey(t *testing.T) {
	_, joins := start(t, Options{}, "agent m4", "user ci")
	agent, c := join(t, joins["m4"]), join(t, joins["ci"])
	ways := map[string]func(context.Context, string, string) ([]byte, time.Time, error){"any server": c.Key, "the leader": func(ctx context.Context, bucket, key string) ([]byte, time.Time, error) {
		return c.ofLeader(ctx, "KV_"+bucket, subjectKey(bucket, key))
	}}
	for name, key := range ways {
		if _, _, err := key(t.Context(), BucketMachines, "m4"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: got %v before there is a key", name, err)
		}
	}
	began := time.Now()
	if err := agent.SetKey(t.Context(), BucketMachines, "m4", []byte("idle")); err != nil {
		t.Fatal(err)
	}
	for name, key := range ways {
		if data, at, err := key(t.Context(), BucketMachines, "m4"); err != nil || string(data) != "idle" || at.Sub(began).Abs() > time.Minute {
			t.Errorf("%s: got %q at %v, %v", name, data, at, err)
		}
	}
	if err := c.SetKey(t.Context(), BucketQueue, "m4.t", []byte("waits")); err != nil {
		t.Fatal(err)
	}
	if err := c.DeleteKey(t.Context(), BucketQueue, "m4.t"); err != nil {
		t.Fatal(err)
	}
	for name, key := range ways {
		if _, _, err := key(t.Context(), BucketQueue, "m4.t"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: got %v of a key that was deleted", name, err)
		}
		if _, _, err := key(t.Context(), "nosuch", "m4"); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("%s: got %v of a bucket that is not there", name, err)
		}
	}
}

// A server that is behind says that it has nothing.
func TestKeyOfServerBehind(t *testing.T) {
	s, joins := start(t, Options{}, "user ci")
	nc, js := s.Conn()
	// NATS does not answer direct reads of this stream; this test does.
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "KV_late", Subjects: []string{subjectKey("late", ">")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), subjectKey("late", "m4"), []byte("idle")); err != nil {
		t.Fatal(err)
	}
	sub, err := nc.Subscribe("$JS.API.DIRECT.GET.KV_late.>", func(m *nats.Msg) {
		m.RespondMsg(&nats.Msg{Header: nats.Header{"Status": {"404"}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	c := join(t, joins["ci"])
	if _, _, err := c.Get(t.Context(), "KV_late", subjectKey("late", "m4")); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v of the server that is behind", err)
	}
	if data, _, err := c.Key(t.Context(), "late", "m4"); err != nil || string(data) != "idle" {
		t.Errorf("got %q, %v, want what the leader has", data, err)
	}
}

// Members come and go while a hub runs; one that is removed loses its connection.
func TestMembersWhileServing(t *testing.T) {
	s, joins := start(t, Options{}, "user ci")
	c := join(t, joins["ci"])
	j, err := s.folder.Add(RoleAgent, "m4", s.URLs(), "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the stream of a new agent", func() bool {
		_, err := c.JS.Stream(t.Context(), StreamJobs("m4"))
		return err == nil
	})
	var mu sync.Mutex
	var said []string
	agent, err := Connect(j, false, func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Close)
	if err := agent.SetKey(t.Context(), BucketMachines, "m4", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := s.folder.Remove("m4"); err != nil {
		t.Fatal(err)
	}
	until(t, "the end of a removed agent's connection", func() bool { return !agent.IsConnected() })
	until(t, "that its state is forgotten", func() bool {
		_, _, err := c.Key(t.Context(), BucketMachines, "m4")
		return errors.Is(err, ErrNotFound)
	})
	until(t, "that the agent is refused", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(said) > 0
	})
	time.Sleep(2*reconnectEvery + reconnectEvery/2) // it tries again and again
	mu.Lock()
	defer mu.Unlock()
	want := "assay: the hub: it does not know the key of m4; a new one comes from: assay hub add agent m4   on the hub's computer"
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("it said:\n%s\nwant:\n%s", got, want)
	}
	if err := c.Flush(); err != nil {
		t.Errorf("the other connection has ended, too: %v", err)
	}
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", what)
		}
	}
}

// What a hub has taken is there after a restart, and all streams come back where its disk
// was wiped.
func TestRestart(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	listen := free(t)
	serving := func(t *testing.T) jetstream.JetStream {
		s, err := Start(f, Options{Listen: listen})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		serve(t, s)
		_, js := s.Conn()
		return js
	}
	if _, err := f.Add(RoleAgent, "m4", nil, "", time.Now()); err != nil {
		t.Fatal(err)
	}
	t.Run("first", func(t *testing.T) {
		if _, err := serving(t).Publish(t.Context(), SubjectJob("m4", "t"), []byte("a job")); err != nil {
			t.Fatal(err)
		}
	})
	jobs := func(t *testing.T) uint64 {
		x, err := serving(t).Stream(t.Context(), StreamJobs("m4"))
		if err != nil {
			t.Fatal(err)
		}
		return x.CachedInfo().State.Msgs
	}
	t.Run("again", func(t *testing.T) {
		if n := jobs(t); n != 1 {
			t.Errorf("%d jobs after a restart, want 1", n)
		}
	})
	if err := os.RemoveAll(f.file("store")); err != nil {
		t.Fatal(err)
	}
	t.Run("wiped", func(t *testing.T) {
		if n := jobs(t); n != 0 {
			t.Errorf("%d jobs after the disk was wiped, want 0", n)
		}
	})
}

// A server whose disk is full ends and says so: NATS takes nothing more for a stream that
// it could not write, also when there is room again.
func TestFullDisk(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(f, Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &logger{say: func(string) {}, full: s.full, told: map[string]time.Time{}}
	err = s.Serve(t.Context(), func() { l.Errorf("Filestore [%s] Critical write error: %v", "BLOBS", syscall.ENOSPC) })
	if !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want that the disk is full", err)
	}
	if _, err := Start(f, Options{Listen: "127.0.0.1:0"}); !errors.Is(err, ErrServed) {
		t.Errorf("got %v of a second server of the folder", err)
	}
}

// What trouble is of one kind is told once a minute, whatever its ports and numbers.
func TestLogger(t *testing.T) {
	var said []string
	l := &logger{say: func(s string) { said = append(said, s) }, told: map[string]time.Time{}}
	l.Errorf("127.0.0.1:%d - cid:%d - authentication error\x1b[31m", 4242, 7)
	l.Errorf("127.0.0.1:%d - cid:%d - authentication error\x1b[31m", 4243, 8)
	l.Errorf("another")
	if want := []string{"hub: 127.0.0.1:4242 - cid:7 - authentication error", "hub: another"}; !reflect.DeepEqual(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}

// free returns an address on which nobody listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// An operator's own NATS with the permissions that "assay hub permissions" prints takes
// the hub's streams, its agents and its users.
func TestOwnServer(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	listen := free(t)
	j, err := f.Add(RoleAgent, "m4", []string{"nats://" + listen}, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	config, err := f.ServerConfig()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "nats.conf")
	text := fmt.Sprintf("listen: %q\njetstream { store_dir: %q, sync_interval: always }\n%s", listen, t.TempDir(), config)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.NoLog, o.NoSigs = true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server is not ready")
	}
	if err := f.PrepareAt(t.Context(), []string{"nats://" + listen}, "", 1, DefaultKeep); err != nil {
		t.Fatal(err)
	}
	c := join(t, j)
	if _, err := c.JS.CreateConsumer(t.Context(), StreamJobs("m4"), jetstream.ConsumerConfig{Durable: "t1", FilterSubject: SubjectJob("m4", "t1"), AckPolicy: jetstream.AckExplicitPolicy}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := c.JS.Publish(ctx, SubjectJob("m4", "t1"), nil); err == nil {
		t.Error("an agent can publish jobs")
	}
}

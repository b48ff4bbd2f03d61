package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// open opens the folder of a new hub, with the current folder a new one, too.
func open(t *testing.T) *Hub {
	t.Helper()
	t.Chdir(t.TempDir())
	h, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// add adds a member, and returns the name of its join file.
func (h *Hub) add(t *testing.T, role Role, name string) (file string) {
	t.Helper()
	if _, err := h.Add(string(role), name, nil, "", ""); err != nil {
		t.Fatal(err)
	}
	return name + JoinSuffix
}

// wantRefused checks that an error is one of the user's, or of the hub's, and how it begins.
func wantRefused(t *testing.T, err error, code assay.Code, exit int, want string) {
	t.Helper()
	if got := errortest.Want(t, err, code, exit); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// names are those of the members of a hub.
func (h *Hub) names(t *testing.T) (names []string) {
	t.Helper()
	members, err := h.Members()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		names = append(names, m.Name)
	}
	return names
}

// A member is added with a join file that only its owner can read, and the lines say what to
// do with it there.
func TestAdd(t *testing.T) {
	h := open(t)
	for _, c := range []struct {
		role, name, file string
		urls             []string
		want             []string
	}{
		{"agent", "m4", "", nil, []string{
			"m4.join is the key of the agent m4, for nats://127.0.0.1:4222. Whoever has it is that agent: move it there over a safe way, and keep no copy.",
			"on that machine:  assay agent --join m4.join"}},
		{"user", "ci", "my key.join", []string{"tls://hub.lan:4222", "tls://10.0.0.7:4222"}, []string{
			"my key.join is the key of the user ci, for tls://hub.lan:4222, tls://10.0.0.7:4222. Whoever has it is that user: move it there over a safe way, and keep no copy.",
			"as that user:     mkdir -p ~/.config/assay && mv 'my key.join' ~/.config/assay/hub.join", "then:             assay machines"}},
	} {
		lines, err := h.Add(c.role, c.name, c.urls, "", c.file)
		if err != nil || !slices.Equal(lines, c.want) {
			t.Errorf("got  %q, %v\nwant %q", lines, err, c.want)
		}
		file := c.file
		if file == "" {
			file = c.name + ".join"
		}
		j, err := ReadJoin(file)
		if err != nil || j.Name != c.name || string(j.Role) != c.role || c.urls != nil && !slices.Equal(j.URLs, c.urls) {
			t.Errorf("%s: got the %s %s at %q, %v", file, j.Role, j.Name, j.URLs, err)
		}
	}
	if got, want := h.names(t), []string{"ci", "m4"}; !slices.Equal(got, want) {
		t.Errorf("got the members %q, want %q", got, want)
	}
}

// The certificate of an operator's own NATS is that of its file; without one it is the hub's.
func TestAddCertificate(t *testing.T) {
	h, other := open(t), open(t)
	for i, c := range []struct {
		ca   string
		from *Hub
	}{{"", h}, {filepath.Join(other.Dir, "ca.pem"), other}} {
		want, err := os.ReadFile(filepath.Join(c.from.Dir, "ca.pem"))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "x.join")
		if _, err := h.Add("user", fmt.Sprint("u", i), []string{"tls://hub.lan:4222"}, c.ca, file); err != nil {
			t.Fatal(err)
		}
		if j, err := ReadJoin(file); err != nil || strings.TrimSpace(j.CA) != strings.TrimSpace(string(want)) {
			t.Errorf("%q: got %q, %v, want %q", c.ca, j.CA, err, want)
		}
	}
}

// What cannot be added leaves neither a member nor a file.
func TestAddErrors(t *testing.T) {
	h := open(t)
	h.add(t, RoleUser, "ci")
	for _, c := range []struct {
		role, name, ca, file string
		urls                 []string
		code                 assay.Code
		want                 string
	}{
		{"user", "ci", "", "", nil, assay.CodeHubFile, "ci.join is there already   [hub-file]\n  try: -o FILE"},
		{"agent", "ci", "", "new.join", nil, assay.CodeHubMember, "the hub has a member ci already   [hub-member]\n  try: assay hub remove ci"},
		{"agent", "M4", "", "", nil, assay.CodeHubMember, `name = "M4" is no name of a member`},
		{"root", "m4", "", "", nil, assay.CodeHubMember, `role = "root" is neither "agent" nor "user"`},
		{"agent", "m4", "", "", []string{"tls://ok:1", "nats://hub.lan"}, assay.CodeHubFile, `--url: "nats://hub.lan" is not encrypted`},
		{"agent", "m4", "gone.pem", "", nil, assay.CodeHubFile, "--ca: open gone.pem: "},
	} {
		_, err := h.Add(c.role, c.name, c.urls, c.ca, c.file)
		wantRefused(t, err, c.code, assay.ExitUsage, c.want)
	}
	_, err := h.Add("agent", "m4", nil, "", filepath.Join("no", "such", "folder.join"))
	wantRefused(t, err, assay.CodeHub, assay.ExitRefused, "write folder.join: ")
	if got := h.names(t); !slices.Equal(got, []string{"ci"}) {
		t.Errorf("got the members %q, want ci alone", got)
	}
	if files, err := filepath.Glob("*"); err != nil || !slices.Equal(files, []string{"ci.join"}) {
		t.Errorf("got the files %q, %v, want ci.join alone", files, err)
	}
}

// A member that is removed is none any more; one that is not there is an error.
func TestRemove(t *testing.T) {
	h := open(t)
	h.add(t, RoleUser, "ci")
	h.add(t, RoleAgent, "m4")
	if err := h.Remove("ci"); err != nil {
		t.Fatal(err)
	}
	if got := h.names(t); !slices.Equal(got, []string{"m4"}) {
		t.Errorf("got the members %q, want m4", got)
	}
	wantRefused(t, h.Remove("ci\n"), assay.CodeHubMember, assay.ExitUsage, "the hub has no member ci   [hub-member]\n  try: assay hub list")
}

// The folder of a hub is the user's own unless it is named, and a path from the root, since a
// server goes on when its user goes elsewhere.
func TestOpen(t *testing.T) {
	here, state := t.TempDir(), t.TempDir()
	t.Chdir(here)
	t.Setenv("XDG_STATE_HOME", state)
	for dir, want := range map[string]string{"": filepath.Join(state, "assay", "hub"), "x": filepath.Join(here, "x")} {
		h, err := Open(dir)
		if err != nil || h.Dir != want {
			t.Errorf("%q: got %+v, %v, want %s", dir, h, err, want)
			continue
		}
		if info, err := os.Stat(filepath.Join(want, "hub.seed")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: got %v, want a key that only its owner can read", dir, err)
		}
	}
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open("file")
	wantRefused(t, err, assay.CodeHub, assay.ExitRefused, "make the hub's folder: ")
}

// The configuration of a nats-server has a section for each member, with its own subjects
// alone.
func TestPermissions(t *testing.T) {
	h := open(t)
	for _, name := range []string{"m4", "m5"} {
		h.add(t, RoleAgent, name)
	}
	h.add(t, RoleUser, "ci")
	text, err := h.Permissions()
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, s := range strings.Split(text, "    # ")[1:] {
		who, rest, _ := strings.Cut(s, "\n")
		sections[who] = rest
	}
	for who, want := range map[string][]string{"agent m4": {`"done.m4.>"`, "allow_responses"}, "agent m5": {`"done.m5.>"`, "allow_responses"},
		"user ci": {`"job.*.*"`}, "hub hub": {`publish: { allow: [">"] }`}} {
		for _, part := range want {
			if !strings.Contains(sections[who], part) {
				t.Errorf("%s: got %q, want %s in it", who, sections[who], part)
			}
		}
	}
	if strings.Contains(sections["agent m4"], "m5") || strings.Contains(sections["user ci"], "allow_responses") {
		t.Errorf("a member may do what is another one's:\n%s", text)
	}
}

// A served hub says where it is and that it has no members, takes those that are added
// meanwhile before it says so, and drops those that are removed.
func TestServe(t *testing.T) {
	h := open(t)
	said, stop := serveHub(t, h)
	first, second := said.next(t), said.next(t)
	url := strings.TrimPrefix(strings.TrimSuffix(first, "; its folder is "+h.Dir), "assay: the hub listens at ")
	if !strings.HasPrefix(url, "nats://127.0.0.1:") || !strings.HasPrefix(second, "assay: it has no members yet: ") {
		t.Errorf("the hub said %q and %q", first, second)
	}
	j, err := ReadJoin(h.add(t, RoleUser, "ci"))
	if err != nil || !slices.Equal(j.URLs, []string{url}) {
		t.Fatalf("got a join file for %q, %v, want %s", j.URLs, err, url)
	}
	c, err := Connect(j, false, func(string) {})
	if err != nil {
		t.Fatalf("the new member cannot connect: %v", err)
	}
	c.Close()
	wantRefused(t, h.Serve(t.Context(), Options{Listen: "127.0.0.1:0"}, func(string) {}), assay.CodeHub, assay.ExitRefused, "another hub is served from this folder: ")
	if err := h.Prepare(t.Context(), []string{url}, "", 1, 0); err != nil {
		t.Errorf("the hub's own key cannot make streams: %v", err)
	}
	if err := h.Remove("ci"); err != nil {
		t.Fatal(err)
	}
	if _, err := Connect(j, false, func(string) {}); !errors.Is(err, ErrUnknownKey) {
		t.Errorf("got %v, want that the hub does not know who was removed", err)
	}
	if err := stop(); err != nil {
		t.Errorf("got %v at the end", err)
	}
}

// What keeps a hub from being served, or streams from being made, is told.
func TestServeErrors(t *testing.T) {
	h := open(t)
	wantRefused(t, h.Serve(t.Context(), Options{Listen: "somewhere"}, func(string) {}), assay.CodeHub, assay.ExitRefused, `"somewhere" is nothing to listen on, such as :4222`)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	wantRefused(t, h.Serve(t.Context(), Options{Listen: at}, func(string) {}), assay.CodeHub, assay.ExitRefused, "start hub: ")
	l.Close()
	for _, c := range []struct {
		url, ca string
		code    assay.Code
		exit    int
		want    string
	}{
		{"http://x", "", assay.CodeHubFile, assay.ExitUsage, `--url: "http://x" is no address of a hub`},
		{"nats://" + at, "gone.pem", assay.CodeHubFile, assay.ExitUsage, "--ca: open gone.pem: "},
		{"nats://" + at, "", assay.CodeHub, assay.ExitRefused, "connect to nats://" + at + ": "},
	} {
		wantRefused(t, h.Prepare(t.Context(), []string{c.url}, c.ca, 1, 0), c.code, c.exit, c.want)
	}
}

// A talk is what is said to an operator, line by line.
type talk chan string

func (said talk) next(t *testing.T) string {
	t.Helper()
	select {
	case text := <-said:
		return text
	case <-time.After(15 * time.Minute):
		t.Fatal("nothing is said")
		return ""
	}
}

// say never waits for who listens.
func (said talk) say(text string) {
	select {
	case said <- text:
	default:
	}
}

// serveHub serves a hub until stop, or the end of the test, and returns what it says.
func serveHub(t *testing.T, h *Hub) (said talk, stop func() error) {
	t.Helper()
	said = make(talk, 100)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.Serve(ctx, Options{Listen: "127.0.0.1:0"}, said.say) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = stop() })
	return said, stop
}

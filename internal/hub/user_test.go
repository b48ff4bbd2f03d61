package hub_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/hub/hubtest"
)

// members makes the join files of a user and of an agent of a hub that is not served, in a
// folder, and returns them.
func members(t *testing.T, dir string) (user, agent hub.Join) {
	t.Helper()
	f, err := hub.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for role, j := range map[hub.Role]*hub.Join{hub.RoleUser: &user, hub.RoleAgent: &agent} {
		if *j, err = f.Add(role, "my-"+string(role), []string{"tls://hub.lan:4222"}, "", time.Now()); err != nil {
			t.Fatal(err)
		}
		if err := hub.WriteJoin(filepath.Join(dir, string(role)+hub.JoinSuffix), *j); err != nil {
			t.Fatal(err)
		}
	}
	return user, agent
}

// A word of --hub is a join file, or a URL that takes the place of those in the own one; no
// word is the own one.
func TestReadUserJoin(t *testing.T) {
	own, dir := hubtest.Settings(t), t.TempDir()
	user, _ := members(t, dir)
	if err := hub.WriteJoin(own, user); err != nil {
		t.Fatal(err)
	}
	moved := user
	moved.URLs = []string{"tls://other.lan:4333"}
	for word, want := range map[string]hub.Join{"": user, filepath.Join(dir, "user.join"): user, "tls://other.lan:4333": moved} {
		if got, err := hub.ReadUserJoin(word); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, %v, want %+v", word, got, err, want)
		}
	}
}

// Without a join file there is no hub, which is no mistake of the line; a file that is none
// of a user is.
func TestReadUserJoinErrors(t *testing.T) {
	own, dir := hubtest.Settings(t), t.TempDir()
	user, _ := members(t, dir)
	gone, agent, broken := filepath.Join(dir, "gone.join"), filepath.Join(dir, "agent.join"), filepath.Join(dir, "broken.join")
	if err := os.WriteFile(broken, []byte("name = 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(word string, code assay.Code, exit int, want string) {
		t.Helper()
		_, err := hub.ReadUserJoin(word)
		if text := errortest.Want(t, err, code, exit); !strings.HasPrefix(text, want) {
			t.Errorf("%q: got %q, want %q", word, text, want)
		}
	}
	check("", assay.CodeNoHub, assay.ExitRefused, "assay knows of no hub: there is no "+own)
	check("tls://other.lan:4333", assay.CodeNoHub, assay.ExitRefused, "assay knows of no hub: there is no "+own)
	check(gone, assay.CodeNoHub, assay.ExitRefused, "assay knows of no hub: there is no "+gone)
	check(agent, assay.CodeHubFile, assay.ExitUsage, "the join file "+agent+" is of the agent my-agent, not of a user")
	check(broken, assay.CodeHubFile, assay.ExitUsage, "the join file "+broken+" is none: ")
	if err := hub.WriteJoin(own, user); err != nil {
		t.Fatal(err)
	}
	check("http://hub.lan", assay.CodeHubFile, assay.ExitUsage, `--hub: "http://hub.lan" is no address of a hub`)
	check("nats://hub.lan:4222", assay.CodeHubFile, assay.ExitUsage, `--hub: "nats://hub.lan:4222" is not encrypted`)
}

// Who cannot reach a hub hears why: nobody answers, somebody else does, or the hub does not
// know the key.
func TestConnectUserErrors(t *testing.T) {
	served := hubtest.New(t, "0.0.0.0:0", []string{"127.0.0.1"})
	other, err := hub.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	good := served.Joins["ci"]
	stranger, err := other.Add(hub.RoleUser, "eve", good.URLs, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	unknown := stranger
	unknown.CA = good.CA
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := good
	nobody.URLs = []string{"nats://" + l.Addr().String()}
	l.Close()
	if c, err := hub.ConnectUser(good, func(string) {}); err != nil || !c.IsConnected() {
		t.Errorf("got %v, want a connection", err)
	} else {
		c.Close()
	}
	at := good.URLs[0]
	for _, c := range []struct {
		join       hub.Join
		code       assay.Code
		text, lead string
	}{
		{stranger, assay.CodeHubKey, "what answers at " + at + " is not the hub of the join file", ""},
		{unknown, assay.CodeHubKey, "the hub at " + at + " does not know the key of eve", "on the hub's computer: assay hub add user eve, "},
		{nobody, assay.CodeNoHub, "no hub answers at " + nobody.URLs[0], "on that computer: assay hub; "},
	} {
		_, err := hub.ConnectUser(c.join, func(string) {})
		errortest.Want(t, err, c.code, assay.ExitRefused)
		if e, _ := errors.AsType[*assay.Error](err); e.Text != c.text || !strings.HasPrefix(e.Advice, c.lead) {
			t.Errorf("got %q, try %q, want %q and %q", e.Text, e.Advice, c.text, c.lead)
		}
	}
}

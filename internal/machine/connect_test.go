package machine

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/hub/hubtest"
	"github.com/seed-1318a441/assay/internal/queue"
	"github.com/seed-1318a441/assay/internal/queue/queuetest"
)

// The error about a hub says which machine it was needed for, but for one about a file: that
// says which file it is.
func TestForHost(t *testing.T) {
	h := assay.Host{Label: "m4"}
	away := assay.NewError(assay.ExitRefused, assay.CodeNoHub, "no hub answers at x", []string{"refused"}, "assay hub")
	want := assay.NewError(assay.ExitRefused, assay.CodeNoHub, "m4 is a machine of a hub, and no hub answers at x", []string{"refused"}, "assay hub")
	if got := forHost(away, h); !reflect.DeepEqual(got, error(want)) || strings.HasPrefix(away.Text, "m4") {
		t.Errorf("got %v, want %v, and the first as it was", got, want)
	}
	file := assay.UsageError(assay.CodeHubFile, "the join file x is none", "")
	for _, err := range []error{file, io.EOF} {
		if got := forHost(err, h); got != err {
			t.Errorf("got %v, want %v", got, err)
		}
	}
}

// A pool that no machine fits is refused, with what each of them lacks. A machine that was
// lost just now does not fit.
func TestClaimNone(t *testing.T) {
	served := hubtest.NewLoopback(t, "box", "m4", "pi")
	claimAll(t, served, queue.State{Name: "box", Labels: []string{"quiet"}, Draining: true})
	claimAll(t, served, queue.State{Name: "m4", Labels: []string{"quiet"}})
	claimAll(t, served, queue.State{Name: "pi"})
	h := assay.Host{Label: "quiet", Address: "pool:quiet", Pool: assay.Pool{Labels: []string{"quiet"}}}
	_, _, err := Options{Avoid: "m4", Say: func(string) {}}.claim(t.Context(), served.Joins["ci"], h)
	want := assay.NewError(assay.ExitRefused, assay.CodeNoPool, "no machine of the hub is one of quiet",
		[]string{"box: it is draining", "m4: it was lost just now", "pi: it has no label quiet"}, "assay machines   lists them")
	if !reflect.DeepEqual(err, error(want)) {
		t.Errorf("got %v, want %v", err, want)
	}
}

// Of the machines that fit, those that are preferred are asked alone; where none of them is
// there, any will do.
func TestClaimPreferred(t *testing.T) {
	served := hubtest.NewLoopback(t, "box", "m4")
	claimAll(t, served, queue.State{Name: "box", Platform: assay.Platform{GOOS: "linux"}})
	claimAll(t, served, queue.State{Name: "m4", Platform: assay.Platform{GOOS: "darwin"}})
	h := assay.Host{Label: "any", Address: "pool:any"}
	for goos, want := range map[string][]string{"linux": {"box"}, "darwin": {"m4"}, "plan9": {"box", "m4"}} {
		o := Options{Prefer: func(p assay.Platform) bool { return p.GOOS == goos }, Say: func(string) {}}
		machine, id, err := o.claim(t.Context(), served.Joins["ci"], h)
		if err != nil || !slices.Contains(want, machine) || id == "" {
			t.Errorf("%s: got %s, ticket %q, %v, want one of %s", goos, machine, id, err, want)
		}
	}
}

// A machine of a hub is reached by its name or as one of a pool, and says what it is over
// the hub. The host that is found is the machine, not the pool.
func TestConnect(t *testing.T) {
	hubtest.Settings(t)
	served := hubtest.NewLoopback(t, "m4")
	p := assay.Platform{ID: "4444", GOOS: "darwin", GOARCH: "arm64", CPUs: 8}
	queuetest.RunAgent(t, served, "m4", p, "quiet")
	for said, h := range map[string]assay.Host{
		"":                   {Label: "desk", Address: "agent:m4"},
		"assay: quiet is m4": {Label: "quiet", Address: "pool:quiet", Pool: assay.Pool{Labels: []string{"quiet"}}, Exclusive: true},
	} {
		var heard talk
		m, at, err := Connect(t.Context(), h, Options{Hub: served.JoinFile("ci"), Work: "codec", Builder: build.New(t.TempDir()), Say: heard.say})
		if err != nil {
			t.Fatal(err)
		}
		if want := (assay.Host{Label: h.Label, Address: "agent:m4", Exclusive: h.Exclusive}); !reflect.DeepEqual(at, want) || heard.String() != said {
			t.Errorf("got %+v, and %q was said, want %+v and %q", at, &heard, want, said)
		}
		if got, err := m.Platform(t.Context()); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("got %+v, %v, want %+v", got, err, p)
		}
		if got, err := m.Inspect(t.Context(), p); err != nil || len(got) != 1 || got[0].Text != "the clock is slow" {
			t.Errorf("got %+v, %v, want what the machine finds", got, err)
		}
		list, err := queue.Members(t.Context(), served.Connect("ci"))
		if err != nil || len(list) != 1 || len(list[0].Queue) != 1 || list[0].Queue[0].Study != "codec" || list[0].Queue[0].Who != "ci" {
			t.Errorf("got %+v, %v, want codec of ci in the queue", list, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A machine that never joined the hub, one of a hub that nobody knows, and one whose address
// is none are refused at once.
func TestConnectErrors(t *testing.T) {
	own := hubtest.Settings(t)
	served := hubtest.NewLoopback(t, "m4")
	for _, c := range []struct {
		hub  string
		code assay.Code
		want string
	}{
		{"", assay.CodeNoHub, "m5 is a machine of a hub, and assay knows of no hub: there is no " + own},
		{served.JoinFile("m4"), assay.CodeHubFile, "the join file "},
		{served.JoinFile("ci"), assay.CodeAgentAway, "no agent of m5 has ever joined the hub"},
	} {
		_, _, err := Connect(t.Context(), assay.Host{Label: "m5", Address: "agent:m5"}, Options{Hub: c.hub, Builder: build.New(t.TempDir())})
		e, ok := errors.AsType[*assay.Error](err)
		if !ok || e.Code != c.code || !strings.HasPrefix(e.Text, c.want) {
			t.Errorf("%q: got %v, want [%s] %s", c.hub, err, c.code, c.want)
		}
	}
	_, _, err := Connect(t.Context(), assay.Host{Label: "x", Address: "ssh://x"}, Options{Builder: build.New(t.TempDir())})
	if got, want := errortest.Want(t, err, assay.CodeSSHAddress, assay.ExitUsage), `machine "ssh://x": there are no slashes in an address`; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// claimAll has an agent say what it is, and claim every ticket of a pool that it hears of.
func claimAll(t *testing.T, h *hubtest.Hub, s queue.State) {
	t.Helper()
	c := h.Connect(s.Name)
	_, err := c.Subscribe(hub.SubjectEntries(s.Name), func(m *nats.Msg) {
		var ticket queue.Ticket
		if json.Unmarshal(m.Data, &ticket) != nil || !ticket.Pool {
			return
		}
		if err := c.Create(context.Background(), hub.SubjectClaim(ticket.ID), []byte(s.Name)); err != nil && !errors.Is(err, hub.ErrTaken) {
			t.Error(err)
		}
	})
	if err == nil {
		err = c.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	h.PutState(s.Name, s)
}

// A talk is what was said to the user.
type talk struct {
	mu   sync.Mutex
	said []string
}

func (t *talk) say(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.said = append(t.said, text)
}

func (t *talk) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.said, "\n")
}

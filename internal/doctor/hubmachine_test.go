package doctor

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub/hubtest"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/queue"
	"github.com/seed-1318a441/assay/internal/queue/queuetest"
)

// apart keeps a test from what the user and the machine have, and writes the user's file of
// machines.
func apart(t *testing.T, machines string) {
	t.Helper()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", host.LockVariable} {
		t.Setenv(name, t.TempDir())
	}
	dir := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "assay")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "machines.toml"), []byte(machines), 0o600); err != nil {
		t.Fatal(err)
	}
}

// keep keeps a floor of a machine.
func keep(t *testing.T, p assay.Platform, address string, floor assay.Change) {
	t.Helper()
	if err := machine.KeepFloor(machine.Floor{Time: day(1), Host: p.Host, Platform: p.ID, Address: address, Floor: floor}); err != nil {
		t.Fatal(err)
	}
}

// What a hub says of a machine: whether it is there, free, busy or draining, who wants it
// and how much they have had of it.
func TestOfHub(t *testing.T) {
	apart(t, "")
	begun := day(2)
	ticket := queue.Ticket{ID: "a", Study: "codec", Who: "ci", Priority: queue.PriorityHigh, Since: begun}
	there := roster{members: []queue.Member{
		{State: queue.State{Name: "free", Version: "v1", Labels: []string{"quiet"}}},
		{State: queue.State{Name: "waited"}, Queue: []queue.Ticket{ticket}},
		{State: queue.State{Name: "busy", Serving: "a", Used: map[string]time.Duration{"a": 3 * time.Minute, "b": time.Minute}},
			Queue: []queue.Ticket{ticket, {ID: "b", Study: "sort", Hold: true, Since: begun}}},
		{State: queue.State{Name: "draining", Draining: true}, Queue: []queue.Ticket{ticket}},
		{State: queue.State{Name: "gone", Seen: begun, Draining: true}, Gone: true},
	}}
	for name, want := range map[string]struct {
		state State
		fault string
		queue []Waiting
	}{
		"free":     {Free, "", nil},
		"waited":   {Busy, "", []Waiting{{Study: "codec", Who: "ci", Priority: "high", Since: begun}}},
		"draining": {Draining, "", []Waiting{{Study: "codec", Who: "ci", Priority: "high", Since: begun}}},
		"busy": {Busy, "", []Waiting{{Study: "codec", Who: "ci", Priority: "high", Since: begun, Serving: true, Used: 3 * time.Minute, Share: 0.75},
			{Study: "sort", Since: begun, Hold: true, Used: time.Minute, Share: 0.25}}},
		"gone":  {Unreachable, "its agent was last heard at 2026-11-02 09:30:00", nil},
		"never": {Unreachable, "no agent of that name has ever joined the hub", nil},
	} {
		var m Machine
		m.ofHub(there, assay.Host{Label: name, Address: "agent:" + name})
		if m.State != want.state || m.Fault != want.fault || !reflect.DeepEqual(m.Queue, want.queue) {
			t.Errorf("%s: got %s, %q and the queue %+v, want %+v", name, m.State, m.Fault, m.Queue, want)
		}
	}
	var m Machine
	m.ofHub(there, assay.Host{Address: "agent:free"})
	if m.Assay != "v1" || !slices.Equal(m.Labels, []string{"quiet"}) {
		t.Errorf("got %+v, want the version and the labels of the machine", m)
	}
	m.ofHub(roster{err: assay.NewError(assay.ExitRefused, assay.CodeNoHub, "no hub answers", nil, "")}, assay.Host{Address: "agent:free"})
	if m.State != Unreachable || m.Fault != "no hub answers [no-hub]" {
		t.Errorf("got %s, %q of a hub that is away", m.State, m.Fault)
	}
}

// The floors of a machine of a hub are those of the computer that it is now, also for trials
// of another architecture; while that is unknown, those that were last measured there.
func TestFloorsOfHub(t *testing.T) {
	apart(t, "")
	now := host.For(assay.Platform{Host: "bb", GOOS: "darwin", GOARCH: "arm64", CPUs: 8}, "", 0)
	translated := host.For(now, "amd64", 0)
	keep(t, now, "agent:moved", 0.01)
	keep(t, translated, "agent:elsewhere", 0.03)
	keep(t, assay.Platform{Host: "aa", ID: "11"}, "agent:m4", 0.02)
	there := roster{members: []queue.Member{{State: queue.State{Name: "m4", Platform: now}}, {State: queue.State{Name: "new"}}}}
	for _, c := range []struct {
		host assay.Host
		want []assay.Change
	}{
		{assay.Host{Address: "agent:m4"}, []assay.Change{0.01}},
		{assay.Host{Address: "agent:m4", GOARCH: "amd64"}, []assay.Change{0.03}},
		{assay.Host{Address: "agent:new"}, nil},
		{assay.Host{Address: "agent:moved"}, []assay.Change{0.01}},
	} {
		var m Machine
		m.ofHub(there, c.host)
		var got []assay.Change
		for _, f := range m.Floors {
			got = append(got, f.Floor)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: got the floors %v, want %v", c.host, got, c.want)
		}
	}
}

// A pool is there if a machine of it is, and free if one of these has no queue.
func TestOfPool(t *testing.T) {
	busy := queue.Member{State: queue.State{Name: "busy", Labels: []string{"quiet"}}, Queue: []queue.Ticket{{ID: "a"}}}
	free := queue.Member{State: queue.State{Name: "free", Labels: []string{"quiet"}}}
	other, drains := queue.Member{State: queue.State{Name: "other"}}, free
	drains.Draining = true
	for _, c := range []struct {
		members []queue.Member
		state   State
		fault   string
	}{
		{[]queue.Member{busy, free, other}, Free, ""},
		{[]queue.Member{busy, other}, Busy, ""},
		{[]queue.Member{other, drains}, Unreachable, "no machine of the hub fits: other: it has no label quiet; free: it is draining"},
	} {
		var m Machine
		m.ofHub(roster{members: c.members}, assay.Host{Address: "pool:quiet", Pool: assay.Pool{Labels: []string{"quiet"}}})
		if m.State != c.state || m.Fault != c.fault {
			t.Errorf("got %s, %q, want %s, %q", m.State, m.Fault, c.state, c.fault)
		}
	}
}

const three = `
[mini]
host = "ssh:mini"

[desk]
agent = "m4"
require = { noise = "1%" }

[quiet]
pool = { labels = ["quiet"] }
`

// Without asking anybody all machines of the user's file are listed behind this computer,
// each with what is remembered of it. A word is one machine alone.
func TestMachinesOffline(t *testing.T) {
	apart(t, three)
	keep(t, assay.Platform{Host: "aa", ID: "11"}, "ssh:mini", 0.01)
	list, err := Machines(t.Context(), "", "", true)
	var got []string
	for _, m := range list {
		got = append(got, m.Name+" "+m.Address+" "+string(m.State))
	}
	if want := []string{"local local free", "mini ssh:mini not asked", "desk agent:m4 not asked", "quiet pool:quiet not asked"}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %q, %v, want %q", got, err, want)
	}
	if list[0].Platform == nil || list[0].Platform.CPUs < 1 || list[0].Assay != assay.Version() || len(list[1].Floors) != 1 || list[2].Require.Noise != 0.01 {
		t.Errorf("got %+v, want this computer as it is, a floor of mini, and what desk is required to be", list)
	}
	if list, err := Machines(t.Context(), "mini", "", true); err != nil || len(list) != 1 || list[0].Name != "mini" {
		t.Errorf("got %+v, %v, want mini", list, err)
	}
	for word, want := range map[string]string{"mni": `no machine is called "mni" in `, "../x": "../x is neither "} {
		if list, err := Machines(t.Context(), word, "", true); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %+v, %v, want %s", word, list, err, want)
		}
	}
}

// This computer is listed once, also where the user's file has a name for it. A file that
// cannot be read is an error of the list, and no names.
func TestMachinesNamesThisComputer(t *testing.T) {
	apart(t, "[here]\nhost = \"local\"\n")
	list, err := Machines(t.Context(), "", "", true)
	if err != nil || len(list) != 1 || list[0].Name != "here" || list[0].State != Free {
		t.Errorf("got %+v, %v, want this computer as here", list, err)
	}
	if got, want := Names(), [][2]string{{"here", "local"}, {"local", "this computer"}}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	apart(t, "broken")
	if list, err := Machines(t.Context(), "", "", true); err == nil {
		t.Errorf("got %+v from a broken file", list)
	}
	if got, want := Names(), [][2]string{{"local", "this computer"}}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The machines of a hub are listed behind those of the user's file, of which they are not
// listed again. A hub that cannot be reached is a line of its own, but none at all is not.
func TestMachinesOfHub(t *testing.T) {
	apart(t, "[desk]\nagent = \"m4\"\n")
	h := hubtest.NewLoopback(t, "m4", "pi")
	h.PutState("m4", queue.State{Name: "m4", Platform: assay.Platform{GOOS: "darwin", GOARCH: "arm64"}})
	h.PutState("pi", queue.State{Name: "pi", Draining: true})
	listed := func(word, hub string) (got []string) {
		t.Helper()
		list, err := Machines(t.Context(), word, hub, false)
		if err != nil {
			t.Error(err)
		}
		for _, m := range list {
			got = append(got, m.Name+" "+string(m.State))
		}
		return got
	}
	if got, want := listed("", h.JoinFile("ci")), []string{"local free", "desk free", "pi draining"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := listed("agent:pi", h.JoinFile("ci")), []string{"pi draining"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := listed("", ""), []string{"local free", "desk unreachable"}; !slices.Equal(got, want) {
		t.Errorf("got %q without a hub, want %q", got, want)
	}
	for word, want := range map[string][]string{"": {"local free", "desk unreachable"}, "agent:pi": {"pi unreachable"}} {
		if got := listed(word, h.JoinFile("m4")); !slices.Equal(got, want) {
			t.Errorf("%q: got %q with the file of an agent, want %q", word, got, want)
		}
	}
	apart(t, "")
	if got, want := listed("", ""), []string{"local free"}; !slices.Equal(got, want) {
		t.Errorf("got %q without a hub, want %q", got, want)
	}
	list, err := Machines(t.Context(), "", h.JoinFile("m4"), false)
	if err != nil || len(list) != 2 || list[1].Name != "hub" || list[1].State != Unreachable || !strings.HasSuffix(list[1].Fault, "not of a user [hub-file]") {
		t.Errorf("got %+v, %v, want that the hub cannot be reached", list, err)
	}
}

// A machine of a hub drains and resumes by its name there, its address or its name in the
// user's file; another machine is an error.
func TestDrain(t *testing.T) {
	apart(t, "[desk]\nagent = \"m4\"\n")
	h := hubtest.NewLoopback(t, "m4", "pi")
	queuetest.RunAgent(t, h, "m4", assay.Platform{GOOS: "darwin"})
	user, file := h.Connect("ci"), h.JoinFile("ci")
	for i, name := range []string{"desk", "m4", "agent:m4", "m4"} {
		resume := i%2 == 1
		if err := Drain(t.Context(), file, name, resume); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list, err := queue.Members(t.Context(), user)
		if err != nil || len(list) != 1 || list[0].Draining == resume {
			t.Errorf("%s: got %+v, %v, want draining %v", name, list, err, !resume)
		}
	}
	for name, want := range map[string]string{"pi": "the hub has no machine pi", "x\ny": "the hub has no machine x y"} {
		if got := errortest.Want(t, Drain(t.Context(), file, name, false), assay.CodeNoMachine, assay.ExitUsage); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	errortest.Want(t, Drain(t.Context(), "", "m4", false), assay.CodeNoHub, assay.ExitRefused)
}

// A machine of a hub is examined there, under the name that --on takes.
func TestExamineAt(t *testing.T) {
	apart(t, "[desk]\nagent = \"m4\"\n")
	h := hubtest.NewLoopback(t, "m4")
	p := assay.Platform{ID: "4444", GOOS: "darwin", GOARCH: "arm64", CPUs: 8}
	queuetest.RunAgent(t, h, "m4", p)
	for name, at := range map[string]assay.Host{"desk": {Label: "desk", Address: "agent:m4"}, "agent:m4": {Label: "m4", Address: "agent:m4"}} {
		checkup, err := ExamineAt(t.Context(), at, h.JoinFile("ci"))
		want := &Checkup{Name: name, Platform: p, Findings: []check.Finding{queuetest.Finding}}
		if err != nil || !reflect.DeepEqual(checkup, want) {
			t.Errorf("got %+v, %v, want %+v", checkup, err, want)
		}
	}
	if checkup, err := ExamineAt(t.Context(), assay.Host{Label: "pi", Address: "agent:pi"}, h.JoinFile("ci")); err == nil {
		t.Errorf("got %+v of a machine that never joined", checkup)
	}
}

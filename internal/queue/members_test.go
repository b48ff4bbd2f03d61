package queue

import (
	"context"
	"encoding/json"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/hub"
)

func TestMembers(t *testing.T) {
	y := newYard(t, "m4", "box", "liar", "broken", "unsigned")
	user := y.user()
	if got, err := Members(t.Context(), user); len(got) > 0 || err != nil {
		t.Errorf("got %v, %v, want no machines", got, err)
	}
	begun := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	y.PutState("m4", State{Name: "m4", Labels: []string{"quiet"}, Serving: "t2", Platform: assay.Platform{GOOS: "darwin", CPU: "M4\x1b[31m"}})
	y.PutState("box", State{Name: "box", Draining: true})
	y.PutState("liar", State{Name: "m4"})
	y.Put("broken", hub.BucketMachines, "broken", []byte(`"no state"`))
	y.Put("unsigned", hub.BucketMachines, "unsigned", []byte(`{"name":"unsigned"}`))
	for key, e := range map[string]Ticket{"m4.t2": {ID: "t2", Study: "b\x07", Since: begun.Add(time.Second)}, "m4.t1": {ID: "t1", Who: "ci", Since: begun}, "gone.t3": {ID: "t3"}, "m4.t4": {ID: "another"}} {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		y.Put("ci", hub.BucketQueue, key, data)
	}
	got, err := Members(t.Context(), user)
	if err != nil || len(got) != 2 || got[0].Name != "box" || got[1].Name != "m4" {
		t.Fatalf("got %+v, %v, want box and m4", got, err)
	}
	m4 := got[1]
	if m4.Gone || time.Since(m4.Seen) > hub.Gone || m4.Platform.CPU != "M4" {
		t.Errorf("got %+v, want one that is there, with a name that can be printed", m4)
	}
	if len(m4.Queue) != 2 || m4.Queue[0].Who != "ci" || m4.Queue[1].Study != "b" {
		t.Errorf("got the queue %+v, want that of t1 and t2", m4.Queue)
	}
}

// A hub without buckets has no machines yet.
func TestMembersOfNewHub(t *testing.T) {
	y := newYard(t)
	_, js := y.Server.Conn()
	for _, bucket := range []string{hub.BucketMachines, hub.BucketQueue} {
		if err := js.DeleteKeyValue(t.Context(), bucket); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Members(t.Context(), y.user()); len(got) > 0 || err != nil {
		t.Errorf("got %v, %v, want no machines", got, err)
	}
}

func TestUnfit(t *testing.T) {
	m := Member{State: State{Name: "m4", Labels: []string{"quiet", "desk"}, Tools: []string{"wrk"}, Platform: assay.Platform{GOOS: "darwin", GOARCH: "arm64", CPUs: 8}}}
	for _, test := range []struct {
		pool assay.Pool
		want []string
	}{
		{assay.Pool{Labels: []string{"quiet"}, GOOS: "darwin", GOARCH: "arm64", CPUs: 8, Tools: []string{"wrk"}}, nil},
		{assay.Pool{Labels: []string{"quiet", "fast"}, GOOS: "linux"}, []string{"it has no label fast", "its system is darwin, not linux"}},
		{assay.Pool{GOARCH: "amd64", CPUs: 9, Tools: []string{"hey"}}, []string{"its processor is arm64, not amd64", "trials may use 8 CPUs, not 9", "its agent names no tool hey"}},
	} {
		if got := m.Unfit(test.pool); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: got %q, want %q", test.pool, got, test.want)
		}
	}
	m.Draining, m.Gone, m.Seen = true, true, time.Date(2026, 11, 24, 12, 0, 0, 0, time.Local)
	if got, want := m.Unfit(assay.Pool{}), []string{"it is draining", "its agent was last seen 2026-11-24 12:00:00"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestShare(t *testing.T) {
	m := Member{State: State{Used: map[string]time.Duration{"a": 3 * time.Second, "b": time.Second, "gone": time.Hour, "liar": -time.Hour}}, Queue: []Ticket{{ID: "a"}, {ID: "b"}, {ID: "new"}, {ID: "liar"}}}
	for ticket, want := range map[string]float64{"a": 0.75, "b": 0.25, "new": 0, "liar": 0} {
		if got := m.Share(ticket); got != want {
			t.Errorf("%s: got %v, want %v", ticket, got, want)
		}
	}
	m.Used = nil
	if got := m.Share("a"); got != 0 {
		t.Errorf("got %v of nothing, want 0", got)
	}
}

// Drain returns when the agent has said so, also if the first message was lost.
func TestDrain(t *testing.T) {
	t.Parallel()
	y := newYard(t, "m4")
	y.PutState("m4", State{Name: "m4"})
	agent := y.Connect("m4")
	var draining atomic.Bool
	heard := 0
	sub, err := agent.Subscribe(hub.SubjectControl("m4"), func(m *nats.Msg) {
		var c Control
		if heard++; heard == 1 || json.Unmarshal(m.Data, &c) != nil {
			return
		}
		draining.Store(c.Drain == "drain")
		data, err := agent.Join.Seal(hub.AboutState, State{Name: "m4", Draining: draining.Load()})
		if err == nil {
			err = agent.SetKey(context.Background(), hub.BucketMachines, "m4", data)
		}
		if err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	user := y.user()
	for _, resume := range []bool{false, true} {
		if err := Drain(t.Context(), user, "m4", resume); err != nil || draining.Load() == resume {
			t.Errorf("resume %v: got %v, draining %v", resume, err, draining.Load())
		}
	}
	if err := sub.Unsubscribe(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := Drain(ctx, user, "m4", false); err == nil || err.Error() != "drain m4: its agent does not answer" {
		t.Errorf("got %v, want that the agent does not answer", err)
	}
}

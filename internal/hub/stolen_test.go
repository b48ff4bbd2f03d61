package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// start serves a hub with members, named with their role in front: "agent m4".
func start(t *testing.T, opt Options, members ...string) (*Server, map[string]Join) {
	t.Helper()
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if opt.Listen == "" {
		opt.Listen = "127.0.0.1:0"
	}
	s, err := Start(f, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	joins := map[string]Join{}
	for _, m := range members {
		role, name, _ := strings.Cut(m, " ")
		if joins[name], err = f.Add(Role(role), name, s.URLs(), "", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	serve(t, s)
	return s, joins
}

// serve serves until the test ends, and returns when the streams are there.
func serve(t *testing.T, s *Server) {
	t.Helper()
	ready, done := make(chan struct{}), make(chan error)
	go func() { done <- s.Serve(t.Context(), func() { close(ready) }) }()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-ready
}

func join(t *testing.T, j Join) *Conn {
	t.Helper()
	c, err := Connect(j, false, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// A theft is what a thief tries with the key of the agent m4, on a hub with another one,
// box.
type theft struct {
	*testing.T
	thief, user *Conn
	own         jetstream.JetStream
}

func steal(t *testing.T) theft {
	t.Helper()
	s, joins := start(t, Options{}, "agent m4", "agent box", "user ci")
	_, own := s.Conn()
	return theft{t, join(t, joins["m4"]), join(t, joins["ci"]), own}
}

// publish publishes a message, and returns when the server has had it.
func (t theft) publish(c *Conn, subject, reply, data string) {
	t.Helper()
	if err := c.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: []byte(data)}); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
}

// count returns how many messages a stream has on a subject.
func (t theft) count(stream, subject string) uint64 {
	t.Helper()
	x, err := t.own.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	info, err := x.Info(t.Context(), jetstream.WithSubjectFilter(subject))
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Subjects[subject]
}

// request makes a request of JetStream. A denied one is not answered.
func (t theft) request(api, body string) error {
	m, err := t.thief.Request("$JS.API."+api, []byte(body), 500*time.Millisecond)
	if err != nil {
		return err
	}
	var r struct{ Error json.RawMessage }
	if json.Unmarshal(m.Data, &r) == nil && r.Error != nil {
		return errors.New(string(r.Error))
	}
	return nil
}

// consume makes a consumer of a ticket's jobs, as agents do.
func (t theft) consume(ticket string) jetstream.Consumer {
	t.Helper()
	c, err := t.thief.JS.CreateConsumer(t.Context(), StreamJobs("m4"), jetstream.ConsumerConfig{Durable: ticket, FilterSubject: SubjectJob("m4", ticket), AckPolicy: jetstream.AckExplicitPolicy})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// With a stolen key of an agent one has the work of its machine, and can forge its results.
func TestStolenKeyOwnMachine(t *testing.T) {
	x := steal(t)
	x.publish(x.user, SubjectJob("m4", "t1"), "", "a job of m4")
	got, err := x.consume("t1").Next(jetstream.FetchMaxWait(10 * time.Second))
	if err != nil || string(got.Data()) != "a job of m4" {
		t.Errorf("got %v, want its own job", err)
	}
	x.publish(x.thief, SubjectDone("m4", "run", "b1"), "", "forged")
	if n := x.count(StreamDone, SubjectDone("m4", "run", "b1")); n != 1 {
		t.Errorf("%d results of its own machine, want 1", n)
	}
}

// It cannot publish what is not its own.
func TestStolenKeyPublish(t *testing.T) {
	x := steal(t)
	sum := strings.Repeat("a", 64)
	for subject, stream := range map[string]string{SubjectJob("m4", "t"): StreamJobs("m4"), SubjectJob("box", "t"): StreamJobs("box"), SubjectDone("box", "run", "b1"): StreamDone,
		SubjectPart("box", "run", "b1", 1, 0): StreamDone, SubjectState("box"): "KV_" + BucketMachines, subjectKey(BucketQueue, "m4.t"): "KV_" + BucketQueue, SubjectPiece(sum, 0): StreamBlobs} {
		x.publish(x.thief, subject, "", "forged")
		if n := x.count(stream, subject); n != 0 {
			t.Errorf("%s has %d messages of a thief", subject, n)
		}
	}
	for _, subject := range []string{SubjectControl("box"), SubjectTell("box", "t"), inboxPrefix("ci") + ".x", inboxPrefix("box") + ".x", "$JS.ACK." + StreamJobs("box") + ".t.1.1.1.1.1"} {
		x.publish(x.thief, subject, "", "forged")
		if got := x.thief.LastError(); !errors.Is(got, nats.ErrPermissionViolation) || !strings.Contains(got.Error(), subject) {
			t.Errorf("publish on %s: got %v, want that it is not permitted", subject, got)
		}
	}
}

// It cannot read what is not its own.
func TestStolenKeyRead(t *testing.T) {
	t.Parallel()
	x := steal(t)
	for _, subject := range []string{"job.>", "done.>", ">", inboxPrefix("ci") + ".>", SubjectControl("box"), SubjectEntries("box"), "$JS.>"} {
		sub, err := x.thief.SubscribeSync(subject)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sub.NextMsg(time.Minute); !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("subscribe to %s: got %v, want that it is not permitted", subject, err)
		}
	}
	x.consume("c")
	x.publish(x.thief, SubjectDone("m4", "run", "b1"), "", "forged")
	x.publish(x.thief, SubjectState("m4"), "", "forged")
	for api, body := range map[string]string{
		"STREAM.DELETE." + StreamJobs("m4"):                                     "",
		"STREAM.PURGE." + StreamJobs("m4"):                                      "",
		"STREAM.CREATE.X":                                                       `{"name":"X","subjects":["x"]}`,
		"STREAM.NAMES":                                                          "",
		"STREAM.MSG.GET." + StreamDone:                                          `{"last_by_subj":"done.m4.run.b1"}`,
		"STREAM.MSG.GET.KV_" + BucketMachines:                                   `{"last_by_subj":"$KV.machines.m4"}`,
		"DIRECT.GET." + StreamDone + "." + SubjectDone("m4", "run", "b1"):       "",
		"DIRECT.GET.KV_" + BucketMachines + "." + SubjectState("m4"):            "",
		"CONSUMER.CREATE." + StreamDone + ".c.done.m4.>":                        `{}`,
		"CONSUMER.CREATE." + StreamJobs("box") + ".c." + SubjectJob("box", "*"): `{}`,
		"CONSUMER.MSG.NEXT." + StreamJobs("box") + ".c":                         "",
		"CONSUMER.CREATE." + StreamJobs("m4") + ".c." + SubjectJob("m4", "c"):   `{"stream_name":"JOBS_m4","config":{"durable_name":"c","filter_subject":"job.>","ack_policy":"explicit"}}`,
	} {
		if err := x.request(api, body); err == nil {
			t.Errorf("a thief can ask for %s", api)
		}
	}
}

// NATS does not check the subject that an answer goes to. Whoever may read what it has
// written itself can have it delivered as a job of any machine, as a user can here. An
// agent must not.
func TestStolenKeyReply(t *testing.T) {
	x := steal(t)
	get := "$JS.API.DIRECT.GET." + StreamDone + "." + SubjectDone("m4", "run", "b1")
	x.publish(x.thief, SubjectDone("m4", "run", "b1"), "", "forged")
	x.publish(x.thief, get, SubjectJob("box", "thief"), "")
	x.publish(x.user, get, SubjectJob("box", "user"), "")
	for deadline := time.Now().Add(time.Minute); x.count(StreamJobs("box"), SubjectJob("box", "user")) == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the answer that a user has sent to a subject does not arrive")
		}
	}
	if n := x.count(StreamJobs("box"), SubjectJob("box", "thief")); n != 0 {
		t.Errorf("a thief has published %d jobs", n)
	}
}

// What a consumer delivers is no job of another machine either, whatever its reply.
func TestStolenKeyDeliver(t *testing.T) {
	x := steal(t)
	x.consume("t1")
	x.publish(x.user, SubjectJob("m4", "t1"), "", "a job of m4")
	x.publish(x.thief, "$JS.API.CONSUMER.MSG.NEXT."+StreamJobs("m4")+".t1", SubjectJob("box", "next"), "1")
	push := fmt.Sprintf(`{"stream_name":%q,"config":{"durable_name":"t2","filter_subject":%q,"deliver_subject":%q,"ack_policy":"explicit"}}`,
		StreamJobs("m4"), SubjectJob("m4", "t2"), SubjectJob("box", "push"))
	if err := x.request("CONSUMER.CREATE."+StreamJobs("m4")+".t2."+SubjectJob("m4", "t2"), push); err != nil {
		t.Fatal(err)
	}
	x.publish(x.user, SubjectJob("m4", "t2"), "", "another job of m4")
	for deadline := time.Now().Add(time.Minute); ; { // until the job was delivered to where the thief wants it
		own, err := x.own.Consumer(t.Context(), StreamJobs("m4"), "t1")
		if err != nil {
			t.Fatal(err)
		}
		info, err := own.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.NumAckPending == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the job is not delivered")
		}
	}
	for _, ticket := range []string{"next", "push"} {
		if n := x.count(StreamJobs("box"), SubjectJob("box", ticket)); n != 0 {
			t.Errorf("%s: %d messages, want none", ticket, n)
		}
	}
}

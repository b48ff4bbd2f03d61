package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/remote"
)

// A Member is a machine of a hub with its queue.
type Member struct {
	State
	// Gone is set for a machine whose agent has not said anything for hub.Gone. Its State
	// is the last one.
	Gone bool
	// Queue has the tickets, those that came first in front.
	Queue []Ticket
}

// Limits of what is taken from a hub.
const (
	mostMembers = 1000
	mostQueue   = 200
	mostWords   = 100
	longestName = 100
)

// listTime is how long a hub may take to list its machines.
const listTime = 10 * time.Second

// Members returns the machines of a hub, in the order of their names. It leaves out what
// it cannot read. A hub that no agent has joined yet has none.
func Members(ctx context.Context, c *hub.Conn) ([]Member, error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	var members []Member
	now, err := hubTime(ctx, c.JS)
	if err != nil {
		return nil, err
	}
	err = each(ctx, c.JS, hub.BucketMachines, func(key string, said time.Time, data []byte) {
		var s State
		if hub.IsName(key) && c.Join.Open(key, hub.AboutState, data, &s) == nil && s.Name == key && len(members) < mostMembers {
			s.Seen = said // by the hub's clock; the agent's may be wrong
			members = append(members, Member{State: s.clean(), Gone: now.Sub(said) > hub.Gone})
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	err = each(ctx, c.JS, hub.BucketQueue, func(key string, said time.Time, data []byte) {
		var e Ticket
		machine, ticket, ok := strings.Cut(key, ".")
		ok = ok && json.Unmarshal(data, &e) == nil
		i := slices.IndexFunc(members, func(m Member) bool { return m.Name == machine })
		if ok && i >= 0 && e.ID == ticket && now.Sub(said) <= hub.Gone && len(members[i].Queue) < mostQueue {
			members[i].Queue = append(members[i].Queue, e.clean())
		}
	})
	for _, m := range members {
		slices.SortStableFunc(m.Queue, func(a, b Ticket) int { return a.Since.Compare(b.Since) })
	}
	return members, err
}

// hubTime returns the time by the hub's clock, which says when its members were heard.
func hubTime(ctx context.Context, js jetstream.JetStream) (time.Time, error) {
	s, err := js.Stream(ctx, "KV_"+hub.BucketMachines)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound): // it has no members
		return time.Now(), nil
	case err != nil:
		return time.Time{}, fmt.Errorf("ask the hub: %w", err)
	}
	return s.CachedInfo().TimeStamp, nil
}

// each calls do with the values of a bucket, which may not exist, and when each was
// written.
func each(ctx context.Context, js jetstream.JetStream, bucket string, do func(key string, said time.Time, value []byte)) error {
	kv, err := js.KeyValue(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list %s of the hub: %w", bucket, err)
	}
	w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return fmt.Errorf("list %s of the hub: %w", bucket, err)
	}
	defer w.Stop()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("list %s of the hub: %w", bucket, context.Cause(ctx))
		case e := <-w.Updates():
			if e == nil { // that was all
				return nil
			}
			do(e.Key(), e.Created(), e.Value())
		}
	}
}

// clean returns the state with texts that are fit to print.
func (s State) clean() State {
	for _, text := range []*string{&s.Instance, &s.Version, &s.Serving} {
		*text = printable.Line(*text, longestName)
	}
	s.Platform = remote.CleanPlatform(s.Platform)
	s.Labels, s.Tools, s.Pass = cleanWords(s.Labels), cleanWords(s.Tools), cleanWords(s.Pass)
	return s
}

// Share returns the part of the machine's time that a ticket has had, of all that the
// tickets of the queue have used; 0 if none has used any.
func (m *Member) Share(ticket string) float64 {
	var sum time.Duration
	for _, e := range m.Queue {
		sum += max(m.Used[e.ID], 0)
	}
	if sum == 0 {
		return 0
	}
	return float64(max(m.Used[ticket], 0)) / float64(sum)
}

// clean returns the ticket with texts that are fit to print.
func (e Ticket) clean() Ticket {
	for _, text := range []*string{&e.ID, &e.Run, &e.Study, &e.Who, (*string)(&e.Priority)} {
		*text = printable.Line(*text, longestName)
	}
	return e
}

func cleanWords(words []string) (out []string) {
	for _, w := range words[:min(len(words), mostWords)] {
		out = append(out, printable.Line(w, longestName))
	}
	return out
}

// Unfit says why a machine cannot serve a pool, one text for each fact that fails; none if
// it can.
func (m *Member) Unfit(p assay.Pool) (facts []string) {
	say := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	for _, l := range p.Labels {
		if !slices.Contains(m.Labels, l) {
			say("it has no label %s", l)
		}
	}
	if p.GOOS != "" && p.GOOS != m.Platform.GOOS {
		say("its system is %s, not %s", m.Platform.GOOS, p.GOOS)
	}
	if p.GOARCH != "" && p.GOARCH != m.Platform.GOARCH {
		say("its processor is %s, not %s", m.Platform.GOARCH, p.GOARCH)
	}
	if m.Platform.CPUs < p.CPUs {
		say("trials may use %s, not %d", printable.Count(m.Platform.CPUs, "CPU"), p.CPUs)
	}
	for _, tool := range p.Tools {
		if !slices.Contains(m.Tools, tool) {
			say("its agent names no tool %s", tool)
		}
	}
	if m.Draining {
		say("it is draining")
	}
	if m.Gone {
		say("its agent was last seen %s", m.Seen.Local().Format("2006-01-02 15:04:05"))
	}
	return facts
}

// drainTime is how long an agent has to say that it drains, or no longer does.
const drainTime = 2 * hub.Beat

// Drain has a machine serve nobody after the block that runs, or with resume serve again.
// It returns when the machine's agent has said that it does.
func Drain(ctx context.Context, c *hub.Conn, machine string, resume bool) error {
	what := "drain"
	if resume {
		what = "resume"
	}
	ctx, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	kv, err := c.JS.KeyValue(ctx, hub.BucketMachines)
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, machine, err)
	}
	w, err := kv.Watch(ctx, machine, jetstream.IgnoreDeletes())
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, machine, err)
	}
	defer w.Stop()
	message, err := json.Marshal(Control{Drain: what})
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, machine, err)
	}
	again := time.NewTicker(time.Second) // such a message may be lost
	defer again.Stop()
	for {
		if err := c.Publish(hub.SubjectControl(machine), message); err != nil {
			return fmt.Errorf("%s %s: %w", what, machine, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s %s: its agent does not answer", what, machine)
		case <-again.C:
		case e := <-w.Updates():
			var s State
			if e != nil && c.Join.Open(machine, hub.AboutState, e.Value(), &s) == nil && s.Draining != resume {
				return nil
			}
		}
	}
}

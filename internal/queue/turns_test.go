package queue

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/hub"
)

// A day is a machine with submitters in made-up time: each asks for its next block a
// while after its last one has ended.
type day struct {
	*turns
	clock time.Time
	subs  map[string]*submitter
}

type submitter struct {
	block, think time.Duration
	next         time.Time // when its next job comes
	left         int       // jobs that it still asks for
	log          []time.Time
	busy         time.Duration
}

func newDay() *day {
	d := &day{clock: time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC), subs: map[string]*submitter{}}
	d.turns = newTurns(func() time.Time { return d.clock })
	return d
}

func (d *day) submit(t Ticket, block, think time.Duration, jobs int) *submitter {
	t.Since = d.clock
	d.renew(t)
	s := &submitter{block: block, think: think, next: d.clock, left: jobs}
	d.subs[t.ID] = s
	return s
}

// turn does one job, as an Agent does, and returns whose it was; "" if there is none any
// more.
func (d *day) turn() string {
	for range 1_000_000 {
		wait := time.Duration(0)
		for _, id := range d.order() {
			s := d.subs[id]
			if s.left > 0 && !d.clock.Before(s.next) {
				d.begin(id)
				d.clock = d.clock.Add(s.block)
				d.done(id, s.block)
				s.left, s.busy, s.next, s.log = s.left-1, s.busy+s.block, d.clock.Add(s.think), append(s.log, d.clock)
				return id
			}
			if wait = d.none(id); wait > 0 {
				break
			}
		}
		next := d.clock.Add(time.Hour)
		for _, s := range d.subs {
			if s.left > 0 && s.next.Before(next) && s.next.After(d.clock) {
				next = s.next
			}
		}
		if wait > 0 && d.clock.Add(wait).Before(next) {
			next = d.clock.Add(wait)
		}
		if next.Equal(d.clock.Add(time.Hour)) {
			return ""
		}
		d.clock = next
	}
	return "no end"
}

// Submitters of blocks of 10 and of 1 s get half of the machine each, also where they take
// a while between their blocks, and wherever one begins.
func TestFair(t *testing.T) {
	for _, think := range []time.Duration{0, 5 * time.Millisecond, 300 * time.Millisecond} {
		d := newDay()
		long := d.submit(Ticket{ID: "long"}, 10*time.Second, think, math.MaxInt)
		for range 5 { // it was alone for a while
			d.turn()
		}
		begun := long.busy
		short := d.submit(Ticket{ID: "short"}, time.Second, think, math.MaxInt)
		for range 400 {
			d.turn()
		}
		share := short.busy.Seconds() / (short.busy + long.busy - begun).Seconds()
		if share < 0.45 || share > 0.55 {
			t.Errorf("thinking for %v: the short blocks had %.3f of the time, want 0.5", think, share)
		}
	}
}

// Who has had nothing to do has saved up nothing.
func TestFairAfterIdle(t *testing.T) {
	d := newDay()
	d.submit(Ticket{ID: "a"}, time.Second, 0, math.MaxInt)
	b := d.submit(Ticket{ID: "b"}, time.Second, 0, 3)
	for range 100 {
		d.turn()
	}
	b.left, b.next = 50, d.clock
	got := map[string]int{}
	for range 20 {
		got[d.turn()]++
	}
	if got["b"] < 9 || got["b"] > 11 {
		t.Errorf("got %v, want half of the turns each", got)
	}
}

func TestPriorities(t *testing.T) {
	d := newDay()
	d.submit(Ticket{ID: "low", Priority: PriorityLow}, time.Second, 0, math.MaxInt)
	d.submit(Ticket{ID: "normal", Priority: PriorityNormal}, time.Second, 0, math.MaxInt)
	got := map[string]int{}
	for range 100 {
		got[d.turn()]++
	}
	if want := map[string]int{"normal": 90, "low": 10}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	d.submit(Ticket{ID: "high", Priority: PriorityHigh}, time.Second, 0, 18)
	clear(got)
	for range 20 {
		got[d.turn()]++
	}
	if want := map[string]int{"high": 18, "low": 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v: high before normal, low every tenth turn", got, want)
	}
}

// A survey and an exclusive study hold the machine until they say otherwise.
func TestHold(t *testing.T) {
	d := newDay()
	d.submit(Ticket{ID: "a", Hold: true}, time.Second, 500*time.Millisecond, math.MaxInt)
	if got := d.turn(); got != "a" {
		t.Fatalf("got %q, want a", got)
	}
	d.submit(Ticket{ID: "b", Priority: PriorityHigh}, time.Second, 0, math.MaxInt)
	for range 5 {
		if got := d.turn(); got != "a" {
			t.Fatalf("got %q while a holds the machine", got)
		}
	}
	d.renew(Ticket{ID: "a", Since: d.clock})
	if got := d.turn(); got != "b" {
		t.Errorf("got %q, want b", got)
	}
	d.renew(Ticket{ID: "b", Hold: true, Priority: PriorityHigh, Since: d.clock})
	if got := d.turn(); got != "b" || d.holder != "b" {
		t.Errorf("got %q, held by %q, want b", got, d.holder)
	}
	d.end("b")
	if got := d.turn(); got != "a" {
		t.Errorf("got %q after the end of b, want a", got)
	}
}

// The queue of who holds the machine is waited for longer than patience, and not for ever:
// a ticket that is not renewed ends.
func TestExpire(t *testing.T) {
	d := newDay()
	d.submit(Ticket{ID: "a", Hold: true}, time.Second, 0, 1)
	d.submit(Ticket{ID: "b"}, time.Second, 0, math.MaxInt)
	if got := d.turn(); got != "a" {
		t.Fatalf("got %q, want a", got)
	}
	d.clock = d.clock.Add(hub.Gone / 2)
	d.renew(d.waiting["b"].Ticket)
	if got := d.order(); !reflect.DeepEqual(got, []string{"a"}) {
		t.Errorf("got %q, want a, which holds the machine", got)
	}
	d.clock = d.clock.Add(hub.Gone/2 + 2*time.Second)
	if got := d.expire(); !reflect.DeepEqual(got, []string{"a"}) {
		t.Errorf("got %q, want a", got)
	}
	if got := d.turn(); got != "b" {
		t.Errorf("got %q, want b", got)
	}
}

func TestUnclaimed(t *testing.T) {
	d := newDay()
	d.renew(Ticket{ID: "own", Since: d.clock})
	if got := d.unclaimed(); got != "" {
		t.Errorf("got %q, want none", got)
	}
	d.renew(Ticket{ID: "young", Pool: true, Since: d.clock.Add(time.Second)})
	d.renew(Ticket{ID: "old", Pool: true, Since: d.clock})
	if got := d.unclaimed(); got != "old" {
		t.Errorf("got %q, want old", got)
	}
	d.renew(Ticket{ID: "young", Pool: true, Priority: PriorityHigh, Since: d.clock.Add(time.Second)})
	if got := d.unclaimed(); got != "young" {
		t.Errorf("got %q, want young, which has a high priority", got)
	}
}

package child

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A Turnstile runs several programs side by side, one at a time: each runs for a few
// milliseconds while the others are stopped. Changes of a CPU's speed then affect all of
// them alike. A program's Exit.Active is the time of its turns, each from its
// continuation to its confirmed stop.
//
// A program takes part with Command.Seat. It is stopped as soon as it has been started.
// The first turn is given when every seat is taken or has been left. Systems other than
// Linux refuse a seat with ErrNoTurns.
type Turnstile struct {
	// Length is the length of a turn. For a seat with a share it is longer or shorter by
	// that factor, so that programs of different length end together.
	Length time.Duration
	// Order is the order of the seats in a round of turns, counted from 0.
	Order func(round int) []int
	seats []*Seat
}

// ErrNoTurns means that this system cannot stop and continue programs for turns.
var ErrNoTurns = errors.New("turns are for Linux only")

// A Seat is the place of one program at a Turnstile.
type Seat struct {
	share   float64
	once    sync.Once
	settled chan struct{} // closed when a program has taken the seat, or none will
	link    turnLink      // noLink if there is none
}

// NewTurnstile makes a turnstile with a seat for each share of the length of turns.
func NewTurnstile(length time.Duration, order func(round int) []int, shares ...float64) *Turnstile {
	t := &Turnstile{Length: length, Order: order}
	for _, share := range shares {
		t.seats = append(t.seats, &Seat{share: share, settled: make(chan struct{}), link: noLink})
	}
	return t
}

// Seat returns the i-th seat.
func (t *Turnstile) Seat(i int) *Seat { return t.seats[i] }

// Leave marks the seat as never taken, unless it has been. It may be called more than
// once, and must be called if the program may not have been started.
func (s *Seat) Leave() { s.once.Do(func() { close(s.settled) }) }

// Run gives turns until all programs or ctx have ended.
func (t *Turnstile) Run(ctx context.Context) {
	for _, s := range t.seats {
		select {
		case <-s.settled:
			defer s.link.close()
		case <-ctx.Done():
			return
		}
	}
	for _, s := range t.seats {
		s.link.stands() // since it was stopped after its start
	}
	for round, left := 0, len(t.seats); left > 0 && ctx.Err() == nil; round++ {
		left = 0
		for _, i := range t.Order(round) {
			s := t.seats[i]
			if s.link.turn(time.Duration(s.share * float64(t.Length))) {
				left++
			}
		}
	}
}

package queue

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-1318a441/assay/internal/hub"
)

// turns decides whose job a machine does next. It is not safe for parallel use.
//
// The highest priority goes first, then the ticket that has used the machine least, then
// the oldest. A newcomer, or one that has had nothing to do for a while, begins with the
// least use of those that are there: nobody saves up time. Of ten jobs one is for low
// priority, if it has any.
type turns struct {
	now     func() time.Time
	waiting map[string]*waiter
	// holder is the ticket that nobody else is served beside; "" for none.
	holder string
	served int
}

// A waiter is a ticket in the queue.
type waiter struct {
	Ticket
	// renewed is when its submitter was heard.
	renewed time.Time
	// used is how long it has used the machine, credit the same for the comparison with
	// others.
	used, credit time.Duration
	// served is when its last job ended; zero before that, or if it has had nothing to do.
	served time.Time
	// withdrawn is the job that its submitter has taken back.
	withdrawn string
}

// patience is how long a machine waits for the next job of a ticket whose turn it is. A
// submitter takes some milliseconds between two blocks; without it, short blocks would
// lose their turn to long ones each time.
const patience = time.Second

// oneInTen is the number of turns of which the last is for low priority.
const oneInTen = 10

func newTurns(now func() time.Time) *turns {
	return &turns{now: now, waiting: map[string]*waiter{}}
}

// renew takes what a submitter says of its ticket.
func (t *turns) renew(ticket Ticket) {
	w := t.waiting[ticket.ID]
	if w == nil {
		w = &waiter{}
		t.waiting[ticket.ID] = w
		w.credit = t.least(ticket.ID)
	}
	w.Ticket, w.renewed = ticket, t.now()
	if t.holder == ticket.ID && !ticket.Hold {
		t.holder = ""
	}
}

// end removes a ticket.
func (t *turns) end(id string) {
	delete(t.waiting, id)
	if t.holder == id {
		t.holder = ""
	}
}

// expire removes the tickets whose submitters have not been heard for hub.Gone, and
// returns them.
func (t *turns) expire() (gone []string) {
	for id, w := range t.waiting {
		if t.now().Sub(w.renewed) > hub.Gone {
			gone = append(gone, id)
		}
	}
	for _, id := range gone {
		t.end(id)
	}
	slices.Sort(gone)
	return gone
}

// least returns the smallest credit of the tickets other than one that have something to
// do; 0 if there is none.
func (t *turns) least(but string) (least time.Duration) {
	found := false
	for id, w := range t.waiting {
		if id != but && !w.idle() && (!found || w.credit < least) {
			least, found = w.credit, true
		}
	}
	return least
}

// idle reports whether a ticket has had nothing to do when it was asked.
func (w *waiter) idle() bool { return w.served.IsZero() }

// order returns the tickets in the order in which they are to be asked for a job.
func (t *turns) order() (ids []string) {
	if t.holder != "" {
		return []string{t.holder}
	}
	for id := range t.waiting {
		ids = append(ids, id)
	}
	low := t.served%oneInTen == oneInTen-1
	slices.SortFunc(ids, func(a, b string) int {
		x, y := t.waiting[a], t.waiting[b]
		return cmp.Or(cmp.Compare(x.rank(low), y.rank(low)), cmp.Compare(x.credit, y.credit), x.Since.Compare(y.Since), cmp.Compare(a, b))
	})
	return ids
}

// rank is the place of a ticket's priority. low is set in a turn for low priority.
func (w *waiter) rank(low bool) int {
	switch {
	case w.Priority == PriorityLow && low:
		return 0
	case w.Priority == PriorityHigh:
		return 1
	case w.Priority == PriorityLow:
		return 3
	}
	return 2
}

// none notes that a ticket has no job. It returns how long to wait for one before the next
// ticket is asked; 0 is not at all.
func (t *turns) none(id string) time.Duration {
	w := t.waiting[id]
	switch {
	case w == nil:
		return 0
	case t.holder == id:
		return patience
	}
	if left := patience - t.now().Sub(w.served); !w.idle() && left > 0 {
		return left
	}
	w.served = time.Time{}
	return 0
}

// begin notes that a job of a ticket begins.
func (t *turns) begin(id string) {
	w := t.waiting[id]
	if w == nil {
		return
	}
	t.served++
	if w.idle() {
		w.credit = max(w.credit, t.least(id))
	}
	w.served = t.now()
	if w.Hold {
		t.holder = id
	}
}

// done notes that a job of a ticket has ended, and how long it took.
func (t *turns) done(id string, took time.Duration) {
	if w := t.waiting[id]; w != nil {
		w.used, w.credit, w.served = w.used+took, w.credit+took, t.now()
	}
}

// used returns how long each ticket has used the machine.
func (t *turns) used() map[string]time.Duration {
	out := map[string]time.Duration{}
	for id, w := range t.waiting {
		if w.used > 0 {
			out[id] = w.used
		}
	}
	return out
}

// unclaimed returns a ticket of a pool that no machine has claimed yet, the oldest of the
// highest priority; "" if there is none.
func (t *turns) unclaimed() string {
	for _, id := range t.order() {
		if t.waiting[id] != nil && t.waiting[id].Pool {
			return id
		}
	}
	return ""
}

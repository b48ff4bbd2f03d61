package httpload

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/fault"
)

// TurnLength is the length of a turn of a load whose server takes turns with others. In
// turns of 20 ms a server that had just waited found its caches cold while others
// collected: p50 was 2.97 ms and p99 11.6, for 2.46 and 5.3 of a whole load.
const TurnLength = time.Second

// Turns are the two ends of a conversation: a load in turns waits for a byte before each
// of its turns, and prints load.WarmLine or load.TurnLine when it has stopped.
type Turns struct {
	Length time.Duration
	In     io.Reader
	Out    io.Writer
}

// RunInTurns does a load as Run does, but in turns. Its schedule advances only in its
// turns: the rate is that within turns, and connections stay open between them. A turn
// ends when all its requests have been answered, so that none is in flight during another
// server's turn, and none counts in the turn of another.
//
// If a server has not answered half a turn after its end, it stalls, and the turn goes on
// with the requests that were due meanwhile: to leave these out would hide the stall. A
// server that does not keep up at all has its whole load in one turn.
//
// The end of In ends the load.
func RunInTurns(ctx context.Context, h assay.HTTPLoad, t Turns) (load.Result, []Failure, error) {
	if t.Length <= 0 {
		return load.Result{}, nil, fmt.Errorf("load: turns of %v are none", t.Length)
	}
	return run(ctx, h, &t)
}

// A turnPacer is vegeta's clock for a load in turns. Its methods except answer are for
// the one goroutine that sends.
type turnPacer struct {
	pacer
	turns Turns
	end   time.Time // of the turn, in active time
	asked chan bool // for the next turn; closed at the end of Turns.In
	err   error

	answers atomic.Uint64
	poke    chan struct{} // has an element after an answer
}

func (p *turnPacer) listen() {
	defer fault.Exit()
	defer close(p.asked)
	for b := make([]byte, 1); ; {
		if n, err := p.turns.In.Read(b); err != nil {
			return
		} else if n == 0 {
			continue
		}
		select {
		case p.asked <- true:
		case <-p.ctx.Done():
			return
		}
	}
}

// answer notes that a request has been answered, or has failed.
func (p *turnPacer) answer() {
	p.answers.Add(1)
	select {
	case p.poke <- struct{}{}:
	default:
	}
}

// Pace implements vegeta.Pacer: it returns when request k is due, in a turn.
func (p *turnPacer) Pace(_ time.Duration, k uint64) (wait time.Duration, stop bool) {
	for !p.isOver(k) && p.ctx.Err() == nil {
		if due := p.due(k); due.Before(p.end) {
			sleepUntil(p.ctx, p.clock(due))
			return 0, p.ctx.Err() != nil
		}
		if !p.drained(k) {
			p.end = p.end.Add(p.turns.Length)
			continue
		}
		if p.err = p.next(k); p.err != nil {
			return 0, true
		}
	}
	return 0, true
}

// drained waits for the end of the turn, and for the answers to all k requests that were
// sent; it is false if they do not come within half a turn.
func (p *turnPacer) drained(k uint64) bool {
	end := p.clock(p.end)
	sleepUntil(p.ctx, end)
	late := time.NewTimer(time.Until(end.Add(p.turns.Length / 2)))
	defer late.Stop()
	for p.answers.Load() < k {
		select {
		case <-p.poke:
		case <-late.C:
			return p.answers.Load() >= k
		case <-p.ctx.Done():
			return true
		}
	}
	return true
}

// next ends a turn before request k and waits for the next one.
func (p *turnPacer) next(k uint64) error {
	line := load.TurnLine
	if k <= uint64(p.warmup) {
		line = load.WarmLine
	}
	if _, err := fmt.Fprintln(p.turns.Out, line); err != nil {
		return err
	}
	select {
	case _, ok := <-p.asked:
		if !ok {
			return io.ErrUnexpectedEOF
		}
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
	p.stood.Store(int64(time.Since(p.end)))
	p.end = p.end.Add(p.turns.Length)
	return nil
}

package httpload

import (
	"context"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
)

// A schedule says when each request is due: evenly, the first at once, those of
// the warm-up before those that are measured.
type schedule struct {
	began    time.Time
	rate     float64
	warmup   int // requests that are not measured
	measured int
	giveUp   time.Time // requests that were not sent by then have failed
}

func newSchedule(h assay.HTTPLoad, began time.Time) schedule {
	return schedule{
		began: began, rate: h.Rate,
		warmup:   int(math.Round(h.Rate * h.Warmup.Seconds())),
		measured: int(math.Round(h.Rate * h.Duration.Seconds())),
		giveUp:   began.Add(h.Warmup + h.Duration + h.Timeout),
	}
}

// due is when request k, from 0, is to be sent.
func (s schedule) due(k uint64) time.Time {
	return s.began.Add(time.Duration(float64(k) / s.rate * float64(time.Second)))
}

// isMeasured reports whether request k counts.
func (s schedule) isMeasured(k uint64) bool { return k >= uint64(s.warmup) }

// A pacer is vegeta's clock. Vegeta's own paces count from a beginning that it
// keeps to itself, know whole rates only, and wait with time.Sleep, which is
// half a millisecond late (sleep_linux.go); so this one does the waiting.
type pacer struct {
	ctx context.Context
	schedule
}

// Pace implements vegeta.Pacer: it returns when request k is due.
func (p pacer) Pace(_ time.Duration, k uint64) (wait time.Duration, stop bool) {
	if k >= uint64(p.warmup+p.measured) || time.Now().After(p.giveUp) {
		return 0, true
	}
	sleepUntil(p.ctx, p.due(k))
	return 0, p.ctx.Err() != nil
}

// Rate implements vegeta.Pacer.
func (p pacer) Rate(time.Duration) float64 { return p.rate }

// longestNap bounds a wait, so that a load of one request a minute can be
// interrupted.
const longestNap = 100 * time.Millisecond

// sleepUntil returns at the given time, or when ctx is done.
func sleepUntil(ctx context.Context, due time.Time) {
	for ctx.Err() == nil {
		wait := time.Until(due)
		if wait <= 0 {
			return
		}
		nap(min(wait, longestNap))
	}
}

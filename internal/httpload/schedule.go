package httpload

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
)

// A schedule says when each request is due: evenly, the first at once, or as a Poisson
// process; those of the warm-up before the measured ones.
type schedule struct {
	began    time.Time
	rate     float64
	offsets  []time.Duration // from began, of a Poisson process
	warmup   int             // requests that are not measured
	measured int
	giveUp   time.Time // requests that were not sent by then have failed
}

func newSchedule(h assay.HTTPLoad, began time.Time) schedule {
	s := schedule{
		began: began, rate: h.Rate,
		warmup:   int(math.Round(h.Rate * h.Warmup.Seconds())),
		measured: int(math.Round(h.Rate * h.Duration.Seconds())),
		giveUp:   began.Add(h.Warmup + h.Duration + h.Timeout),
	}
	if h.Arrivals == assay.ArrivalsPoisson {
		r := rand.New(rand.NewPCG(h.Seed, 0))
		s.offsets = slices.Concat(poisson(r, s.warmup, s.rate, 0), poisson(r, s.measured, s.rate, float64(s.warmup)/s.rate))
	}
	return s
}

// poisson returns when n arrivals of a Poisson process come in the time that they take at
// a rate, in seconds after from. Given their number they are n uniform times in order. So
// the gaps are exponential, and the load has the rate that was asked for: its requests and
// its time do not vary from trial to trial. The times are sums of n+1 exponential gaps over
// that of all (Devroye, Non-Uniform Random Variate Generation, 1986, section V.3.1).
func poisson(r *rand.Rand, n int, rate, from float64) []time.Duration {
	sums, sum := make([]float64, n), 0.0
	for i := range sums {
		sum += r.ExpFloat64()
		sums[i] = sum
	}
	sum += r.ExpFloat64()
	out := make([]time.Duration, n)
	for i, x := range sums {
		out[i] = time.Duration((from + x/sum*float64(n)/rate) * float64(time.Second))
	}
	return out
}

// due returns when request k, from 0, is to be sent.
func (s schedule) due(k uint64) time.Time {
	if s.offsets != nil {
		return s.began.Add(s.offsets[k])
	}
	return s.began.Add(time.Duration(float64(k) / s.rate * float64(time.Second)))
}

// isOver reports whether no request is left, or it is too late for the next one, k.
func (s schedule) isOver(k uint64) bool {
	return k >= uint64(s.warmup+s.measured) || time.Now().After(s.giveUp)
}

// A pacer is vegeta's clock. Vegeta's own paces count from a beginning that they do not
// tell, know whole rates only, and wait with time.Sleep, which is half a millisecond late
// (sleep_linux.go).
type pacer struct {
	ctx context.Context
	schedule
}

// Pace implements vegeta.Pacer: it returns when request k is due.
func (p pacer) Pace(_ time.Duration, k uint64) (wait time.Duration, stop bool) {
	if p.isOver(k) {
		return 0, true
	}
	sleepUntil(p.ctx, p.due(k))
	return 0, p.ctx.Err() != nil
}

// Rate implements vegeta.Pacer.
func (p pacer) Rate(time.Duration) float64 { return p.rate }

// longestNap limits a wait, so that a load of one request a minute can be interrupted.
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

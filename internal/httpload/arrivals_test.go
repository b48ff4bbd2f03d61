package httpload

import (
	"math"
	"slices"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/seed-1318a441/assay"
)

// gapsOf are the gaps between the arrivals of a load, in units of their intended mean.
func gapsOf(h assay.HTTPLoad) (gaps []float64) {
	s := newSchedule(h, time.Unix(0, 0))
	for k := range uint64(s.warmup+s.measured) - 1 {
		gaps = append(gaps, s.due(k+1).Sub(s.due(k)).Seconds()*s.rate)
	}
	return gaps
}

// Poisson arrivals have exponential gaps: mean 1, variance 1, no correlation, and the
// distribution by Kolmogorov and Smirnov at 1 % (1.63/sqrt(n)). Even ones have equal gaps.
func TestArrivals(t *testing.T) {
	h := assay.HTTPLoad{Rate: 350, Duration: time.Minute, Warmup: 10 * time.Second, Arrivals: assay.ArrivalsPoisson, Seed: 7}
	gaps := gapsOf(h)
	var mean, variance, pairs float64
	for i, g := range gaps {
		mean += g / float64(len(gaps))
		variance += (g - 1) * (g - 1) / float64(len(gaps))
		if i > 0 {
			pairs += (g - 1) * (gaps[i-1] - 1) / float64(len(gaps))
		}
	}
	within(t, "mean", mean, 0.999, 1.001)
	within(t, "variance", variance, 0.95, 1.05)
	within(t, "covariance of neighbours", pairs, -0.03, 0.03)
	slices.Sort(gaps)
	worst := 0.0
	for i, g := range gaps {
		p, n := 1-math.Exp(-g), float64(len(gaps))
		worst = max(worst, math.Abs(p-float64(i)/n), math.Abs(p-float64(i+1)/n))
	}
	within(t, "distance from exponential gaps", worst, 0, 1.63/math.Sqrt(float64(len(gaps))))

	h.Arrivals = assay.ArrivalsEven
	for _, g := range gapsOf(h) {
		within(t, "even gap", g, 0.999999, 1.000001)
	}
}

// The number of requests and their time are what was asked for, with any seed; the same seed
// draws the same arrivals.
func TestPoissonSchedule(t *testing.T) {
	h := assay.HTTPLoad{Rate: 100, Duration: 2 * time.Second, Warmup: time.Second, Arrivals: assay.ArrivalsPoisson}
	began := time.Unix(0, 0)
	seen := map[time.Duration]bool{}
	for h.Seed = range uint64(20) {
		s, again := newSchedule(h, began), newSchedule(h, began)
		if s.warmup != 100 || s.measured != 200 || len(s.offsets) != 300 || !slices.IsSorted(s.offsets) || !slices.Equal(s.offsets, again.offsets) {
			t.Fatalf("seed %d: %d and %d requests at %v", h.Seed, s.warmup, s.measured, s.offsets)
		}
		if s.offsets[99] >= time.Second || s.offsets[100] < time.Second || s.offsets[299] >= 3*time.Second {
			t.Errorf("seed %d: warm-up until %v, load from %v to %v", h.Seed, s.offsets[99], s.offsets[100], s.offsets[299])
		}
		seen[s.offsets[0]] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d schedules of 20 seeds", len(seen))
	}
}

// queue serves the requests of a load one after the other, in 1.5 ms each, by the book.
func queue(h assay.HTTPLoad) (wait float64, rate float64) {
	const serve = 1500 * time.Microsecond
	s := newSchedule(h, time.Now())
	tl := tally{schedule: s, timeout: time.Hour, latency: histogram{}}
	free := s.began
	for k := range uint64(s.warmup + s.measured) {
		sent := s.due(k)
		start := sent
		if start.Before(free) {
			start = free
		}
		free = start.Add(serve)
		tl.add(&vegeta.Result{Seq: k, Timestamp: sent, Latency: free.Sub(sent)})
	}
	r := tl.result(h)
	for i, v := range r.Latency.Values {
		wait += (v - serve.Seconds()) * float64(r.Latency.Counts[i]) / float64(r.Latency.Total())
	}
	return wait, r.Rate
}

// A lock of 1.5 ms at 350 requests a second is busy for 0.525 of the time. Evenly spaced
// requests never find it taken, and those of a Poisson process wait as in the queue M/D/1:
// u/(1-u)/2 times 1.5 ms, 0.83 ms. The load attains its rate with both.
func TestLockQueues(t *testing.T) {
	h := assay.HTTPLoad{Rate: 350, Duration: 10 * time.Minute, Warmup: time.Second, Seed: 3}
	wait, rate := queue(h)
	within(t, "wait, even", wait, -1e-6, 1e-6)
	within(t, "rate, even", rate, 350, 350)
	h.Arrivals = assay.ArrivalsPoisson
	wait, rate = queue(h)
	within(t, "wait, Poisson", wait, 0.78e-3, 0.88e-3)
	within(t, "rate, Poisson", rate, 349.99, 350)
}

// The tests of a stall, with Poisson arrivals: latency counts from when a request was due.
func TestPoissonStallIsSeen(t *testing.T) {
	r, _, err := Run(t.Context(), assay.HTTPLoad{URL: serveStalling(t), Rate: 200, Duration: 1500 * time.Millisecond, Arrivals: assay.ArrivalsPoisson, Seed: 1, Connections: 2})
	if err != nil || r.Requests != 300 || r.Latency.Total() != 300 || r.Arrivals != assay.ArrivalsPoisson || r.Seed != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	// About 60 are due in the stall, and 30 in its first half.
	within(t, "requests that waited 20 ms", float64(above(r.Latency, 0.02)), 35, 300)
	within(t, "requests that waited 150 ms", float64(above(r.Latency, 0.15)), 15, 300)
}

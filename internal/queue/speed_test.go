package queue

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkOverhead is what the hub adds to a block: the time of one that does nothing, on
// loopback, with every write synced.
func BenchmarkOverhead(b *testing.B) {
	y := newYard(b, "m4")
	y.agent(&desk{name: "m4"}, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	s.mustRun(1, 1)
	var took []time.Duration
	i := 1
	for b.Loop() {
		i++
		began := time.Now()
		if _, err := s.run(b.Context(), i, 1); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	report(b, took)
}

// report reports quantiles in milliseconds.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	for name, q := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99, "max-ms": 1} {
		b.ReportMetric(float64(took[int(q*float64(len(took)-1))].Microseconds())/1e3, name)
	}
}

// BenchmarkManyAgents is a hub with a hundred agents and as many submitters, with every
// write synced, in one process with all of them: how many blocks it carries when all ask
// at once, and how long blocks take that come at a rate of 300 per second.
func BenchmarkManyAgents(b *testing.B) {
	const machines, rate = 100, 300
	var names []string
	for i := range machines {
		names = append(names, fmt.Sprintf("m%d", i))
	}
	y := newYard(b, names...)
	var subs []*submission
	for _, name := range names {
		y.agent(&desk{name: name}, filepath.Join(b.TempDir(), name))
		s := y.submit(name, nil)
		s.plan("run-" + name)
		s.mustRun(1, 1)
		subs = append(subs, s)
	}
	load := func(name string, pause time.Duration) {
		b.Run(name, func(b *testing.B) {
			var mu sync.Mutex
			var took []time.Duration
			var work sync.WaitGroup
			began := time.Now()
			for i, s := range subs {
				work.Go(func() {
					due := began.Add(pause * time.Duration(i) / machines)
					for range b.N {
						time.Sleep(time.Until(due))
						if pause == 0 {
							due = time.Now()
						}
						s.blocks++
						if _, err := s.run(context.Background(), s.blocks+1, 1); err != nil {
							b.Error(err)
						}
						mu.Lock()
						took = append(took, time.Since(due))
						mu.Unlock()
						due = due.Add(pause)
					}
				})
			}
			work.Wait()
			b.ReportMetric(float64(len(took))/time.Since(began).Seconds(), "blocks/s")
			report(b, took)
		})
	}
	load("at-once", 0)
	load("paced", machines*time.Second/rate)
}

// BenchmarkFrozen is how long a job waits that was leased by an agent that stands still,
// from its last sign of life until another process of the agent has begun it.
func BenchmarkFrozen(b *testing.B) {
	y := newYard(b, "m4")
	began := make(chan time.Time, 1)
	d := &desk{name: "m4", block: func(context.Context, int, func(any) error) error { began <- time.Now(); return nil }}
	a := y.agent(d, "")
	s := y.submit("m4", nil)
	s.plan("run1")
	for i := 0; b.Loop(); i++ {
		a.drain(true)
		go s.run(context.Background(), i+1, 1)
		var leased bool
		for !leased { // as the agent that will stand still does
			leased = a.fetch(b.Context(), s.ticket.ID) != nil
		}
		last := time.Now()
		a.drain(false)
		b.ReportMetric((<-began).Sub(last).Seconds(), "s")
	}
}

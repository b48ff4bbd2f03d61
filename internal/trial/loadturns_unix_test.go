//go:build unix

package trial

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	assay "github.com/seed-1318a441/assay"
)

// turnsOf are services that take turns, two of them, whose loads fail where another runs.
func turnsOf(t *testing.T, runs int, modes ...string) LoadTurns {
	t.Helper()
	lock := "LOCK=" + filepath.Join(t.TempDir(), "lock")
	l := LoadTurns{Runs: runs, Order: func(round int) []int {
		if round%2 == 0 {
			return []int{1, 0}
		}
		return []int{0, 1}
	}}
	for _, mode := range modes {
		s := newService(t, mode, "/work")
		s.LoadEnv = append(s.LoadEnv, lock)
		if s.Service.Load = s.requests("/work", 20, ""); runs == 0 {
			s.Service.Load = []string{s.Service.Start[0], "role-turns", s.url("/work"), "5", "4"}
		}
		l.Services = append(l.Services, s)
	}
	return l
}

func (l LoadTurns) mustBeGone(t *testing.T) {
	t.Helper()
	for _, s := range l.Services {
		s.mustBeGone(t)
	}
}

// Servers that are alive at once are under load one at a time, and what each reads is
// that of all its turns.
func TestConcurrentLoadTurns(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ runs, requests, processes int }{
		"runs":        {3, 60, 4}, // a server, and three runs of the load
		"one process": {0, 20, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := turnsOf(t, test.runs, "good", "good")
			for i := range l.Services {
				l.Services[i].GCTrace = true
			}
			outs, err := l.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			l.mustBeGone(t)
			for i, o := range outs {
				if o.Status != assay.StatusOK {
					t.Fatalf("%s: %s\n%s%s", o.Status, o.Reason, o.Stderr, o.Server)
				}
				got := o.Observations("requests", 1)
				for _, metric := range []string{"latency.p50", "tx/s", "mean-RSS-bytes", "cpu-sec/ktx", "gc.cycles/min"} {
					if got[metric] <= 0 {
						t.Errorf("service %d: %s is %g", i, metric, got[metric])
					}
				}
				if n := o.Collected.Latency.Total(); n != test.requests || got["gc.alloc-B/s"] != 0 {
					t.Errorf("service %d: %d latencies, want %d; observed %v", i, n, test.requests, got)
				}
				if n := l.Services[i].pids(); n != test.processes {
					t.Errorf("service %d had %d processes, want %d", i, n, test.processes)
				}
				if strings.Contains(string(o.Stdout), "turn") {
					t.Errorf("kept of the output: %s", o.Stdout)
				}
			}
			// Both were alive at once, the one started first for the longest.
			a, b := outs[1], outs[0]
			if !a.Start.Before(b.Start) || !a.Start.Add(a.Wall).After(b.Start.Add(b.Wall)) {
				t.Errorf("one from %v for %v, the other from %v for %v", a.Start, a.Wall, b.Start, b.Wall)
			}
		})
	}
}

// One that goes wrong ends the others, and nothing is left of any.
func TestLoadTurnsFail(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		runs   int
		first  string // mode of the one that is started last
		change func(*Service)
		status assay.Status
		reason string
	}{
		"no start":        {0, "dies", nil, assay.StatusFailed, "the server died before it was ready"},
		"death in a run":  {3, "good", func(s *Service) { s.Service.Load = s.requests("/killed", 5, "") }, assay.StatusFailed, "the server died under load: signal: killed"},
		"death in a turn": {0, "good", func(s *Service) { s.Service.Load[2] = s.url("/killed") }, assay.StatusFailed, "the server died under load: signal: killed"},
		"load fails":      {3, "good", func(s *Service) { s.Service.Load = s.requests("/", 5, "fails") }, assay.StatusFailed, "load: server: "},
		"too long": {0, "good", func(s *Service) {
			s.Timeout, s.Service.Load = 2*time.Second, []string{s.Service.Start[0], "role-turns", s.url("/work"), "1000000", "2"}
		}, assay.StatusTimeout, "load: server: ended after 2s without finishing"},
		"no turns": {0, "good", func(s *Service) { s.Service.Load = s.requests("/", 5, "") }, assay.StatusFailed, "load: it ended before its first turn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := turnsOf(t, test.runs, test.first, "good")
			if test.change != nil {
				test.change(&l.Services[0])
			}
			outs, err := l.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			l.mustBeGone(t)
			if o := outs[0]; o.Status != test.status || !strings.HasPrefix(o.Reason, test.reason) {
				t.Errorf("%s: %s, want %s: %s", o.Status, o.Reason, test.status, test.reason)
			}
			if o := outs[1]; o.Status != assay.StatusSkipped || o.Reason != anotherEnded || len(o.Readings) > 0 {
				t.Errorf("the other: %s: %s, %v", o.Status, o.Reason, o.Readings)
			}
		})
	}
}

// The time limit of a load leaves out the time in which others have their turns.
func TestAllowance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := false
		a := &allowance{left: 10 * time.Second, over: func() { over = true }}
		for range 3 {
			end := a.begin()
			time.Sleep(3 * time.Second)
			end()
			time.Sleep(time.Minute)
		}
		if over {
			t.Fatal("9 s of 10 are too much")
		}
		end := a.begin()
		defer end()
		time.Sleep(1100 * time.Millisecond)
		if synctest.Wait(); !over {
			t.Error("10.1 s of 10 are not")
		}
	})
}

// Whoever interrupts the turns finds nothing of them left.
func TestConcurrentLoadTurnsCancel(t *testing.T) {
	t.Parallel()
	for name, runs := range map[string]int{"runs": 1 << 20, "one process": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := turnsOf(t, runs, "good", "good")
			for i, s := range l.Services {
				if runs == 0 {
					l.Services[i].Service.Load[4] = "1000000"
				}
				l.Services[i].Service.Warmup = [][]string{s.requests("/", 1, "")}
			}
			stop := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				// A server, its warm-up and its load, of each.
				for l.Services[0].pids() < 3 || l.Services[1].pids() < 3 {
					time.Sleep(10 * time.Millisecond)
				}
				cancel(stop)
			}()
			if outs, err := l.Run(ctx); !errors.Is(err, stop) || outs != nil {
				t.Errorf("got %v, %v", outs, err)
			}
			l.mustBeGone(t)
		})
	}
}

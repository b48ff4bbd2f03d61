package httpload

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
)

// A host gives a load its turns.
type host struct {
	lines *bufio.Scanner
	ask   io.WriteCloser
	ended chan struct{}
	// What the load came to, when it has ended.
	result load.Result
	err    error
}

// inTurns starts a load in turns.
func inTurns(t *testing.T, h assay.HTTPLoad) *host {
	in, ask := io.Pipe()
	out, say := io.Pipe()
	o := &host{lines: bufio.NewScanner(out), ask: ask, ended: make(chan struct{})}
	go func() {
		defer close(o.ended)
		o.result, _, o.err = RunInTurns(t.Context(), h, Turns{Length: 20 * time.Millisecond, In: in, Out: say})
		say.Close()
		in.Close()
	}()
	return o
}

// turn gives a turn, and returns what the load says after it: "" at its end.
func (o *host) turn() string {
	_, _ = io.WriteString(o.ask, "\n")
	return o.line()
}

func (o *host) line() string {
	if !o.lines.Scan() {
		<-o.ended
		return ""
	}
	return o.lines.Text()
}

// Two servers take turns: while one has its turn no request of the other is in flight,
// connections stay open from turn to turn, and every request is measured once.
func TestConcurrentTurns(t *testing.T) {
	const connections = 4
	var turn, strays [2]atomic.Int64 // 1 while it has its turn
	var opened atomic.Int64
	var hosts [2]*host
	for i := range hosts {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			for range 4 { // from its beginning to its end
				strays[i].Add(1 - turn[i].Load())
				time.Sleep(2 * time.Millisecond) // longer in all than from the last request to the end of a turn
			}
		}))
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				opened.Add(1)
			}
		}
		s.Start()
		t.Cleanup(s.Close)
		hosts[i] = inTurns(t, assay.HTTPLoad{URL: s.URL, Rate: 200, Duration: 300 * time.Millisecond, Warmup: 100 * time.Millisecond, Connections: connections})
		if got := hosts[i].line(); got != load.WarmLine {
			t.Fatalf("it begins with %q", got)
		}
	}
	seen := map[string]int{}
	for left := 2; left > 0; {
		left = 0
		for i, h := range hosts {
			turn[i].Store(1)
			said := h.turn()
			turn[i].Store(0)
			if seen[said]++; said != "" {
				left++
			}
		}
	}
	for i, h := range hosts {
		r := h.result
		if h.err != nil || r.Requests != 60 || r.Errors != 0 || r.Latency.Total() != 60 || r.Seconds != 0.3 || r.Intended != 200 {
			t.Errorf("server %d: %+v, %v", i, r, h.err)
		}
		if n := strays[i].Load(); n > 0 {
			t.Errorf("server %d was asked %d times outside its turns", i, n)
		}
	}
	if n := opened.Load(); n > 2*connections {
		t.Errorf("%d connections: they do not outlive a turn", n)
	}
	// 100 ms of warm-up are five turns, unless a stall of this machine makes them longer.
	if seen[load.WarmLine] == 0 || seen[load.WarmLine] > 10 || seen[load.TurnLine] == 0 || seen[load.TurnLine] > 30 {
		t.Errorf("turns: %v", seen)
	}
}

// The time between turns is nobody's: it is in no latency and not in the rate.
func TestStandsBetweenTurns(t *testing.T) {
	const pause = 300 * time.Millisecond
	h := inTurns(t, assay.HTTPLoad{URL: serve(t, func(http.ResponseWriter, *http.Request) {}), Rate: 100, Duration: 200 * time.Millisecond})
	begin, turns := time.Now(), 0
	for said := h.line(); said != ""; said = h.turn() {
		time.Sleep(pause)
		turns++
	}
	active := time.Since(begin) - time.Duration(turns)*pause
	if h.err != nil || h.result.Requests != 20 {
		t.Fatalf("%+v, %v", h.result, h.err)
	}
	longest := h.result.Latency.Values[len(h.result.Latency.Values)-1]
	if longest > active.Seconds()+0.01 {
		t.Errorf("the longest latency is %v s, all turns together took %v", longest, active)
	}
}

// A stall is not cut off by the end of the turn: the requests that were due in it count
// from when they were due (TestStallIsSeen).
func TestStallInTurn(t *testing.T) {
	url := serveStalling(t)
	h := inTurns(t, assay.HTTPLoad{URL: url, Rate: 200, Duration: 1500 * time.Millisecond})
	for said := h.line(); said != ""; said = h.turn() {
	}
	r := h.result
	if h.err != nil || r.Requests != 300 || r.Latency.Total() != 300 {
		t.Fatalf("%+v, %v", r, h.err)
	}
	within(t, "requests that waited 20 ms", float64(above(r.Latency, 0.02)), 50, 300)
	within(t, "requests that waited 150 ms", float64(above(r.Latency, 0.15)), 29, 300)
	within(t, "longest", r.Latency.Values[len(r.Latency.Values)-1], 0.29, math.Inf(1))
}

// A load that gets no more turns gives up.
func TestTurnsEnd(t *testing.T) {
	h := inTurns(t, assay.HTTPLoad{URL: serve(t, func(http.ResponseWriter, *http.Request) {}), Rate: 100, Duration: time.Hour})
	if h.line() != load.WarmLine || h.turn() != load.TurnLine {
		t.Fatal("no turn")
	}
	h.ask.Close()
	if said := h.line(); said != "" || !errors.Is(h.err, io.ErrUnexpectedEOF) {
		t.Errorf("it says %q and ends with %v", said, h.err)
	}
}

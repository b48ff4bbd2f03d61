package httpload

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/seed-1318a441/assay"
)

func serve(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL
}

// within reports whether a lies in [lo, hi].
func within(t *testing.T, what string, got, lo, hi float64) {
	t.Helper()
	if !(got >= lo && got <= hi) {
		t.Errorf("%s: got %v, want %v to %v", what, got, lo, hi)
	}
}

// above counts the latencies from a number of seconds on.
func above(h assay.Histogram, seconds float64) (n int) {
	for i, v := range h.Values {
		if v >= seconds {
			n += h.Counts[i]
		}
	}
	return n
}

// serveStalling serves a server that answers nobody for 300 ms from its hundredth request.
func serveStalling(t *testing.T) (url string) {
	var stall sync.RWMutex
	var n atomic.Int64
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 100 {
			stall.Lock()
			time.Sleep(300 * time.Millisecond)
			stall.Unlock()
		}
		stall.RLock()
		defer stall.RUnlock()
		io.WriteString(w, "ok")
	})
}

// TestStallIsSeen: a server that answers nobody for 300 ms is late for all
// requests that are due then. Counted from when they could be sent, over the two
// connections that there are, it would be late for two.
func TestStallIsSeen(t *testing.T) {
	for _, connections := range []int{0, 2} {
		url := serveStalling(t)
		r, failures, err := Run(t.Context(), assay.HTTPLoad{URL: url, Rate: 200, Duration: 1500 * time.Millisecond, Connections: connections})
		if err != nil || len(failures) > 0 || r.Requests != 300 || r.Errors != 0 || r.Latency.Total() != 300 {
			t.Fatalf("got %d requests, %d errors, %d latencies, %v, %v; want 300", r.Requests, r.Errors, r.Latency.Total(), failures, err)
		}
		// 60 requests are due in the stall and wait for what is left of it, however
		// busy this machine is; TestTally has the bounds from above.
		within(t, "requests that waited 20 ms", float64(above(r.Latency, 0.02)), 55, 300)
		within(t, "requests that waited 150 ms", float64(above(r.Latency, 0.15)), 29, 300)
		within(t, "longest", r.Latency.Values[len(r.Latency.Values)-1], 0.29, math.Inf(1))
		if r.Intended != 200 || r.Seconds != 1.5 {
			t.Errorf("got %v/s intended over %v s, want 200 and 1.5", r.Intended, r.Seconds)
		}
	}
}

// TestTally: the stall of TestStallIsSeen by the book, with answers that take
// 1 ms else, over as many connections as are wanted and over one.
func TestTally(t *testing.T) {
	began := time.Now()
	s := newSchedule(assay.HTTPLoad{Rate: 200, Duration: 1500 * time.Millisecond}, began)
	for _, oneByOne := range []bool{false, true} {
		tl := tally{schedule: s, timeout: time.Second, latency: histogram{}}
		free := began
		for k := range uint64(s.measured) {
			sent := s.due(k)
			if oneByOne && sent.Before(free) {
				sent = free
			}
			end := sent.Add(time.Millisecond)
			if stalled := s.due(100).Add(300 * time.Millisecond); k >= 100 && end.Before(stalled) {
				end = stalled
			}
			free = end
			tl.add(&vegeta.Result{Seq: k, Timestamp: sent, Latency: end.Sub(sent)})
		}
		r := tl.result(assay.HTTPLoad{Rate: 200})
		// Due 0, 5, 10 ... 280 ms after the stall began; one by one, those behind
		// it are late too, by 4 ms less each.
		late := 57.0
		if oneByOne {
			late += 14
		}
		within(t, "requests that waited 20 ms", float64(above(r.Latency, 0.02)), late-1, late+1)
		within(t, "longest", r.Latency.Values[len(r.Latency.Values)-1], 0.2998, 0.3002)
		if r.Rate != 200 || r.Requests != 300 {
			t.Errorf("got %d requests at %v/s, want 300 at 200", r.Requests, r.Rate)
		}
	}
}

// TestAttained: what a server bears, by the book: answers that take 10 ms, one
// after the other.
func TestAttained(t *testing.T) {
	for _, test := range []struct {
		asked, warmup, lo, hi float64
	}{
		{asked: 200, lo: 99, hi: 101},
		{asked: 101, lo: 99, hi: 101},
		{asked: 100, lo: 100, hi: 100},
		{asked: 99, lo: 99, hi: 99},
		{asked: 2, lo: 2, hi: 2},
		{asked: 200, warmup: 5, lo: 99, hi: 101},
		{asked: 90, warmup: 5, lo: 90, hi: 90},
	} {
		h := assay.HTTPLoad{Rate: test.asked, Duration: 10 * time.Second, Warmup: time.Duration(test.warmup * 1e9)}
		began := time.Now()
		s := newSchedule(h, began)
		tl := tally{schedule: s, timeout: time.Hour, latency: histogram{}}
		free := began
		for k := range uint64(s.warmup + s.measured) {
			sent := s.due(k)
			if sent.Before(free) {
				sent = free
			}
			free = sent.Add(10 * time.Millisecond)
			tl.add(&vegeta.Result{Seq: k, Timestamp: sent, Latency: 10 * time.Millisecond})
		}
		within(t, "rate attained", tl.result(h).Rate, test.lo, test.hi)
	}
}

// TestWarmup: what is sent first is not measured.
func TestWarmup(t *testing.T) {
	var n atomic.Int64
	url := serve(t, func(http.ResponseWriter, *http.Request) { n.Add(1) })
	r, _, err := Run(t.Context(), assay.HTTPLoad{URL: url, Rate: 200, Duration: 500 * time.Millisecond, Warmup: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if n.Load() != 200 || r.Requests != 100 || r.Latency.Total() != 100 {
		t.Errorf("got %d requests at the server, %d measured, want 200 and 100", n.Load(), r.Requests)
	}
}

// TestWarmupLatency: a server that is slow at first is not, once it is warm: by the
// book, as how soon answers come is up to the machine.
func TestWarmupLatency(t *testing.T) {
	h := assay.HTTPLoad{Rate: 200, Duration: 500 * time.Millisecond, Warmup: 500 * time.Millisecond}
	s := newSchedule(h, time.Now())
	tl := tally{schedule: s, timeout: time.Second, latency: histogram{}}
	for k := range uint64(s.warmup + s.measured) {
		latency := time.Millisecond
		if k < uint64(s.warmup) {
			latency = 400 * time.Millisecond
		}
		tl.add(&vegeta.Result{Seq: k, Timestamp: s.due(k), Latency: latency})
	}
	if r := tl.result(h); r.Latency.Total() != 100 || above(r.Latency, 0.1) > 0 {
		t.Errorf("%d of %d measured requests have the latency of the warm-up", above(r.Latency, 0.1), r.Latency.Total())
	}
}

// TestSaturated: one answer in 10 ms over one connection is 100 a second at
// most, whatever is asked for.
func TestSaturated(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) { time.Sleep(10 * time.Millisecond) })
	r, _, err := Run(t.Context(), assay.HTTPLoad{URL: url, Rate: 200, Duration: time.Second, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 200 {
		t.Errorf("got %d requests, want 200: the load does not wait, the requests do", r.Requests)
	}
	within(t, "rate", r.Rate, 0, 101)
	// The last one was due after 1 s and answered after 2 s or more.
	within(t, "longest", r.Latency.Values[len(r.Latency.Values)-1], 0.9, math.Inf(1))
}

func TestErrors(t *testing.T) {
	var n atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch n.Add(1) % 4 {
		case 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 1:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	r, failures, err := Run(t.Context(), assay.HTTPLoad{URL: url, Rate: 400, Duration: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 100 || r.Errors != 100 || r.Latency.Total() != 100 {
		t.Errorf("got %d requests, %d errors, %d latencies, want 100 each", r.Requests, r.Errors, r.Latency.Total())
	}
	if len(failures) != 2 || failures[0].N+failures[1].N != 100 || !strings.Contains(failures[0].Text+failures[1].Text, "503 Service Unavailable") {
		t.Errorf("got failures %+v", failures)
	}
	// Rate is of those that succeeded.
	within(t, "rate", r.Rate, 0, 200)
}

// TestHangs: requests that are never answered count with the time that they
// waited, and the load ends.
func TestHangs(t *testing.T) {
	end := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-end:
		case <-r.Context().Done():
		}
	})
	defer close(end)
	r, failures, err := Run(t.Context(), assay.HTTPLoad{URL: url, Rate: 100, Duration: 300 * time.Millisecond, Timeout: time.Second, Connections: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 0 || r.Errors != 30 || r.Rate != 0 {
		t.Errorf("got %d requests, %d errors at %v/s, want 30 errors", r.Requests, r.Errors, r.Rate)
	}
	if n := above(r.Latency, 0.999); n != r.Latency.Total() {
		t.Errorf("got latencies %+v, want none below the timeout", r.Latency)
	}
	if last := failures[len(failures)-1]; !strings.HasPrefix(last.Text, "never sent") || last.N+r.Latency.Total() != 30 {
		t.Errorf("got failures %+v", failures)
	}
}

func TestNobodyListens(t *testing.T) {
	s := httptest.NewServer(nil)
	url := s.URL
	s.Close()
	r, failures, err := Run(t.Context(), assay.HTTPLoad{URL: url, Rate: 100, Duration: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 0 || r.Errors != 10 || r.Latency.Total() != 0 {
		t.Errorf("got %+v, want ten errors without a latency", r)
	}
	total := 0
	for _, f := range failures {
		total += f.N
	}
	if total != 10 || !strings.Contains(failures[0].Text, "refused") {
		t.Errorf("got failures %+v", failures)
	}
}

// TestRequest: what is sent is what was asked for, and a redirect leads nowhere
// else.
func TestRequest(t *testing.T) {
	var elsewhere atomic.Int64
	other := serve(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	var mu sync.Mutex
	paths := map[string]int{}
	var bad []string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		paths[r.URL.Path]++
		if r.Method != "PUT" || string(body) != `{"a": 1}` || r.Header.Get("X-Level") != "3" || r.Host != "example.com" {
			bad = append(bad, r.Method+" "+string(body)+" "+r.Host)
		}
		switch r.URL.Path {
		case "/near":
			http.Redirect(w, r, "/far", http.StatusTemporaryRedirect)
		case "/far":
			http.Redirect(w, r, other, http.StatusTemporaryRedirect)
		}
	})
	r, failures, err := Run(t.Context(), assay.HTTPLoad{
		URL: url + "/near", Rate: 50, Duration: 200 * time.Millisecond, Method: "PUT", Body: `{"a": 1}`,
		Headers: map[string]string{"x-level": "3", "Host": "example.com"},
	})
	if err != nil || r.Requests != 10 || len(failures) > 0 {
		t.Fatalf("got %+v, %v, %v", r, failures, err)
	}
	if len(bad) > 0 || paths["/near"] != 10 || elsewhere.Load() > 0 {
		t.Errorf("got %v, wrong %q, %d requests elsewhere", paths, bad, elsewhere.Load())
	}
}

func TestLongBody(t *testing.T) {
	b := &body{ReadCloser: io.NopCloser(strings.NewReader("abcdef")), left: 5, done: func() {}}
	if _, err := io.ReadAll(b); err == nil {
		t.Error("got no error for a body beyond its bound")
	}
	b = &body{ReadCloser: io.NopCloser(strings.NewReader("abcde")), left: 5, done: func() {}}
	if got, err := io.ReadAll(b); err != nil || string(got) != "abcde" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestInterrupted(t *testing.T) {
	hang := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	defer close(hang)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, _, err := Run(ctx, assay.HTTPLoad{URL: url, Rate: 1, Duration: 10 * time.Hour}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestRefused(t *testing.T) {
	good := assay.HTTPLoad{URL: "http://127.0.0.1:1/", Rate: 10, Duration: time.Second}
	for name, spoil := range map[string]func(*assay.HTTPLoad){
		"no URL":      func(h *assay.HTTPLoad) { h.URL = "" },
		"no scheme":   func(h *assay.HTTPLoad) { h.URL = "127.0.0.1:80" },
		"other":       func(h *assay.HTTPLoad) { h.URL = "file:///etc/passwd" },
		"no rate":     func(h *assay.HTTPLoad) { h.Rate = 0 },
		"NaN":         func(h *assay.HTTPLoad) { h.Rate = math.NaN() },
		"no duration": func(h *assay.HTTPLoad) { h.Duration = 0 },
		"none due":    func(h *assay.HTTPLoad) { h.Rate = 0.5 },
		"too many":    func(h *assay.HTTPLoad) { h.Rate = 1e9; h.Duration = time.Hour },
		"too many of Poisson": func(h *assay.HTTPLoad) {
			h.Rate = 1e6
			h.Duration = 100 * time.Second
			h.Arrivals = assay.ArrivalsPoisson
		},
		"method": func(h *assay.HTTPLoad) { h.Method = "A B" },
	} {
		h := good
		spoil(&h)
		if _, _, err := Run(t.Context(), h); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// TestSchedule: requests are due at fixed times, also at rates that are no
// whole number.
func TestSchedule(t *testing.T) {
	began := time.Unix(0, 0)
	s := newSchedule(assay.HTTPLoad{Rate: 1.6, Duration: 10 * time.Second, Warmup: 5 * time.Second, Timeout: time.Second}, began)
	if s.warmup != 8 || s.measured != 16 || s.giveUp != began.Add(16*time.Second) {
		t.Errorf("got %+v", s)
	}
	for k, want := range map[uint64]time.Duration{0: 0, 1: 625 * time.Millisecond, 8: 5 * time.Second, 16_000_000: 1e7 * time.Second} {
		if got := s.due(k).Sub(began); got != want {
			t.Errorf("request %d is due after %v, want %v", k, got, want)
		}
	}
}

func TestBuckets(t *testing.T) {
	last := int64(-1)
	for ns := int64(0); ns < 1<<40; ns += 1 + ns>>12 {
		b := bucket(ns)
		if math.Abs(float64(b-ns)) > float64(ns)/2000 {
			t.Fatalf("%d ns go into bucket %d, further than 0.05 %% away", ns, b)
		}
		if b < last {
			t.Fatalf("%d ns go into bucket %d, below %d", ns, b, last)
		}
		last = b
	}
	h := histogram{}
	for ns := range 100_000 {
		h.add(time.Duration(ns * 1000))
	}
	if n := len(h); n > 17*1024 {
		t.Errorf("got %d buckets, want at most 1024 for each doubling", n)
	}
}

// TestManyFailures: the kinds that are kept are bounded, and what a server says
// does not reach the terminal as it is.
func TestManyFailures(t *testing.T) {
	tl := tally{schedule: schedule{rate: 1, measured: 100}, timeout: time.Second, latency: histogram{}}
	for i := range 100 {
		tl.add(&vegeta.Result{Seq: uint64(i), Error: "dial port \x1b[31m" + strings.Repeat("x", i%50)})
	}
	total := 0
	for _, f := range tl.allFailures() {
		total += f.N
		if strings.ContainsRune(f.Text, 0x1b) {
			t.Errorf("got %q", f.Text)
		}
	}
	if len(tl.failures) != maxFailures || total != 100 {
		t.Errorf("got %d kinds, %d failures", len(tl.failures), total)
	}
}

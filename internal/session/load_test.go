package session

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// A load sends as many requests as are due, and tells those that failed apart from those
// that were answered.
func TestLoad(t *testing.T) {
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%5 == 0 {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	defer server.Close()
	r, failed, err := Load(t.Context(), assay.HTTPLoad{URL: server.URL, Rate: 100, Duration: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 16 || r.Errors != 4 || n.Load() != 20 || len(failed) != 1 || !strings.HasPrefix(failed[0], "4 failed: ") || !strings.Contains(failed[0], "418") {
		t.Errorf("got %d answered, %d failed of %d, %q, want 16 and 4 of 20", r.Requests, r.Errors, n.Load(), failed)
	}
}

// A load none of which succeeds is an error, and so is one that cannot be sent at all.
func TestLoadFails(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	h := assay.HTTPLoad{URL: server.URL, Rate: 100, Duration: 50 * time.Millisecond}
	_, _, err := Load(t.Context(), h)
	if text := errortest.Want(t, err, assay.CodeLoad, assay.ExitBuild); !strings.Contains(text, "none of 5 requests to "+server.URL) ||
		!strings.Contains(text, "5 failed: ") {
		t.Errorf("got %s", text)
	}
	h.Rate = 0
	_, _, err = Load(t.Context(), h)
	errortest.Want(t, err, assay.CodeFlags, assay.ExitUsage)
}

// The lines of a load have a quantile only where enough requests lie beyond it, and say
// when the server did not keep up.
func TestLoadLines(t *testing.T) {
	latencies := make([]float64, 200) // 1 to 200 ms
	for i := range latencies {
		latencies[i] = float64(i+1) / 1000
	}
	r := load.Result{Latency: assay.NewHistogram(latencies), Requests: 190, Errors: 10, Seconds: 2, Rate: 95, Intended: 100}
	lines := LoadLines(r, []string{"10 failed: no"})
	if len(lines) < 4 || lines[0] != "200 requests in 2s, 10 failed; 95.0 a second of 100" || lines[1] != "even arrivals" || lines[2] != "  10 failed: no" ||
		lines[3] != "latency, from when a request was due" {
		t.Fatalf("got %q", lines)
	}
	// Of 200, 100 are beyond the median, 20 beyond p90 and 2 beyond p99, of 10 needed.
	for q, few := range map[string]bool{"p50 ": false, "p90 ": false, "p99 ": true, "p99.9 ": true} {
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  "+q) })
		if i < 0 || strings.Contains(lines[i], "too few") != few {
			t.Errorf("%s: got %q, want too few: %t", q, lines, few)
		}
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "  longest") || !strings.Contains(last, "200") {
		t.Errorf("got %q, want the longest of 200 ms", last)
	}
	behind := func(r load.Result) bool {
		return slices.ContainsFunc(LoadLines(r, nil), func(l string) bool { return strings.HasPrefix(l, "the server did not keep up") })
	}
	// 95 answers and 5 failures a second are the 100 that were due; 98 in all are not.
	slow := r
	slow.Requests, slow.Errors, slow.Rate = 196, 0, 98
	if behind(r) || !behind(slow) {
		t.Errorf("behind: got %t with all answered and %t with 98 %%, want false and true", behind(r), behind(slow))
	}
}

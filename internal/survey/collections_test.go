package survey

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Trials are longer where fewer than eight collections fall into one in some variant, as far as
// the budget allows; what allocates too little to matter, and what has had its share of the
// time, is not traced.
func TestHoldCollections(t *testing.T) {
	const us = 1e-6
	for _, test := range []struct {
		name     string
		bytes    float64
		old, new int // collections of 10000 operations, besides those of the start
		late     bool
		times    int // as many operations
		traced   int
		few      []string
	}{
		{"allocates little", 0.001, 0, 0, false, 1, 0, nil},
		{"collects often", 1000, 20, 20, false, 1, 4, nil},
		{"one collects seldom", 1000, 20, 3, false, 3, 6, nil},
		{"one collects very seldom", 1000, 20, 1, false, 10, 8, nil},
		{"one never", 1000, 20, 0, false, 10, 8, []string{"new"}},
		{"late", 1000, 20, 0, true, 1, 0, nil},
	} {
		m := &made{run: func(r lab.RunRequest) trial.Outcome {
			out := result(10*us, r.N, "X")
			if out.GCCycles = 5; r.N > 2 {
				out.GCCycles += map[string]int{"old": test.old, "new": test.new}[r.Variant.Name] * r.N / 10000
			}
			if !r.GCTrace {
				t.Errorf("%s: ran without a trace", test.name)
			}
			return out
		}}
		c := chosen(t, oldNew(), m)
		c.bench.N, c.bench.Trial = 10000, 100*time.Millisecond
		if c.base = (calibrated{PerOp: 10 * us, Bytes: test.bytes}); test.late {
			c.until = time.Now()
		}
		few, err := c.holdCollections(t.Context())
		if err != nil || !slices.Equal(few, test.few) || len(m.ran) != test.traced || c.bench.N != 10000*test.times || c.bench.Trial != time.Duration(test.times)*100*time.Millisecond {
			t.Errorf("%s: planned is %d operations in %v, few in %v, after %d traces, %v; want %d times as many, few in %v, after %d",
				test.name, c.bench.N, c.bench.Trial, few, len(m.ran), err, test.times, test.few, test.traced)
		}
	}
	m := &made{run: func(lab.RunRequest) trial.Outcome { return trial.Outcome{Status: assay.StatusFailed, Reason: "boom"} }}
	c := chosen(t, oldNew(), m)
	c.base, c.bench.N = calibrated{PerOp: 10 * us, Bytes: 1000}, 10000
	if few, err := c.holdCollections(t.Context()); err != nil || few != nil || c.bench.N != 10000 {
		t.Errorf("a trace that fails: %v, %v with N=%d; the blocks will show it", few, err, c.bench.N)
	}
	if _, err := c.collecting(t.Context(), c.variants[0]); !errors.As(err, new(misfit)) {
		t.Errorf("got %v, want why the trace failed", err)
	}
}

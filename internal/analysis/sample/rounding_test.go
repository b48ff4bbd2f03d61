package sample

import (
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// constants is a sample of 30 blocks in which neither side varies.
func constants(p precision, base, value float64) *Sample {
	s := &Sample{E: 1, precision: p}
	for block := 1; block <= 30; block++ {
		s.Add(block, []float64{base}, []float64{value}, nil)
	}
	return s
}

// Equal values prove only what their digits do: 4 MB of a trace are 3.5 to 4.5, on both
// sides, however many blocks say so.
func TestRounded(t *testing.T) {
	const mb = 1 << 20
	for _, test := range []struct {
		name        string
		metric      string
		bench       bool
		base, value float64
		lo, hi      float64 // of value/base
	}{
		{"live heap", assay.MetricGCLive, false, 4 * mb, 4 * mb, 3.5 / 4.5, 4.5 / 3.5},
		{"one step apart", assay.MetricGCLive, false, 4 * mb, 5 * mb, 1, 5.5 / 3.5},
		{"a large heap", assay.MetricGCLive, false, 400 * mb, 400 * mb, 399.5 / 400.5, 400.5 / 399.5},
		{"a latency of one digit", "latency.p50", false, 0.0004, 0.0004, 3.5 / 4.5, 4.5 / 3.5},
		{"a whole number of a command", "rows", false, 100, 100, 99.5 / 100.5, 100.5 / 99.5},
		{"four digits of package testing", "levels", true, 12, 12, 11.995 / 12.005, 12.005 / 11.995},
		{"all of its digits", "bytes", false, 123456, 123456, 123455.5 / 123456.5, 123456.5 / 123455.5},
	} {
		s := constants(precisionOf(test.metric, test.bench), test.base, test.value)
		lo, hi, ok := s.Interval(20)
		lo, hi = math.Exp(lo), math.Exp(hi)
		// The engine's own width is beside it.
		if slack := 0.02 * (test.hi - test.lo); !ok || s.Exact(5) || lo > test.lo || hi < test.hi-1e-9 || hi > test.hi+1.3*(test.hi-1)+slack {
			t.Errorf("%s: got %v to %v (%v), exact %v; want %v to %v", test.name, lo, hi, ok, s.Exact(5), test.lo, test.hi)
		}
		if e := s.EValue(0); test.base == test.value && e > 1 {
			t.Errorf("%s: the evidence against no change is %v", test.name, e)
		}
	}
}

// What varies by itself is known better than its last digit; what the source rounds is not.
func TestRoundedAndVaried(t *testing.T) {
	for metric, want := range map[string]bool{"latency.p50": false, assay.MetricGCLive: true} {
		s := constants(precisionOf(metric, false), 4<<20, 4<<20)
		s.Add(31, []float64{5 << 20}, []float64{4 << 20}, nil)
		if got := s.roundingWidth() > 0; got != want {
			t.Errorf("%s: wider is %v, want %v", metric, got, want)
		}
	}
}

// What never happened is the same and not exact; a count that never varied is exact.
func TestEqual(t *testing.T) {
	for _, test := range []struct {
		metric          string
		value           float64
		never, constant bool
	}{
		{assay.MetricErrors, 0, true, false},
		{assay.MetricErrors, 0.5, false, false},
		{assay.MetricAllocs, 7, false, true},
		{assay.MetricAllocs, 0, true, true},
		{assay.MetricRequests, 180, false, false},
		{assay.MetricGCLive, 4 << 20, false, false},
	} {
		s := constants(precisionOf(test.metric, false), test.value, test.value)
		if s.Never() != test.never || s.Constant() != test.constant || s.Exact(5) != (test.never || test.constant) {
			t.Errorf("%s %v: never %v, constant %v, exact %v", test.metric, test.value, s.Never(), s.Constant(), s.Exact(5))
		}
	}
}

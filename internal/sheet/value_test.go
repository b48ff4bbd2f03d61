package sheet

import (
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestValue(t *testing.T) {
	for _, c := range []struct {
		metric string
		v, rel float64
		want   string
	}{
		// half-width 0.064 ns: its first digit is the second decimal
		{"sec/op", 7.124e-9, .009, "7.12 ns"},
		{"sec/op", 67.3e-9, .009, "67.3 ns"},
		{"sec/op", 4.12e-3, .009, "4.12 ms"},
		{"sec/op", 812e-9, .008, "812 ns"},
		{"sec/op", 10.26, .008, "10.26 s"},
		{"sec/op", 0.31e-9, .01, "0.310 ns"},
		{"sec/op", 7.124e-9, .2, "7.1 ns"},
		{"sec/op", 7.1237891e-9, 1e-9, "7.124 ns"}, // four digits at most
		{"sec/op", 2, 0, "2 s"},
		{"sec/op", 7.1237891e-9, 0, "7.12 ns"},
		{"p99-sec", 48e-6, .01, "48.0 µs"},
		{"user-sec/op", 1.5e-6, .01, "1.50 µs"},
		{"sec/op", 4321, .01, "4,321 s"},
		{"B/op", 48, 0, "48 B"},
		{"B/op", 81920, 0, "81,920 B"},
		{"B/op", 81928, 0, "81,928 B"},
		{"B/op", 81928, .01, "80.0 KiB"},
		{"B/op", 0, 0, "0 B"},
		{"B/op", 0, .01, "0 B"},
		{"allocs/op", 0, .01, "0"},
		{"peak-RSS-bytes", 12.4e6, .008, "11.83 MiB"},
		{"B/s", 120e6, .01, "120 MB/s"},
		{"B/s", 1.205e9, .01, "1.21 GB/s"},
		{"allocs/op", 12, 0, "12"},
		{"allocs/op", 1234567, 0, "1,234,567"},
		{"tx/s", 1067.6, .005, "1,068"},
		{"widgets/op", 25e6, .01, "25.0 M"},
		{"ratio", 0.00012, .01, "0.00012"},
		{"ratio", -1234.5, .01, "−1,234"},
		{"sec/op", math.NaN(), .01, "–"},
		{"sec/op", math.Inf(1), 0, "–"},
	} {
		if got := Value(assay.Metric{Name: c.metric}, c.v, c.rel); got != c.want {
			t.Errorf("Value(%s, %g, %g) = %q, want %q", c.metric, c.v, c.rel, got, c.want)
		}
	}
}

func TestChange(t *testing.T) {
	for _, c := range []struct {
		change, half assay.Change
		want         string
	}{
		{.19, .009, "+19.0 %"},
		{-.557, .007, "−55.7 %"},
		{.0002, .0007, "+0.02 %"}, // half-width 0.07 %
		{.004, .12, "0 %"},        // half-width 12 %
		{0, 0, "0 %"},
		{-1. / 3, 0, "−33.3 %"},
		{1e-5, 0, "+0.0010 %"}, // exact: 100,001 of 100,000
		{-1e-5, 0, "−0.0010 %"},
		{assay.Change(math.Inf(1)), 0, "–"},
	} {
		if got := Change(c.change, c.half); got != c.want {
			t.Errorf("Change(%g, %g) = %q, want %q", c.change, c.half, got, c.want)
		}
	}
}

// Every number keeps one or two digits of its uncertainty, so that two values
// that differ by more than that never print the same.
func FuzzValue(f *testing.F) {
	f.Add(7.12e-9, .01)
	f.Add(1e12, .5)
	f.Fuzz(func(t *testing.T, v, rel float64) {
		if !(v > 1e-12 && v < 1e15 && rel > 1e-3 && rel < 1) {
			t.Skip()
		}
		for _, m := range []string{"sec/op", "B/op", "B/s", "things"} {
			metric := assay.Metric{Name: m}
			if a, b := Value(metric, v, rel), Value(metric, v*(1+3*rel), rel); a == b {
				t.Errorf("%s: %g and %g, known to %g, both print %q", m, v, v*(1+3*rel), rel, a)
			}
		}
	})
}

// No "±" stands beside an interval that is not symmetric.
func TestHalfOrInterval(t *testing.T) {
	for _, c := range []struct {
		change, lo, hi assay.Change
		want           string
	}{
		{-.024, -.050, .002, "±2.6"},
		{-.024, -.045, .005, "[−4.5, +0.5]"},
		{-.024, -.050, -.024, "[−5.0, −2.4]"},
	} {
		if got := HalfOrInterval(c.change, assay.Interval{Lo: c.lo, Hi: c.hi}).Text; got != c.want {
			t.Errorf("%v in [%v, %v]: got %s, want %s", c.change, c.lo, c.hi, got, c.want)
		}
	}
}

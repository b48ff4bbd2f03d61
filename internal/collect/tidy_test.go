package collect

import (
	"math"
	"strconv"
	"testing"
)

func TestTidy(t *testing.T) {
	for _, test := range []struct {
		text, unit string
		want       string // the float as it prints
		metric     string
	}{
		{"7.12", "ns/op", "7.12e-09", "sec/op"},
		{"1234567", "ns/op", "0.001234567", "sec/op"},
		{"0.3", "ns/op", "3e-10", "sec/op"},
		{"0", "ns/op", "0", "sec/op"},
		{"1e3", "ns/op", "1e-06", "sec/op"},
		{"1.5E+06", "ns/op", "0.0015", "sec/op"},
		{"302.14", "MB/s", "3.0214e+08", "B/s"},
		{"64", "B/op", "64", "B/op"},
		{"-3.000", "below", "-3", "below"},
		{"12.5", "p99-ns", "12.5", "p99-ns"},
		{"+1", "MB/sec", "1", "MB/sec"},
	} {
		v, metric, err := Tidy(test.text, test.unit)
		if got := strconv.FormatFloat(v, 'g', -1, 64); err != nil || got != test.want || metric != test.metric {
			t.Errorf("%s %s: %s %s, error %v; want %s %s", test.text, test.unit, got, metric, err, test.want, test.metric)
		}
	}
	for _, text := range []string{"", "+Inf", "-Inf", "NaN", "inf", "0x1p4", "1_0", "1e", "e5", "1e400", "1e99999999999999999999", "--1", "1.2.3", "1 2", "١"} {
		if v, _, err := Tidy(text, "ns/op"); err == nil {
			t.Errorf("%q is %g, want an error", text, v)
		}
	}
}

// FuzzTidy: the digits of a number that the testing package can print are the
// digits of the value.
func FuzzTidy(f *testing.F) {
	f.Add(7.12)
	f.Add(0.1 + 0.2)
	f.Add(123456789.0)
	f.Fuzz(func(t *testing.T, x float64) {
		text := strconv.FormatFloat(x, 'f', -1, 64)
		v, metric, err := Tidy(text, "ns/op")
		if math.IsInf(x, 0) || math.IsNaN(x) {
			if err == nil {
				t.Errorf("%s is %g, want an error", text, v)
			}
			return
		}
		want, _ := strconv.ParseFloat(text+"e-9", 64)
		if err != nil || v != want || metric != "sec/op" {
			t.Errorf("%s: %g %s, error %v; want %g", text, v, metric, err, want)
		}
		if same, _, err := Tidy(text, "x"); err != nil || same != x {
			t.Errorf("%s: %g, error %v", text, same, err)
		}
	})
}

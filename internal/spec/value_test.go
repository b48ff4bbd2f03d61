package spec

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/spec/document"
)

func TestPercent(t *testing.T) {
	for _, test := range []struct {
		s       string
		want    float64
		wantErr string
	}{
		{"1%", 0.01, ""},
		{"0.5%", 0.005, ""},
		{"7%", 0.07, ""}, // 7/100*100 is not 7 in floating point, the text is
		{"1 %", 0.01, ""},
		{"99.9%", 0.999, ""},
		{"150%", 1.5, ""},
		{"0%", 0, ""},
		{"1", 0, `1 needs a unit: "1%"`},
		{"0.01", 0, `0.01 needs a unit: "0.01%" or "1%"`},
		{"", 0, `"" is not a percentage such as "1%"`},
		{"-1%", 0, `-1% is not a percentage such as "1%"`},
		{"1e2%", 0, `1e2% is not a percentage such as "1%"`},
		{"NaN%", 0, `NaN% is not a percentage such as "1%"`},
		{"1%%", 0, `1%% is not a percentage such as "1%"`},
	} {
		got, err := Flag(test.s, Percent)
		checkValue(t, "Percent", test.s, got, err, test.want, test.wantErr)
	}
}

func checkValue[T comparable](t *testing.T, f, s string, got T, err error, want T, wantErr string) {
	t.Helper()
	text := ""
	if err != nil {
		text = err.Error()
	}
	if got != want || text != wantErr {
		t.Errorf("%s(%q) = %v, %q, want %v, %q", f, s, got, text, want, wantErr)
	}
}

// FuzzPercent: what is written is read again as the same number.
func FuzzPercent(f *testing.F) {
	for _, seed := range []float64{0.01, 0.005, 0.07, 0.99, 1.5, 1, 10, 0.123456789012345, 1.0 / 3, 1e-7} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, want float64) {
		if !(want > 1e-15 && want < 1e15) {
			return
		}
		s := formatPercent(want)
		got, err := Flag(s, Percent)
		if err != nil || got != want {
			t.Errorf("%g is written %s and read %g, %v", want, s, got, err)
		}
	})
}

func TestFormatPercent(t *testing.T) {
	for f, want := range map[float64]string{
		0.01: "1%", 0.005: "0.5%", 0.07: "7%", 0.99: "99%", 0.999: "99.9%", 1: "100%", 1.5: "150%", 20: "2000%", 0.0001: "0.01%",
		0.00012: "0.012%", 0.0123: "1.23%",
	} {
		if got := formatPercent(f); got != want {
			t.Errorf("formatPercent(%g) = %s, want %s", f, got, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	const wrong = ` is not a number of blocks; write "12", "8-20" or "10-"`
	type bounds struct{ min, max int }
	for _, test := range []struct {
		s       string
		want    bounds
		wantErr string
	}{
		{"12", bounds{12, 12}, ""},
		{"8-20", bounds{8, 20}, ""},
		{"10-", bounds{10, 0}, ""},
		{"8 - 20", bounds{8, 20}, ""},
		{"8-8", bounds{8, 8}, ""},
		{"20-8", bounds{}, "20-8 ends before it begins"},
		{"0", bounds{}, "0" + wrong},
		{"-5", bounds{}, "-5" + wrong},
		{"", bounds{}, `""` + wrong},
		{"8-20-30", bounds{}, "8-20-30" + wrong},
		{"99999999999", bounds{}, "99999999999" + wrong},
	} {
		lo, hi, err := Blocks(test.s)
		checkValue(t, "Blocks", test.s, bounds{lo, hi}, err, test.want, test.wantErr)
	}
}

func TestLayouts(t *testing.T) {
	const wrong = ` is neither "fresh", a new layout for every block, nor 1, the linker's own`
	for _, test := range []struct {
		s       string
		want    int
		wantErr string
	}{
		{"fresh", 0, ""}, {"1", 1, ""}, {"16", 0, "16" + wrong}, {"0", 0, "0" + wrong}, {"some", 0, "some" + wrong},
	} {
		got, err := Flag(test.s, Layouts)
		checkValue(t, "Layouts", test.s, got, err, test.want, test.wantErr)
	}
}

func TestDuration(t *testing.T) {
	for _, test := range []struct {
		s       string
		want    time.Duration
		wantErr string
	}{
		{"50ms", 50 * time.Millisecond, ""},
		{"1h30m", 90 * time.Minute, ""},
		{"10", 0, `needs a unit: "10s" or "10m"`},
		{"0", 0, `needs a unit: "0s" or "0m"`},
		{"0s", 0, "is not above 0"},
		{"ten", 0, `is not a time such as "50ms" or "10m"`},
	} {
		got, err := PositiveDuration(test.s)
		checkValue(t, "duration", test.s, got, err, test.want, test.wantErr)
	}
}

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		10 * time.Minute: "10m", 2 * time.Hour: "2h", 90 * time.Second: "1m30s", 50 * time.Millisecond: "50ms",
		time.Hour + 10*time.Second: "1h0m10s", 10 * time.Second: "10s", math.MaxInt64: "2562047h47m16.854775807s",
	} {
		if got := document.FormatDuration(d); got != want {
			t.Errorf("formatDuration(%d) = %s, want %s", d, got, want)
		}
		if back, err := PositiveDuration(want); err != nil || back != d {
			t.Errorf("%s is read as %v, %v", want, back, err)
		}
	}
}

func TestBenchTime(t *testing.T) {
	for _, test := range []struct {
		s     string
		d     time.Duration
		iters int
		ok    bool
	}{
		{"1000x", 0, 1000, true}, {"1s", time.Second, 0, true}, {"0x", 0, 0, false}, {"x", 0, 0, false}, {"5", 0, 0, false}, {"-1s", 0, 0, false},
	} {
		d, iters, err := BenchTime(test.s)
		if d != test.d || iters != test.iters || (err == nil) != test.ok {
			t.Errorf("benchTime(%q) = %v, %d, %v", test.s, d, iters, err)
		}
	}
}

package printable

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 µs", 15 * time.Microsecond: "15 µs", 12 * time.Millisecond: "12 ms",
		1240 * time.Millisecond: "1.2 s", 40 * time.Second: "40 s", 99400 * time.Millisecond: "99 s",
		2 * time.Minute: "2 min", 130 * time.Second: "2m10s", 245 * time.Minute: "4h05m", 3 * time.Hour: "3 h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d ns) = %q, want %q", d, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for f, want := range map[float64]string{.01: "1 %", .005: "0.5 %", .99: "99 %", .123456: "12.3456 %", 1.5: "150 %"} {
		if got := Percent(f); got != want {
			t.Errorf("Percent(%g) = %q, want %q", f, got, want)
		}
	}
}

func TestLevel(t *testing.T) {
	for f, want := range map[float64]string{.95: "95 %", .99: "99 %", 1 - 0.05/6: "99.17 %", 0.999: "99.9 %", 1 - 1.234e-6: "99.99988 %", 1: "100 %", 0: "0 %"} {
		if got := Level(f); got != want {
			t.Errorf("Level(%g) = %q, want %q", f, got, want)
		}
	}
}

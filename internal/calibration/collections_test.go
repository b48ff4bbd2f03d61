package calibration

import (
	"testing"
	"time"
)

func TestCollections(t *testing.T) {
	const us = 1e-6
	for _, test := range []struct {
		name string
		c    Collections
		want time.Duration
		n    int
		few  bool
	}{
		{"100 MB/s into 10 MB", first(Bounded(10*us, 1000, 10e6)), 300 * time.Millisecond, 10000, true},
		{"a byte each millisecond", first(Bounded(1000*us, 1, 10e6)), time.Hour, 1000, true},
		{"a collection each 10 ms", Counted(10*us, 1e-3, 0.2), 80 * time.Millisecond, 10000, false},
		{"a collection each 10 ms, cheap", Counted(10*us, 1e-3, 0.01), 20 * time.Millisecond, 1000, true},
		{"none seen", Counted(10*us, 0, 1), time.Hour, 1 << 30, true},
	} {
		if got := test.c.Enough().Round(time.Millisecond); got != test.want {
			t.Errorf("%s: %v is enough, want %v", test.name, got, test.want)
		}
		if got := test.c.Few(test.n); got != test.few {
			t.Errorf("%s: %d operations are few: %t, want %t", test.name, test.n, got, test.few)
		}
	}
	if _, matters := Bounded(1000*us, 1, 10e6); matters {
		t.Error("a byte each millisecond matters")
	}
	if _, matters := Bounded(10*us, 1000, 10e6); !matters {
		t.Error("100 MB/s do not matter")
	}
}

func first(c Collections, _ bool) Collections { return c }

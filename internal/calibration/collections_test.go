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
	if Matters(1000*us, 1) {
		t.Error("a byte each millisecond matters")
	}
	if !Matters(10*us, 1000) {
		t.Error("100 MB/s do not matter")
	}
}

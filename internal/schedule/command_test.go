package schedule

import "testing"

func TestWith(t *testing.T) {
	for _, tc := range []struct{ command, flag, value, want string }{
		{"assay compare a b", "more", "5m", "assay compare --more 5m a b"},
		{"assay run", "more", "5m", "assay run --more 5m"},
		{"assay run --budget=1m0s dir", "budget", "2m", "assay run --budget 2m dir"},
		{"assay run --blocks='3' --budget=1m0s", "blocks", "10-", "assay run --blocks 10- --budget=1m0s"},
		{"assay compare a b -- -bench=. --budget=x", "budget", "2m", "assay compare --budget 2m a b -- -bench=. --budget=x"},
	} {
		if got := With(tc.command, tc.flag, tc.value); got != tc.want {
			t.Errorf("With(%q, %q, %q) = %q, want %q", tc.command, tc.flag, tc.value, got, tc.want)
		}
	}
}

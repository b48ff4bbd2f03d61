package chain

import "testing"

func TestRanges(t *testing.T) {
	for want, numbers := range map[string][]int{"": nil, "3": {3}, "3, 4": {3, 4}, "3–6, 9": {3, 4, 5, 6, 9}, "1, 3–5": {1, 3, 4, 5}} {
		if got := ranges(numbers); got != want {
			t.Errorf("ranges(%v) = %q, want %q", numbers, got, want)
		}
	}
}

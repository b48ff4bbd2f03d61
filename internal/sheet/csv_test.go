package sheet

import (
	"math"
	"testing"
)

// No spreadsheet takes a text for a formula, and numbers stay in full.
func TestCSVFields(t *testing.T) {
	for in, want := range map[string]string{"=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "\tx": " x", " =x": "' =x", "x=1": "x=1", "": ""} {
		if got := csvText(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if csvNumber(math.NaN()) != "" || csvNumber(math.Inf(1)) != "" || csvNumber(-0.5) != "-0.5" {
		t.Error("numbers are not written as they are")
	}
}

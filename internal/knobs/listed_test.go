package knobs

import (
	"slices"
	"strings"
	"testing"
)

func TestListedFolds(t *testing.T) {
	lines := listed("go1.26.8 knows: ", []string{strings.Repeat("a", 50), strings.Repeat("b", 50), "c"})
	want := []string{"go1.26.8 knows: " + strings.Repeat("a", 50) + ",", "  " + strings.Repeat("b", 50) + ", c"}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
}

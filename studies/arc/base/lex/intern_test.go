package lex_test

import (
	"strings"
	"testing"

	"example.com/arc/lex"
)

func TestInterner(t *testing.T) {
	names := lex.NewInterner()
	if got := names.Len(); got != 0 {
		t.Errorf("new: got %d strings, want 0", got)
	}
	for _, s := range []string{"limit", "", "name", "limit", strings.Repeat("n", 1) + "ame", ""} {
		if got := names.Intern(s); got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	}
	if got, want := names.Len(), 3; got != want {
		t.Errorf("got %d strings, want %d", got, want)
	}
}

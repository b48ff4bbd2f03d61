package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	h := history{dir: filepath.Join(t.TempDir(), "history"), commits: 4, planted: 3, effect: 0.05}
	if err := h.make(); err != nil {
		t.Fatal(err)
	}
	for n := range h.commits + 1 {
		hash, err := h.hash(n)
		if err != nil {
			t.Fatal(err)
		}
		text, err := h.git("show", hash+":sum.go")
		if err != nil {
			t.Fatal(err)
		}
		want := "const rounds = 10000\n"
		if n >= 3 {
			want = "const rounds = 10500\n"
		}
		if !strings.Contains(text, want) {
			t.Errorf("commit %d lacks %q", n, want)
		}
	}
	if out, err := h.git("rev-list", "--count", "good..bad"); err != nil || out != "4" {
		t.Errorf("got %s commits and %v, want 4", out, err)
	}
}

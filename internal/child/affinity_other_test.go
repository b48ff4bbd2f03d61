//go:build !linux || portable

package child

import (
	"errors"
	"testing"
)

// TestCPUs: where a process cannot be bound, it is not run unbound.
func TestCPUs(t *testing.T) {
	c := Command{Path: "true", CPUs: []int{0}}
	if _, err := Run(t.Context(), c); !errors.Is(err, ErrAffinity) {
		t.Errorf("run: %v, want %v", err, ErrAffinity)
	}
	if _, err := Start(t.Context(), c); !errors.Is(err, ErrAffinity) {
		t.Errorf("start: %v, want %v", err, ErrAffinity)
	}
}

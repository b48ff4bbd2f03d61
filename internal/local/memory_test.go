package local

import (
	"errors"
	"testing"

	"github.com/seed-1318a441/assay/internal/lab"
)

// Variants that need more memory than there is are refused.
func TestEnoughMemory(t *testing.T) {
	if err := enoughMemory(t.Context(), 1<<62); !errors.Is(err, lab.ErrNoMemory) {
		t.Errorf("4 EiB: %v", err)
	}
	if err := enoughMemory(t.Context(), 0); err != nil {
		t.Errorf("nothing: %v", err)
	}
}

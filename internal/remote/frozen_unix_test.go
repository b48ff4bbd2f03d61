//go:build unix

package remote

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/lab"
)

// An agent that is stopped is given up after a while.
func TestAgentFrozen(t *testing.T) {
	b := connectTo(t, t.TempDir())
	b.link.(*conn).silent = 300 * time.Millisecond
	b.link.(*conn).seen <- struct{}{}
	if err := b.agent().cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer b.agent().cmd.Process.Kill()
	_, err := b.Platform(t.Context())
	if !errors.Is(err, lab.ErrLost) || !errors.Is(err, errSilent) {
		t.Errorf("a stopped agent: %v", err)
	}
}

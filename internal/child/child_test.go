package child

import (
	"os"
	"testing"
	"time"
)

// TestMain plays the part of an assay that is killed, for TestKilled, and those of modes.
func TestMain(m *testing.M) {
	if mode := os.Getenv("CHILD_TEST_MODE"); mode != "" {
		modes[mode]()
		return
	}
	if fifo := os.Getenv("CHILD_TEST_KILLED"); fifo != "" {
		beKilled(fifo)
		return
	}
	os.Exit(m.Run())
}

// modes are what this binary does for tests, as a process of its own.
var modes = map[string]func(){}

// beKilled runs a process that never ends, where the system has such tests.
var beKilled func(fifo string)

// longEnough calls f with longer and longer limits, until f says that what had to
// happen before the limit did: how long that takes is up to the machine.
func longEnough(t *testing.T, f func(limit time.Duration) bool) {
	t.Helper()
	const last = 10 * time.Minute
	for limit := 300 * time.Millisecond; limit < last; limit *= 4 {
		if f(limit) || t.Failed() {
			return
		}
	}
	t.Errorf("it did not happen within %v", last)
}

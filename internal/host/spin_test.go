package host

import (
	"os"
	"os/exec"
	"testing"
)

// startSpinner starts this test binary as a process that uses one CPU until
// the test ends.
func startSpinner(t *testing.T) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBusiest$")
	cmd.Env = append(os.Environ(), "HOST_TEST_SPIN=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

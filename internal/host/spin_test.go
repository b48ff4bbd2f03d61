package host

import (
	"os"
	"os/exec"
	"testing"
)

// startSpinner starts this test binary as a process that uses one CPU until the
// test ends.
func startSpinner(t *testing.T) (pid int32) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProcessTimes$")
	cmd.Env = append(os.Environ(), "HOST_TEST_SPIN=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	return int32(cmd.Process.Pid)
}
